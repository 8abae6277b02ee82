// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model's input as it comes from a file: samples of steps of values.

#ifndef DENDROLITH_RUNTIME_HOST_SIGNALS_H
#define DENDROLITH_RUNTIME_HOST_SIGNALS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace dendrolith {

// The values of a model's input in the type that their file had: an event that
// is a byte there stays a byte here.

/// Finite numbers of one type, each of which a double holds exactly. Copies
/// share them until one is changed.
class SampleValues {
public:
  SampleValues() : SampleValues(std::vector<double>()) {}
  SampleValues(std::initializer_list<double> values)
      : SampleValues(std::vector<double>(values)) {}
  template <typename T>
  SampleValues(std::vector<T> values)
      : numbers(std::make_shared<Numbers>(std::move(values))) {}

  /// Calls `visitor` with the vector of the type at hand, which a loop over
  /// many values needs to look for only once.
  template <typename Visitor> auto visit(Visitor visitor) const {
    return std::visit(visitor, *numbers);
  }
  size_t size() const {
    return visit([](const auto &all) { return all.size(); });
  }
  double operator[](size_t i) const {
    return visit([i](const auto &all) { return static_cast<double>(all[i]); });
  }
  /// Makes one value 0.
  void clear(size_t i);
  /// The first `count` values, which are so many or more.
  SampleValues first(size_t count) const;

  bool operator==(const SampleValues &other) const {
    return numbers == other.numbers || *numbers == *other.numbers;
  }

private:
  using Numbers = std::variant<std::vector<double>, std::vector<float>,
                               std::vector<int32_t>, std::vector<int16_t>,
                               std::vector<uint16_t>, std::vector<int8_t>,
                               std::vector<uint8_t>>;
  std::shared_ptr<Numbers> numbers;
};

/// The index of the first value that is neither 0 nor 1; their number if there
/// is none. A block at a time, which compilers make vectors of.
inline size_t firstNoEvent(const SampleValues &values) {
  return values.visit([](const auto &all) {
    constexpr size_t block = 1 << 12;
    const auto *at = all.data(), *const end = at + all.size();
    while (at != end) {
      const auto *const last = at + std::min(size_t(block), size_t(end - at));
      bool other = false;
      for (const auto *each = at; each != last; ++each)
        other |= (*each != 0) & (*each != 1);
      if (other)
        break;
      at = last;
    }
    while (at != end && (*at == 0 || *at == 1))
      ++at;
    return size_t(at - all.data());
  });
}

/// Finite values, row-major (samples, steps, *shape).
struct Samples {
  uint64_t samples = 0, steps = 0;
  std::vector<uint64_t> shape; // of one step
  SampleValues values;
  /// The values are ids, (samples, steps), each below width(): a step is 1 at
  /// the element of its id and 0 elsewhere.
  bool tokens = false;

  /// Values in one step: the product of `shape`.
  uint64_t width() const;
  /// Numbers that are kept of one step: one id, or all values.
  uint64_t stored() const { return tokens ? 1 : width(); }
  /// Index of the first of the stored() numbers of one step.
  uint64_t begin(uint64_t sample, uint64_t step) const {
    return (sample * steps + step) * stored();
  }
  double at(uint64_t sample, uint64_t step, uint64_t element) const {
    const uint64_t first = begin(sample, step);
    return tokens ? double(values[first] == double(element))
                  : values[first + element];
  }
  /// Leaves the first `count` samples, of as many or more.
  void keep(uint64_t count) {
    samples = count;
    values = values.first(samples * steps * stored());
  }
};

/// The name under which a network without inputs is given the samples and root
/// ticks of a run; they have no values.
inline const std::string kNoInput;

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_SIGNALS_H
