// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/common/MetaReader.h"

#include "targets/support/Error.h"
#include "targets/support/JsonText.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace dendrolith::npz {

using Json = nlohmann::json;

/// A place of an archive ends with what stands before a message.
static Json readMeta(Archive &archive) {
  const std::string place = archive.place("meta");
  return readJson<Json>(archive.text("meta"),
                        place.substr(0, place.rfind(':')));
}

MetaReader::MetaReader(Archive &archive)
    : json(std::make_shared<const Json>(readMeta(archive))),
      begin(archive.place("meta")) {
  if (!json->is_object())
    throw Error(begin + "expected a JSON object");
}

void MetaReader::fail(const std::string &key,
                      const std::string &expected) const {
  throw Error(fmt::format("{}\"{}\": expected {}, found {}", begin, key,
                          expected, json->at(key).dump()));
}

bool MetaReader::has(const std::string &key) const {
  return json->contains(key);
}

std::string MetaReader::text(const std::string &key,
                             const std::string &otherwise) const {
  if (!has(key))
    return otherwise;
  if (!json->at(key).is_string())
    fail(key, "a text");
  return json->at(key).get<std::string>();
}

size_t MetaReader::choice(const std::string &key, size_t otherwise,
                          const std::vector<std::string> &words,
                          const std::string &expected) const {
  if (!has(key))
    return otherwise;
  for (size_t i = 0; i < words.size(); ++i)
    if (text(key, "") == words[i])
      return i;
  fail(key, expected);
}

double MetaReader::number(const std::string &key, double otherwise) const {
  if (!has(key))
    return otherwise;
  if (!json->at(key).is_number())
    fail(key, "a number");
  return json->at(key).get<double>();
}

bool MetaReader::flag(const std::string &key, bool otherwise,
                      const std::string &expected) const {
  if (!has(key))
    return otherwise;
  const Json &value = json->at(key);
  if (value == Json(true) || value == Json(1))
    return true;
  if (value != Json(false) && value != Json(0))
    fail(key, expected);
  return false;
}

std::optional<int64_t> MetaReader::integer(const std::string &key, double least,
                                           double most,
                                           const std::string &expected) const {
  if (!has(key))
    return std::nullopt;
  double value = number(key, 0);
  if (!(value >= least && value <= most) || value != std::floor(value))
    fail(key, expected);
  return int64_t(value);
}

int64_t MetaReader::microSteps(int64_t otherwise) const {
  constexpr double kMost = 1024;
  return integer("n_micro", 1, kMost,
                 fmt::format("1 to {} micro steps per token", kMost))
      .value_or(otherwise);
}

void MetaReader::only(const std::vector<std::string> &read) const {
  static const std::vector<std::string> idle = {
      "neuron",  "name",    "task",     "d",       "k",         "dm",
      "da",      "d_m",     "d_a",      "ffx",     "width",     "H",
      "J",       "K",       "share",    "T",       "noise",     "steps",
      "lr",      "rate",    "wd",       "clip",    "bs",        "seed",
      "threads", "evalint", "wainit",   "gam0",    "thtrain",   "reg",
      "price",   "act",     "activity", "queries", "recurrent", "d_b",
      "batch",   "mantissa"};
  for (const auto &entry : json->items()) {
    auto isIn = [&](const std::vector<std::string> &keys) {
      return std::find(keys.begin(), keys.end(), entry.key()) != keys.end();
    };
    if (!isIn(read) && !isIn(idle))
      throw Error(fmt::format(
          "{}{}: expected one of the keys {} or one about training, found "
          "one that may change what the arrays mean; remove it if it does "
          "not",
          begin, quotedName(entry.key()), fmt::join(read, ", ")));
  }
}

void MetaReader::onlyNumber(const std::string &key, double value,
                            const char *why) const {
  if (has(key) && json->at(key) != Json(value) &&
      json->at(key) != Json(value != 0))
    fail(key, why);
}

bool isDecode(const std::string &text) {
  if (text == "mean")
    return true;
  return text.rfind("last=", 0) == 0 && text.size() > 5 && text.size() < 15 &&
         text[5] != '0' &&
         text.find_first_not_of("0123456789", 5) == std::string::npos;
}

} // namespace dendrolith::npz
