// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/LoadSamples.h"

#include "runtime/arrays/Npy.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/ToSamples.h"
#include "targets/support/Error.h"
#include "targets/support/InputFile.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace dendrolith {
namespace {

/// From so many values on it is worth a look whether each fits a byte.
constexpr uint64_t kMany = uint64_t(1) << 22;

/// The elements of a file in C order and of this machine's byte order.
struct Elements {
  const InputFile &file;
  const npy::Header &header;
  const std::string &where;

  /// Reads them as they lie.
  template <typename T> SampleValues plain() const {
    std::vector<T> values(header.elements);
    file.readAt(header.dataBegin, reinterpret_cast<char *>(values.data()),
                values.size() * sizeof(T));
    if constexpr (std::is_floating_point_v<T>)
      for (size_t i = 0; i < values.size(); ++i)
        requireFinite(values[i], header.shape, i, where);
    return values;
  }

  /// Reads wide integers into narrow ones, piece by piece; false if one of them
  /// does not fit.
  template <typename Wide> bool narrow(SampleValues &into) const {
    constexpr size_t piece = 1 << 16;
    std::vector<int32_t> values(header.elements);
    std::vector<Wide> wide;
    for (size_t at = 0; at < values.size(); at += piece) {
      wide.resize(std::min(piece, values.size() - at));
      file.readAt(header.dataBegin + at * sizeof(Wide),
                  reinterpret_cast<char *>(wide.data()),
                  wide.size() * sizeof(Wide));
      for (size_t i = 0; i < wide.size(); ++i) {
        values[at + i] = static_cast<int32_t>(wide[i]);
        if (static_cast<Wide>(values[at + i]) != wide[i] ||
            (std::is_unsigned_v<Wide> && values[at + i] < 0))
          return false;
      }
    }
    into = SampleValues(std::move(values));
    return true;
  }

  /// Reads whole numbers of few bits, which a long input of reals often is (one
  /// element of many is 1), into a byte each; false if one of them is none.
  template <typename Real> bool asBytes(SampleValues &into) const {
    constexpr size_t piece = 1 << 16;
    std::vector<int8_t> values;
    std::vector<Real> reals;
    for (size_t at = 0; at < header.elements; at += piece) {
      reals.resize(std::min(piece, size_t(header.elements) - at));
      file.readAt(header.dataBegin + at * sizeof(Real),
                  reinterpret_cast<char *>(reals.data()),
                  reals.size() * sizeof(Real));
      if (at == 0)
        values.reserve(header.elements);
      for (const Real real : reals) {
        if (!(real >= -128 && real <= 127) ||
            static_cast<Real>(static_cast<int8_t>(real)) != real)
          return false;
        values.push_back(static_cast<int8_t>(real));
      }
    }
    into = SampleValues(std::move(values));
    return true;
  }

  /// False where the type is none of those that SampleValues has.
  bool read(SampleValues &into) const {
    const auto [type, bytes, bigEndian] = header.type;
    if ((bigEndian && bytes > 1) ||
        (header.fortranOrder && header.shape.size() > 1))
      return false;
    switch (type) {
    case 'u':
      if (bytes > 2)
        return bytes == 4 ? narrow<uint32_t>(into) : narrow<uint64_t>(into);
      into = bytes == 1 ? plain<uint8_t>() : plain<uint16_t>();
      return true;
    case 'i':
      if (bytes == 8)
        return narrow<int64_t>(into);
      into = bytes == 1   ? plain<int8_t>()
             : bytes == 2 ? plain<int16_t>()
                          : plain<int32_t>();
      return true;
    case 'f':
      if (bytes == 2)
        return false;
      if (header.elements > kMany &&
          (bytes == 4 ? asBytes<float>(into) : asBytes<double>(into)))
        return true;
      into = bytes == 4 ? plain<float>() : plain<double>();
      return true;
    case 'b':
      into = plain<uint8_t>();
      return into.visit([](const auto &values) {
        return std::all_of(values.begin(), values.end(),
                           [](double v) { return v <= 1; });
      });
    default:
      return false;
    }
  }
};

} // namespace

Samples loadSamples(const std::string &path, const std::vector<uint64_t> &shape,
                    const std::string &where) {
  InputFile file(path, npy::kMaxFile);
  npy::Header header = npy::readHeader(file);
  Samples samples = frameOf(header.shape, shape, where);
  return withMemoryFor(path, [&] {
    if (Elements{file, header, where}.read(samples.values))
      return std::move(samples);
    return toSamples(loadNpy(path), shape, where);
  });
}

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
