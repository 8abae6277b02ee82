// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/record/Json.h"

#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace dendrolith::sim {

using nlohmann::json;

json parseJson(const std::string &text, const std::string &where) {
  checkJsonText(text, where);
  std::vector<std::set<std::string>> keys; // of the objects being read
  auto check = [&](int, json::parse_event_t event, json &value) {
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
    failJsonSyntax(text, error.byte, where);
  } catch (const json::exception &error) {
    throw Error(fmt::format("{}: expected JSON with numbers in range, found {}",
                            where, jsonReason(error)));
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
