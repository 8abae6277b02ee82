// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/NeuronNumbers.h"

#include "runtime/image/Tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith {

NeuronNumbers::NeuronNumbers(const image::Program &program) {
  for (const image::Population &population : program.populations())
    if (!population.numbers().empty())
      numbers[population.name()] = decodeU32(population.numbers());
}

uint64_t NeuronNumbers::of(const image::Group &group, uint32_t neuron) const {
  auto known = numbers.find(group.population());
  uint64_t at = group.first_neuron() + neuron;
  return known == numbers.end() ? at : known->second[at];
}

std::vector<NumberRange>
NeuronNumbers::rangesOf(const image::Group &group) const {
  auto known = numbers.find(group.population());
  const uint64_t first = group.first_neuron();
  if (known == numbers.end())
    return {{first, first + group.count()}};
  auto begin = known->second.begin() + std::ptrdiff_t(first);
  std::vector<uint32_t> rising(begin, begin + group.count());
  std::sort(rising.begin(), rising.end());
  std::vector<NumberRange> ranges;
  for (uint32_t number : rising) {
    if (ranges.empty() || ranges.back().end != number)
      ranges.push_back({number, number});
    ++ranges.back().end;
  }
  return ranges;
}

std::string NeuronNumbers::textOf(const image::Group &group) const {
  constexpr size_t kShown = 8;
  const std::vector<NumberRange> ranges = rangesOf(group);
  std::string text = group.population() + "[";
  for (size_t r = 0; r < std::min(ranges.size(), kShown); ++r)
    text += fmt::format("{}{}..{}", r ? ", " : "", ranges[r].first,
                        ranges[r].end - 1);
  if (ranges.size() > kShown)
    text += fmt::format(", {} neurons in all", group.count());
  return text + "]";
}

} // namespace dendrolith
