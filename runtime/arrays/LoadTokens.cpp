// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/LoadTokens.h"

#include "runtime/arrays/LoadSamples.h"
#include "runtime/arrays/Npy.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cmath>
#include <fmt/format.h>

namespace dendrolith {
namespace {

/// Whether each row of `width` numbers is one 1 and otherwise 0.
bool isOneHot(const SampleValues &numbers, uint64_t width) {
  return numbers.visit([width](const auto &values) {
    for (size_t row = 0; row < values.size(); row += width) {
      uint64_t ones = 0;
      for (size_t i = row; i < row + width; ++i) {
        if (values[i] != 0 && values[i] != 1)
          return false;
        ones += values[i] == 1;
      }
      if (ones != 1)
        return false;
    }
    return true;
  });
}

/// Refuses the first number that is no id. Numbers that are not integers by
/// their type are none, whatever they are.
void checkIds(const Samples &ids, uint64_t vocabulary, bool areIntegers,
              const std::string &where) {
  const size_t bad = ids.values.visit([&](const auto &values) {
    size_t i = 0;
    for (; i < values.size(); ++i)
      if (const double id = double(values[i]);
          !(id >= 0 && id < double(vocabulary)) || id != std::floor(id))
        break;
    return i;
  });
  const bool isWhole = bad == ids.values.size();
  if (isWhole && areIntegers)
    return;
  const size_t at = isWhole ? 0 : bad;
  throw Error(fmt::format(
      "{}: expected token ids, integers from 0 to {}, found {}{} at sample {}, "
      "step {}{}",
      where, vocabulary - 1, areIntegers ? "" : "a number of another type, ",
      ids.values[at], at / ids.steps, at % ids.steps,
      isWhole ? "; store ids as integers" : ""));
}

} // namespace

LoadedTokens loadTokens(const std::string &path, uint64_t vocabulary,
                        const std::string &where) {
  const ArrayHead head = headOfNpy(path);
  const size_t axes = head.shape.size();
  const bool areIntegers = head.kind == Array::NumberKind::Int ||
                           head.kind == Array::NumberKind::Uint;
  const bool fits = axes > 0 && head.shape.back() == vocabulary;
  if (axes < 1 || axes > 3 || (axes == 3 && !fits))
    throw Error(fmt::format(
        "{}: expected token ids (steps,) or (samples, steps), or vectors of 0 "
        "and 1 (steps, {}) or (samples, steps, {}), found {}",
        where, vocabulary, vocabulary, shapeText(head.shape)));
  if (axes == 3 || (axes == 2 && fits && !areIntegers))
    return {loadSamples(path, {vocabulary}, where), axes == 2};
  Samples ids = loadSamples(path, {}, where);
  if (axes == 2 && fits && isOneHot(ids.values, vocabulary)) {
    ids.steps = ids.samples;
    ids.samples = 1;
    ids.shape = {vocabulary};
    return {std::move(ids), true};
  }
  checkIds(ids, vocabulary, areIntegers, where);
  ids.shape = {vocabulary};
  ids.tokens = true;
  return {std::move(ids), axes == 1};
}

} // namespace dendrolith
