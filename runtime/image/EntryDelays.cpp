// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/EntryDelays.h"

#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>

using namespace dendrolith;
using columns::Column;

PackedWeights::PackedWeights(const std::string &bytes)
    : PackedNumbers(std::string()) {
  if (bytes.empty())
    return;
  columns::TableReader reader(bytes);
  size = reader.rows();
  raw = reader.eachView();
  // A number of rows, what the column is, and the zeros at the end.
  constexpr size_t around = sizeof(uint32_t) + 1 + 3;
  if (bytes.size() > around + size * raw.bytes())
    delays = reader.columnView();
  reader.end();
}

std::vector<uint16_t> dendrolith::decodeDelays(const std::string &weights) {
  const PackedWeights packed(weights);
  if (!packed.hasDelays())
    return {};
  std::vector<uint16_t> delays(packed.size);
  for (size_t i = 0; i < delays.size(); ++i) {
    if (packed.delay(i) > 0xffff)
      throw Error(fmt::format("expected delays of 16 bits, found {} at {}",
                              packed.delay(i), i));
    delays[i] = static_cast<uint16_t>(packed.delay(i));
  }
  return delays;
}

std::string dendrolith::encodeWeights(const std::vector<int16_t> &weights,
                                      const std::vector<uint16_t> &delays) {
  std::string plain = encodeI16(weights);
  if (std::all_of(delays.begin(), delays.end(),
                  [](uint16_t delay) { return delay == 0; }))
    return plain;
  columns::TableWriter writer(weights.size());
  writer.each(decodeU32(plain));
  writer.column(Column(delays.begin(), delays.end()));
  return std::move(writer).end();
}
