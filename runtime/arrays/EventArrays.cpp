// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/EventArrays.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace dendrolith {

bool EventArrays::isArchive(const std::string &path) {
  const std::string ending = ".npz";
  return path.size() > ending.size() &&
         path.compare(path.size() - ending.size(), path.npos, ending) == 0;
}

EventArrays::EventArrays(const std::string &path) : path(path) {
  const std::vector<std::string> known = {"t", "ch",     "x",     "y",
                                          "p", "sample", "begin", "steps"};
  std::vector<std::string> found = listNpz(path);
  if (std::find(found.begin(), found.end(), "t") == found.end())
    throw Error(fmt::format(
        "{}: expected events (arrays t and ch, or t and x, y, p; sample or "
        "begin) or a study network's input (in_t and in_id beside row_ptr, "
        "col, "
        "...), found {}; give a .npy file for dense input",
        path, printable(fmt::format("{}", fmt::join(found, ", ")), 256)));
  for (const std::string &name : found)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(fmt::format("{}: '{}': no array of events has that name; "
                              "expected some of {}",
                              path, printable(name), fmt::join(known, ", ")));
  arrays = loadNpz(path);
  events = arrays.at("t").size();
  for (const auto &[name, array] : arrays) {
    if (!array.isInteger())
      throw Error(fmt::format("{}: '{}': expected integers{}", path, name,
                              name == "t" ? ", the steps of the events; divide "
                                            "times by the length of a step"
                                          : ""));
    const bool one = name == "steps";
    if (array.shape.size() != (one ? 0 : 1) ||
        (!one && name != "begin" && array.size() != events))
      throw Error(fmt::format(
          "{}: '{}': expected {}, found shape {}", path, name,
          one ? "one number"
          : name == "begin"
              ? "one axis"
              : fmt::format("one number for each of {} events", events),
          shapeText(array.shape)));
  }
}

const std::vector<int64_t> &
EventArrays::numbers(const std::string &name) const {
  return arrays.at(name).ints;
}

uint64_t EventArrays::number(const std::string &name, uint64_t event,
                             uint64_t limit) const {
  const int64_t value = numbers(name)[event];
  if (value < 0 || uint64_t(value) >= limit)
    throw Error(fmt::format("{}: '{}': expected 0 to {}, found {} as event {}",
                            path, name, limit - 1, value, event));
  return uint64_t(value);
}

std::vector<uint64_t> EventArrays::samplesOfEvents(uint64_t &samples) const {
  std::vector<uint64_t> sample(events);
  samples = 1;
  if (arrays.count("sample") && arrays.count("begin"))
    throw Error(path + ": expected 'sample' or 'begin', found both");
  if (arrays.count("sample")) {
    for (uint64_t e = 0; e < events; ++e) {
      sample[e] = number("sample", e, kMaxArrayElements);
      samples = std::max(samples, sample[e] + 1);
    }
  } else if (arrays.count("begin")) {
    const std::vector<int64_t> &begin = numbers("begin");
    if (begin.size() < 2 || begin.front() != 0 ||
        begin.back() != int64_t(events) ||
        !std::is_sorted(begin.begin(), begin.end()))
      throw Error(fmt::format("{}: 'begin': expected rising numbers from 0 to "
                              "{}, the number of events, found others",
                              path, events));
    samples = begin.size() - 1;
    for (uint64_t s = 0; s < samples; ++s)
      std::fill(sample.begin() + begin[s], sample.begin() + begin[s + 1], s);
  }
  return sample;
}

Samples EventArrays::toSamples(const std::vector<uint64_t> &shape) const {
  static const char *const axes[] = {"p", "y", "x"};
  const bool flat = arrays.count("ch");
  std::vector<std::string> names = {"ch"};
  std::vector<uint64_t> limits = {product(shape)};
  if (!flat && shape.size() >= 1 && shape.size() <= 3) {
    names.assign(axes + 3 - shape.size(), axes + 3);
    limits = shape;
  }
  for (const char *name : {"ch", "p", "y", "x"}) {
    const bool wanted =
        std::find(names.begin(), names.end(), name) != names.end();
    if (wanted != (arrays.count(name) > 0))
      throw Error(fmt::format(
          "{}: expected the arrays {} for steps of shape {}, {} '{}'", path,
          fmt::join(names, ", "), shapeText(shape),
          wanted ? "found no" : "found also", name));
  }

  Samples result;
  result.shape = shape;
  std::vector<uint64_t> sample = samplesOfEvents(result.samples);
  for (uint64_t e = 0; e < events; ++e)
    result.steps =
        std::max(result.steps, number("t", e, kMaxArrayElements) + 1);
  if (arrays.count("steps")) {
    const int64_t steps = numbers("steps").front();
    if (steps < int64_t(result.steps))
      throw Error(fmt::format("{}: 'steps': expected at least {}, the step of "
                              "the last event + 1, found {}",
                              path, result.steps, steps));
    result.steps = uint64_t(steps);
  }
  const uint64_t width = result.width();
  if (result.steps == 0)
    throw Error(path + ": expected at least one event, or 'steps', found none");
  if (width == 0 || result.steps > kMaxArrayElements / result.samples / width)
    throw Error(fmt::format("{}: expected at most {} values in all, found {} "
                            "samples of {} steps of shape {}",
                            path, kMaxArrayElements, result.samples,
                            result.steps, shapeText(shape)));
  std::vector<uint8_t> values(result.samples * result.steps * width);
  for (uint64_t e = 0; e < events; ++e) {
    uint64_t place = 0;
    for (size_t axis = 0; axis < names.size(); ++axis)
      place = place * limits[axis] + number(names[axis], e, limits[axis]);
    uint8_t &value =
        values[result.begin(sample[e], uint64_t(numbers("t")[e])) + place];
    if (value == UINT8_MAX)
      throw Error(fmt::format("{}: expected at most 255 events of one place "
                              "and step, found more (event {})",
                              path, e));
    ++value;
  }
  result.values = std::move(values);
  return result;
}

} // namespace dendrolith
