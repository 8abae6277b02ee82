// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Sampling.h"

#include "targets/support/Error.h"

#include <boost/random/sobol.hpp>

#include <numeric>
#include <random>
#include <set>

namespace dendrolith::explore {
namespace {

using Random = std::mt19937_64; // its numbers are fixed by the standard

__extension__ typedef unsigned __int128 Wide;

/// The part of 0 to `size` that `fraction` of 2^64 falls into.
uint64_t part(uint64_t fraction, uint64_t size) {
  return uint64_t((Wide(fraction) * size) >> 64);
}

std::vector<uint64_t> shuffled(uint64_t count, Random &random) {
  std::vector<uint64_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (uint64_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[part(random(), i)]);
  return order;
}

/// Keeps the first of choices that are the same.
Choices distinct(Choices all) {
  std::set<std::vector<uint32_t>> seen;
  Choices kept;
  for (auto &choice : all)
    if (seen.insert(choice).second)
      kept.push_back(std::move(choice));
  return kept;
}

} // namespace

Choices randomChoices(const Sizes &sizes, uint64_t count, uint64_t seed) {
  Random random(seed);
  Wide all = 1;
  for (uint64_t size : sizes)
    all = all > (Wide(1) << 62) ? all : all * size;
  Choices choices;
  if (all <= 4 * Wide(count)) { // most would come again
    for (uint64_t number : shuffled(uint64_t(all), random)) {
      if (choices.size() == count)
        break;
      std::vector<uint32_t> choice(sizes.size());
      for (size_t i = sizes.size(); i-- > 0; number /= sizes[i])
        choice[i] = uint32_t(number % sizes[i]);
      choices.push_back(std::move(choice));
    }
    return choices;
  }
  std::set<std::vector<uint32_t>> seen;
  while (choices.size() < count) {
    std::vector<uint32_t> choice;
    for (uint64_t size : sizes)
      choice.push_back(uint32_t(part(random(), size)));
    if (seen.insert(choice).second)
      choices.push_back(std::move(choice));
  }
  return choices;
}

Choices latinChoices(const Sizes &sizes, uint64_t count, uint64_t seed) {
  Random random(seed);
  Choices choices(count);
  for (uint64_t size : sizes) {
    const std::vector<uint64_t> order = shuffled(count, random);
    for (uint64_t i = 0; i < count; ++i) {
      const Wide place = (Wide(order[i]) << 32) + (random() >> 32);
      choices[i].push_back(uint32_t((place * size / count) >> 32));
    }
  }
  return distinct(std::move(choices));
}

Choices sobolChoices(const Sizes &sizes, uint64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<uint64_t> shift(sizes.size());
  for (uint64_t &each : shift)
    each = random();
  try {
    boost::random::sobol sequence(sizes.size());
    Choices choices(count);
    for (auto &choice : choices)
      for (size_t i = 0; i < sizes.size(); ++i) {
        // Boost leaves out the first point, which is zero in all axes, and
        // without which the others are less even.
        const uint64_t point = &choice == choices.data() ? 0 : sequence();
        choice.push_back(uint32_t(part(point ^ shift[i], sizes[i])));
      }
    return distinct(std::move(choices));
  } catch (const std::exception &error) {
    throw Error(std::string("a Sobol sequence cannot have so many axes or "
                            "points: ") +
                error.what());
  }
}

} // namespace dendrolith::explore
