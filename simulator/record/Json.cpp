// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/Json.h"

#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace dendrolith::sim {

using nlohmann::json;

/// Finds line and column of the byte that the parser reports, counted from 1.
static std::string lineAndColumn(const std::string &text, size_t byte) {
  size_t line = 1, column = 1;
  for (size_t i = 0; i + 1 < byte && i < text.size(); ++i) {
    ++column;
    if (text[i] == '\n') {
      ++line;
      column = 1;
    }
  }
  return fmt::format("{}:{}", line, column);
}

json parseJson(const std::string &text, const std::string &where) {
  const int deepest = 64;
  // The parser takes a zero byte for the end.
  if (size_t at = text.find('\0'); at != text.npos)
    throw Error(fmt::format("{}:{}: expected JSON, found a zero byte", where,
                            lineAndColumn(text, at + 1)));
  std::vector<std::set<std::string>> keys; // of the objects being read
  auto check = [&](int depth, json::parse_event_t event, json &value) {
    if (depth > deepest)
      throw Error(fmt::format("{}: expected at most {} levels of nesting",
                              where, deepest));
    if (event == json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == json::parse_event_t::key &&
             !keys.back().insert(value.get<std::string>()).second)
      throw Error(fmt::format("{}: key '{}' occurs twice in one object", where,
                              printable(value.get<std::string>())));
    return true;
  };
  try {
    return json::parse(text, check);
  } catch (const json::parse_error &error) {
    throw Error(fmt::format("{}:{}: expected JSON, found a syntax error; was "
                            "the file cut short or edited?",
                            where, lineAndColumn(text, error.byte)));
  } catch (const json::exception &error) {
    throw Error(fmt::format("{}: expected JSON with numbers in range, found {}",
                            where, error.what()));
  }
}

const json &member(const json &value, const std::string &key,
                   const std::string &where) {
  if (!value.is_object())
    throw Error(fmt::format("{}: expected an object, found {}", where,
                            value.type_name()));
  auto found = value.find(key);
  if (found == value.end())
    throw Error(fmt::format("{}: expected a member '{}', found none", where,
                            printable(key)));
  return *found;
}

uint64_t readCount(const json &value, const std::string &where) {
  const uint64_t most = (uint64_t(1) << 63) - 1;
  if (value.is_number_unsigned() && value.get<uint64_t>() <= most)
    return value.get<uint64_t>();
  // A value that was built in memory may hold small numbers as signed.
  if (value.is_number_integer() && !value.is_number_unsigned() &&
      value.get<int64_t>() >= 0)
    return static_cast<uint64_t>(value.get<int64_t>());
  throw Error(fmt::format("{}: expected an integer from 0 to 2^63 - 1, found "
                          "{}",
                          where,
                          value.is_number() ? value.dump()
                                            : std::string(value.type_name())));
}

} // namespace dendrolith::sim
