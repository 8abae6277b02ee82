// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/lava/Kwargs.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dendrolith::lava {

namespace {

std::string kindOf(const Value &value) {
  switch (value.kind_case()) {
  case Value::kInteger:
    return fmt::format("{}", value.integer());
  case Value::kReal:
    return fmt::format("{}", value.real());
  case Value::kFlag:
    return value.flag() ? "True" : "False";
  case Value::kText:
    return "'" + value.text().substr(0, 40) + "'";
  case Value::kTensor: {
    const auto &dims = value.tensor().dims();
    return fmt::format("a tensor of {} {}", value.tensor().dtype(),
                       shapeText({dims.begin(), dims.end()}));
  }
  case Value::kIntegers:
    return fmt::format("a tuple of {}", value.integers().values_size());
  case Value::KIND_NOT_SET:
    break;
  }
  return "nothing";
}

std::string rangeName(Range range) {
  return fmt::format("{} to {}", range.first, range.second);
}

} // namespace

std::string className(const std::string &lavaClass) {
  return lavaClass.substr(lavaClass.rfind('.') + 1);
}

Kwargs::Kwargs(const Process &process, const std::string &place)
    : process(process),
      who(fmt::format("{}: process '{}' ({})", place, process.name(),
                      className(process.lava_class()))),
      known{"name"} {}

std::string Kwargs::name(const std::string &key) const {
  return fmt::format("{}: keyword '{}'", who, key);
}

void Kwargs::fail(const std::string &key, const std::string &expected,
                  const std::string &found) const {
  throw KeywordError(
      fmt::format("{}: expected {}, found {}", name(key), expected, found));
}

bool Kwargs::has(const std::string &key) const {
  return process.kwargs().count(key) != 0;
}

const Value *Kwargs::find(const std::string &key, bool hasUsual) {
  known.insert(key);
  auto found = process.kwargs().find(key);
  if (found != process.kwargs().end())
    return &found->second;
  if (!hasUsual)
    throw Error(
        fmt::format("{}: has no keyword '{}', which it needs", who, key));
  return nullptr;
}

Array Kwargs::numbers(const std::string &key, const Value &value) {
  Array array;
  switch (value.kind_case()) {
  case Value::kInteger:
    array.integers = {value.integer()};
    break;
  case Value::kFlag:
    array.integers = {value.flag()};
    break;
  case Value::kReal:
    if (!std::isfinite(value.real()))
      fail(key, "a finite number", kindOf(value));
    array.isReal = true;
    array.reals = {value.real()};
    break;
  case Value::kTensor:
    array = readArray(value.tensor(), name(key));
    break;
  case Value::kIntegers:
    array.integers.assign(value.integers().values().begin(),
                          value.integers().values().end());
    array.dims = {array.integers.size()};
    break;
  default:
    fail(key, "a number or tensor", kindOf(value));
  }
  return array;
}

void Kwargs::check(const std::string &key, const Array &values, bool whole,
                   Range range) const {
  if (whole && values.isReal)
    fail(key, "integers (this class computes in fixed point)",
         values.size() == 1 ? fmt::format("{}", values.reals[0])
                            : "a tensor of reals");
  for (int64_t value : values.integers)
    if (value < range.first || value > range.second)
      fail(key, rangeName(range), fmt::format("{}", value));
}

int64_t Kwargs::integer(const std::string &key, std::optional<int64_t> usual,
                        Range range) {
  return integers(key, usual, 1, range)[0];
}

std::vector<int64_t> Kwargs::integers(const std::string &key,
                                      std::optional<int64_t> usual,
                                      uint64_t count, Range range) {
  const Value *value = find(key, usual.has_value());
  if (!value)
    return {*usual};
  Array array = numbers(key, *value);
  check(key, array, true, range);
  if (array.isSparse || (array.size() != 1 && array.size() != count))
    fail(key,
         count == 1 ? "one integer" : fmt::format("1 or {} integers", count),
         kindOf(*value));
  return std::move(array.integers);
}

std::vector<double> Kwargs::reals(const std::string &key,
                                  std::optional<double> usual, uint64_t count) {
  const Value *value = find(key, usual.has_value());
  if (!value)
    return {*usual};
  Array array = numbers(key, *value);
  if (array.isSparse || (array.size() != 1 && array.size() != count))
    fail(key, count == 1 ? "one number" : fmt::format("1 or {} numbers", count),
         kindOf(*value));
  if (!array.isReal)
    array.reals.assign(array.integers.begin(), array.integers.end());
  return std::move(array.reals);
}

double Kwargs::real(const std::string &key, std::optional<double> usual) {
  return reals(key, usual, 1)[0];
}

bool Kwargs::flag(const std::string &key, bool usual) {
  return integer(key, usual, {0, 1}) != 0;
}

std::vector<int64_t> Kwargs::tuple(const std::string &key,
                                   std::optional<int64_t> usual, size_t count,
                                   Range range) {
  std::vector<int64_t> values = integers(key, usual, count, range);
  if (values.size() == 1)
    values.assign(count, values[0]);
  return values;
}

std::optional<int64_t> Kwargs::member(const std::string &key,
                                      const std::vector<std::string> &names) {
  const Value *value = find(key, true);
  if (!value)
    return std::nullopt;
  if (value->kind_case() == Value::kText) {
    auto found = std::find(names.begin(), names.end(), value->text());
    if (found == names.end())
      fail(key, fmt::format("one of {}", fmt::join(names, ", ")),
           kindOf(*value));
    return found - names.begin();
  }
  return integer(key, 0, {0, int64_t(names.size()) - 1});
}

Array Kwargs::array(const std::string &key) {
  const Value &value = *find(key, false);
  if (value.kind_case() != Value::kTensor)
    fail(key, "a tensor", kindOf(value));
  return readArray(value.tensor(), name(key));
}

void Kwargs::only(const std::string &key, int64_t usual) {
  integer(key, usual, {usual, usual});
}

void Kwargs::finish() const {
  for (const auto &entry : process.kwargs())
    if (!known.count(entry.first))
      throw Error(fmt::format("{}: has keyword '{}', expected one of {}", who,
                              entry.first.substr(0, 40),
                              fmt::join(known, ", ")));
}

} // namespace dendrolith::lava
