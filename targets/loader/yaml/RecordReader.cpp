// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/yaml/RecordReader.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace dendrolith::yaml {

Sources readSources(const Node &node) {
  if (node.type != Node::Type::Map)
    fail(node, "expected a map from short names to citations for 'sources', "
               "found " +
                   node.found());
  Sources sources;
  for (size_t i = 0; i < node.keys.size(); ++i)
    sources.emplace_back(node.keys[i].text,
                         readText(node.items[i], node.keys[i].text));
  return sources;
}

std::string readSource(const Node &node, const Sources &sources) {
  std::vector<std::string> keys;
  for (const auto &source : sources)
    keys.push_back(source.first);
  return readWord(node, "source", keys);
}

void RecordReader::record(const Fields &fields, const std::string &key,
                          const std::string &unit, const Parse &parse,
                          bool mayHaveBand) {
  std::vector<std::string> required = {"value", "kind", "source"};
  if (!unit.empty())
    required.insert(required.begin() + 1, "unit");
  const Node &node = fields.at(key);
  if (node.type == Node::Type::Scalar && !node.text.empty())
    fail(node, fmt::format("expected a record {{{}}} for '{}', found {}",
                           joinWords(required), key, node.found()));
  const bool hasBand = mayHaveBand && node.type == Node::Type::Map &&
                       (yaml::find(node, "low") || yaml::find(node, "high"));
  if (hasBand)
    required.insert(required.end(), {"low", "high"});
  Fields parts(node, key, required, {"note"});
  Record record;
  record.name = prefix.empty() ? key : prefix + "." + key;
  record.value = parse(parts.at("value"), key);
  if (hasBand) {
    record.low = parse(parts.at("low"), "low");
    record.high = parse(parts.at("high"), "high");
    const double value = readReal(parts.at("value"), key);
    if (readReal(parts.at("low"), "low") > value ||
        readReal(parts.at("high"), "high") < value)
      fail(parts.at("value"),
           fmt::format("'{}' of '{}' lies outside its own band of {} to {}; "
                       "change the value, or the ends",
                       record.value, key, record.low, record.high));
  }
  finish(parts, std::move(record), unit);
}

void RecordReader::finish(const Fields &parts, Record record,
                          const std::string &unit) {
  if (!unit.empty())
    record.unit = readWord(parts.at("unit"), "unit", {unit});
  record.kind = readKind(parts.at("kind"));
  record.source = readSource(parts.at("source"), sources);
  if (const Node *note = parts.find("note"))
    readText(*note, "note");
  out.push_back(std::move(record));
}

UnitNumber RecordReader::interval(const Fields &fields, const std::string &key,
                                  const std::string &unit,
                                  std::optional<uint64_t> *node) {
  const Node &whole = fields.at(key);
  const bool band =
      whole.type == Node::Type::Map && yaml::find(whole, "low") != nullptr;
  std::vector<std::string> required = {"unit", "kind", "source"};
  if (band)
    required.insert(required.begin(), {"low", "high"});
  else
    required.insert(required.begin(), "value");
  std::vector<std::string> optional = {"note"};
  if (node)
    optional.push_back("node");
  Fields parts(whole, key, required, optional);
  UnitNumber number;
  number.value.low = readReal(parts.at(band ? "low" : "value"), key);
  number.value.high = readReal(parts.at(band ? "high" : "value"), key);
  if (number.value.low > number.value.high)
    fail(parts.at("high"),
         fmt::format("the high end of '{}' is below its low end", key));
  if (const Node *at = node ? parts.find("node") : nullptr)
    *node = readUnsigned(*at, "node", 1, 1000);
  Record record;
  record.name = prefix + "." + key;
  record.value = band ? fmt::format("{} to {}", parts.at("low").text,
                                    parts.at("high").text)
                      : parts.at("value").text;
  finish(parts, std::move(record), unit);
  number.kind = out.back().kind;
  number.source = out.back().source;
  if (node && *node)
    out.back().unit += fmt::format(" at {} nm", **node);
  return number;
}

uint64_t RecordReader::number(const Fields &fields, const std::string &key,
                              const std::string &unit, uint64_t min,
                              uint64_t max) {
  std::optional<uint64_t> value; // the first that is read; then come its ends
  auto parse = [&](const Node &node, const std::string &what) {
    const uint64_t read = readUnsigned(node, what, min, max);
    value = value.value_or(read);
    return fmt::format("{}", read);
  };
  record(fields, key, unit, parse, true);
  return *value;
}

int64_t RecordReader::integer(const Fields &fields, const std::string &key,
                              const std::string &unit, int64_t min,
                              int64_t max) {
  int64_t value = 0;
  record(fields, key, unit, [&](const Node &node, const std::string &what) {
    value = readInteger(node, what, min, max);
    return fmt::format("{}", value);
  });
  return value;
}

std::optional<uint64_t> RecordReader::limit(const Fields &fields,
                                            const std::string &key,
                                            const std::string &unit,
                                            uint64_t min) {
  const Node &node = fields.at(key);
  if (node.type == Node::Type::Scalar && node.text == "unlimited") {
    Record record;
    record.name = prefix + "." + key;
    record.value = "unlimited";
    record.unit = unit;
    out.push_back(std::move(record));
    return std::nullopt;
  }
  return number(fields, key, unit, min);
}

bool RecordReader::flag(const Fields &fields, const std::string &key) {
  bool value = false;
  record(fields, key, "", [&](const Node &node, const std::string &what) {
    value = readFlag(node, what);
    return std::string(value ? "true" : "false");
  });
  return value;
}

std::vector<uint64_t> RecordReader::rising(const Fields &fields,
                                           const std::string &key,
                                           const std::string &unit,
                                           uint64_t max) {
  std::vector<uint64_t> values;
  record(fields, key, unit, [&](const Node &node, const std::string &what) {
    if (node.type != Node::Type::Sequence || node.items.empty())
      fail(node,
           fmt::format("expected a list of numbers for '{}', found {}", what,
                       node.items.empty() ? "nothing in it" : node.found()));
    for (const Node &item : node.items) {
      uint64_t value = readUnsigned(item, what, 0, max);
      if (!values.empty() && value <= values.back())
        fail(item, fmt::format("'{}' must rise, found {} after {}", what, value,
                               values.back()));
      values.push_back(value);
    }
    return fmt::format("[{}]", fmt::join(values, ", "));
  });
  return values;
}

std::vector<std::string>
RecordReader::words(const Fields &fields, const std::string &key,
                    const std::vector<std::string> &known, bool allowEmpty) {
  std::vector<std::string> values;
  record(fields, key, "", [&](const Node &node, const std::string &what) {
    if (node.type != Node::Type::Sequence)
      fail(node, fmt::format("expected a list of words for '{}', found {}",
                             what, node.found()));
    if (node.items.empty() && !allowEmpty)
      fail(node, fmt::format("'{}' is empty, expected at least one of {}", what,
                             joinWords(known)));
    for (const Node &item : node.items) {
      std::string word = readWord(item, what, known);
      if (std::find(values.begin(), values.end(), word) != values.end())
        fail(item, fmt::format("'{}' names '{}' twice", what, word));
      values.push_back(word);
    }
    return fmt::format("[{}]", joinWords(values));
  });
  return values;
}

} // namespace dendrolith::yaml
