// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/study/Designs.h"

#include "targets/support/Error.h"

#include <boost/random/sobol.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <random>
#include <set>

namespace dendrolith::explore {
namespace {

uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    return std::numeric_limits<uint64_t>::max();
  return product;
}

std::vector<std::vector<size_t>> stepsOf(const Study &study) {
  const auto numberOf = [&](const std::string &name) {
    size_t i = 0;
    while (study.axes[i].name != name)
      ++i;
    return i;
  };
  std::vector<std::vector<size_t>> steps;
  for (size_t i = 0; i < study.axes.size(); ++i) {
    std::vector<size_t> group = {i};
    for (const auto &names : study.together)
      if (std::find(names.begin(), names.end(), study.axes[i].name) !=
          names.end()) {
        group.clear();
        for (const std::string &name : names)
          group.push_back(numberOf(name));
        std::sort(group.begin(), group.end());
      }
    if (group.front() == i)
      steps.push_back(std::move(group));
  }
  return steps;
}

/// The number of the baseline's value on axes that change together.
uint32_t baselineIndex(const Study &study, const std::vector<size_t> &group) {
  std::optional<uint32_t> number;
  for (size_t i : group) {
    const Axis &axis = study.axes[i];
    const auto given = study.baseline.find(axis.name);
    if (given == study.baseline.end())
      continue;
    const uint32_t here = uint32_t(
        std::find(axis.values.begin(), axis.values.end(), given->second) -
        axis.values.begin());
    if (number && *number != here)
      throw Error(fmt::format("the baseline gives '{}' a value that does not "
                              "go together with that of '{}'",
                              axis.name, study.axes[group.front()].name));
    number = here;
  }
  return number.value_or(0);
}

Choices oneAtATime(const Study &study,
                   const std::vector<std::vector<size_t>> &steps,
                   const Sizes &sizes) {
  std::vector<uint32_t> baseline;
  for (const auto &group : steps)
    baseline.push_back(baselineIndex(study, group));
  Choices choices = {baseline};
  for (size_t i = 0; i < sizes.size(); ++i)
    for (uint32_t value = 0; value < sizes[i]; ++value)
      if (value != baseline[i]) {
        choices.push_back(baseline);
        choices.back()[i] = value;
      }
  return choices;
}

std::optional<Choices> sampledOf(const Study &study,
                                 const std::vector<std::vector<size_t>> &steps,
                                 const Sizes &sizes) {
  const Strategy &strategy = study.strategy;
  uint64_t all = 1;
  for (uint64_t size : sizes)
    all = times(all, size);
  const auto count = [&](const char *word) {
    if (strategy.points > all)
      throw Error(fmt::format("{}: {} asks for more designs than the {} that "
                              "there are; use grid",
                              word, strategy.points, all));
    return strategy.points;
  };
  switch (strategy.method) {
  case Strategy::Method::Grid:
    return std::nullopt;
  case Strategy::Method::OneAtATime:
    return oneAtATime(study, steps, sizes);
  case Strategy::Method::Random:
    return randomChoices(sizes, count("random"), study.seed);
  case Strategy::Method::Latin:
    return latinChoices(sizes, count("latin"), study.seed);
  case Strategy::Method::Sobol:
    return sobolChoices(sizes, count("sobol"), study.seed);
  case Strategy::Method::File:
    return strategy.rows;
  case Strategy::Method::Ask:
    break;
  }
  return Choices(); // somebody else chooses
}

} // namespace

uint64_t countWithoutBudget(const Study &study) {
  using Method = Strategy::Method;
  const Method method = study.strategy.method;
  uint64_t choices = 1;
  if (method == Method::Grid)
    for (const auto &group : stepsOf(study))
      choices = times(choices, study.axes[group.front()].values.size());
  else if (method == Method::Random || method == Method::Latin ||
           method == Method::Sobol)
    choices = study.strategy.points;
  return times(times(choices, study.repeat),
               times(study.models.size(), study.targets.size()));
}

Designs::Designs(const Study &asked)
    : study(asked), where(asked.where, vocabularyOf(asked), {asked.file}),
      steps(stepsOf(asked)) {
  study.strategy.rows.clear();
  Sizes sizes;
  for (const auto &group : steps)
    sizes.push_back(study.axes[group.front()].values.size());
  sampled = sampledOf(asked, steps, sizes);
  choices = 1;
  for (uint64_t size : sizes)
    choices = times(choices, size);
  if (sampled)
    choices = sampled->size();
  count = times(times(choices, study.repeat),
                times(study.models.size(), study.targets.size()));
  count = withinBudget();
}

uint64_t Designs::withinBudget() const {
  if (study.mostPoints == 0 || count <= study.mostPoints)
    return count;
  if (study.where.empty())
    return study.mostPoints;
  uint64_t admitted = 0, index = 0;
  for (; index < count && admitted < study.mostPoints; ++index)
    admitted += where.holds(at(index));
  return index;
}

std::vector<size_t> Designs::choiceOf(uint64_t index) const {
  std::vector<size_t> choice(steps.size());
  if (sampled)
    std::copy((*sampled)[index].begin(), (*sampled)[index].end(),
              choice.begin());
  else
    for (size_t i = steps.size(); i-- > 0;) {
      const uint64_t size = study.axes[steps[i].front()].values.size();
      choice[i] = index % size;
      index /= size;
    }
  return choice;
}

Design Designs::at(uint64_t index) const {
  Design design;
  design.repeat = index % study.repeat;
  index /= study.repeat;
  const std::vector<size_t> choice = choiceOf(index % choices);
  index /= choices;
  design.target = study.targets[index % study.targets.size()];
  design.model = study.models[index / study.targets.size()].name;
  std::vector<size_t> values(study.axes.size());
  for (size_t i = 0; i < steps.size(); ++i)
    for (size_t axis : steps[i])
      values[axis] = choice[i];
  for (size_t i = 0; i < study.axes.size(); ++i)
    design.values.emplace_back(study.axes[i].name,
                               study.axes[i].values[values[i]]);
  return design;
}

std::optional<std::string> Designs::excluded(const Design &design) const {
  if (where.holds(design))
    return std::nullopt;
  return "where: " + study.where;
}

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
