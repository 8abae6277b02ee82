// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/options/Options.h"

#include "compiler/import/Import.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dendrolith::options {
namespace {

using Form = OptionType::Form;
using Arity = OptionType::Arity;

// The words of Options.def; a command's bit is its place among the commands.
enum : uint32_t {
  COMPILE = 1 << 0,
  CHECK = 1 << 1,
  RUN = 1 << 2,
  EXPORT = 1 << 3,
  REPORT = 1 << 4,
  TUNE = 1 << 5,
  EXPLORE = 1 << 6,
  GENERATE = 1 << 7,
  PLAN = 1 << 8,
  TARGETS = 1 << 9,
  SILICON = 1 << 10,
  CALIBRATE = 1 << 11,
  COMPLETION = 1 << 13,
  MAN = 1 << 14,
  DEMO = 1 << 15,
  DOCTOR = 1 << 16,
  CAPSULE = 1 << 18,
  VERIFY = 1 << 19,
  COSIM = 1 << 20,
  MODELS = COMPILE | CHECK | RUN | EXPORT | TUNE | COSIM
};

constexpr OptionType flag = {Form::Flag, Arity::None};
constexpr OptionType truth = {Form::Truth};
constexpr OptionType text = {Form::Text};
constexpr OptionType file = {Form::File};
constexpr OptionType folder = {Form::Folder};
constexpr OptionType number = {Form::Real};
constexpr OptionType integer = {Form::Whole};

constexpr OptionType word(const char *words) {
  return {Form::Word, Arity::One, false, 0, 0, words};
}
constexpr OptionType count(double low, double high) {
  return {Form::Count, Arity::One, false, low, high};
}
constexpr OptionType real(double low, double high) {
  return {Form::Real, Arity::One, false, low, high};
}
constexpr OptionType with(OptionType type, Arity arity) {
  type.arity = arity;
  return type;
}
constexpr OptionType list(OptionType type) { return with(type, Arity::List); }
constexpr OptionType each(OptionType type) { return with(type, Arity::Each); }
constexpr OptionType pair(OptionType type) { return with(type, Arity::Pair); }
constexpr OptionType maybe(OptionType type) { return with(type, Arity::Maybe); }
constexpr OptionType commas(OptionType type) {
  return with(type, Arity::Commas);
}
constexpr OptionType required(OptionType type) {
  type.required = true;
  return type;
}

const std::vector<Option> &table() {
  constexpr Place Line = Place::Line, More = Place::More,
                  Tuning = Place::Tuning, Recipe = Place::Recipe;
  constexpr CompilerStage None = CompilerStage::None,
                          Load = CompilerStage::Load,
                          Quantise = CompilerStage::Quantise,
                          Map = CompilerStage::Map;
  static const std::vector<Option> rows = {
#define OPTION(...) {__VA_ARGS__},
#include "runtime/options/Options.def"
  };
  return rows;
}

uint32_t bitOf(const std::string &command) {
  const auto &rows = commandRows();
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].name == command)
      return uint32_t(1) << i;
  return 0;
}

std::vector<std::string> split(const std::string &words, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= words.size();) {
    const size_t end = std::min(words.find(separator, begin), words.size());
    parts.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

template <typename T> bool readWhole(const std::string &value, T &into) {
  const char *end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, into);
  return error == std::errc() && stop == end;
}

bool readReal(const std::string &value, double &into) {
  char *end = nullptr;
  into = std::strtod(value.c_str(), &end);
  return !value.empty() && *end == 0 && std::isfinite(into);
}

/// "a whole number from 1 to 1024".
std::string expectedNumber(const OptionType &type) {
  const char *what = type.form == Form::Real ? "a number" : "a whole number";
  if (type.low == type.high)
    return what;
  return type.high > 1e18
             ? fmt::format("{} from {} on", what, type.low)
             : fmt::format("{} from {} to {}", what, type.low, type.high);
}

std::string wrongNumber(const OptionType &type, const std::string &value) {
  double number = 0;
  bool isGood = false;
  if (type.form == Form::Real) {
    isGood = readReal(value, number);
  } else if (type.form == Form::Count) {
    uint64_t counted = 0;
    isGood = readWhole(value, counted);
    number = double(counted);
  } else {
    int32_t signedNumber = 0;
    isGood = readWhole(value, signedNumber);
    number = signedNumber;
  }
  if (isGood &&
      (type.low == type.high || (number >= type.low && number <= type.high)))
    return {};
  return fmt::format("expected {}, found '{}'", expectedNumber(type),
                     printable(value));
}

} // namespace

const std::vector<CommandRow> &commandRows() {
  static const std::vector<CommandRow> rows = {
#define COMMAND(name, what, example) {name, what, example},
#include "runtime/options/Options.def"
  };
  return rows;
}

std::vector<const Option *> rowsOf(const std::string &command) {
  std::vector<const Option *> rows;
  for (const Option &option : table())
    if (option.commands & bitOf(command))
      rows.push_back(&option);
  return rows;
}

std::string Option::spelled() const {
  if (isArgument())
    return name;
  return name == "out" ? "-o,--out" : "--" + name;
}

std::vector<std::string> Option::choices() const {
  if (type.form == Form::Truth)
    return {"true", "false"};
  if (type.form != Form::Word)
    return {};
  return split(type.words, '|');
}

std::string Option::placeholder() const {
  if (type.form == Form::Flag)
    return {};
  if (const auto words = choices(); !words.empty())
    return fmt::format("{{{}}}", fmt::join(words, ","));
  std::string word = unit.empty() ? "" : unit;
  std::transform(word.begin(), word.end(), word.begin(), ::toupper);
  if (!word.empty())
    return word;
  switch (type.form) {
  case Form::File:
    return "FILE";
  case Form::Folder:
    return "FOLDER";
  case Form::Count:
  case Form::Whole:
  case Form::Real:
    return "NUMBER";
  default:
    return "TEXT";
  }
}

std::string Option::wrong(const std::string &value) const {
  // A zero byte would end a path, and a line's end a message.
  for (unsigned char c : value)
    if (c < 0x20 || c == 0x7f)
      return fmt::format("expected text without control characters, found {}",
                         quotedName(value));
  if (type.isNumber())
    return wrongNumber(type, value);
  if (const auto words = choices();
      !words.empty() &&
      std::find(words.begin(), words.end(), value) == words.end())
    return fmt::format("{} not in {{{}}}", printable(value),
                       fmt::join(words, ","));
  return value.empty() && type.form != Form::Flag && type.arity != Arity::Maybe
             ? "expected a value, found ''"
             : "";
}

const Option &CommandOptions::row(const std::string &option) const {
  for (const Option *each : rowsOf(name))
    if (each->name == option)
      return *each;
  throw std::logic_error("Options.def has no row '" + option + "' for " + name);
}

void CommandOptions::bindTo(const std::string &option, Take take) {
  row(option);
  takes[option] = std::move(take);
}

void CommandOptions::bind(const std::string &option, bool &value) {
  value = row(option).standard == "true";
  bindTo(option,
         [&value](const Values &given) { value = given.back() == "true"; });
}

void CommandOptions::bind(const std::string &option, std::string &value) {
  value = row(option).standard;
  bindTo(option, [&value](const Values &given) { value = given.back(); });
}

void CommandOptions::bind(const std::string &option, Values &value) {
  bindTo(option, [&value](const Values &given) { value = given; });
}

void CommandOptions::bind(const std::string &option, double &value) {
  readReal(row(option).standard, value);
  bindTo(option,
         [&value](const Values &given) { readReal(given.back(), value); });
}

/// For the three widths of whole numbers; a row without a standard value leaves
/// the variable as it is.
template <typename T>
static void bindWhole(CommandOptions &options, const std::string &option,
                      const std::string &standard, T &value) {
  readWhole(standard, value);
  options.bindTo(option, [&value](const CommandOptions::Values &given) {
    readWhole(given.back(), value);
  });
}

void CommandOptions::bind(const std::string &option, int32_t &value) {
  bindWhole(*this, option, row(option).standard, value);
}
void CommandOptions::bind(const std::string &option, uint32_t &value) {
  bindWhole(*this, option, row(option).standard, value);
}
void CommandOptions::bind(const std::string &option, uint64_t &value) {
  bindWhole(*this, option, row(option).standard, value);
}

void CommandOptions::bindKeys(const std::string &option, Place place) {
  bindTo(option, [this, option, place](const Values &texts) {
    std::vector<std::string> known;
    for (const Option *each : bound())
      if (each->place == place)
        known.push_back(each->name);
    for (const std::string &text : texts)
      for (const std::string &part : split(text, ',')) {
        const size_t equals = part.find('=');
        const std::string key = part.substr(0, equals);
        if (equals == part.npos ||
            std::find(known.begin(), known.end(), key) == known.end())
          throw UsageError(fmt::format(
              "--{}: expected KEY=VALUE,... with keys {}, found '{}'", option,
              fmt::join(known, ", "), printable(part)));
        set(key, {part.substr(equals + 1)});
      }
  });
}

void CommandOptions::set(const std::string &option, const Values &values) {
  const Option &row = this->row(option);
  for (const std::string &value : values)
    if (const std::string wrong = row.wrong(value); !wrong.empty())
      throw UsageError((row.isOnLine() ? "--" : "") + option + ": " + wrong);
  Values all = valuesOf(option);
  all.insert(all.end(), values.begin(), values.end());
  takes.at(option)(row.type.arity == Arity::Each ? all : values);
  given[option] = std::move(all);
}

std::vector<const Option *> CommandOptions::bound() const {
  std::vector<const Option *> rows = rowsOf(name);
  rows.erase(std::remove_if(
                 rows.begin(), rows.end(),
                 [&](const Option *row) { return !takes.count(row->name); }),
             rows.end());
  return rows;
}

const Option *CommandOptions::find(const std::string &option) const {
  return takes.count(option) ? &row(option) : nullptr;
}

const CommandOptions::Values &
CommandOptions::valuesOf(const std::string &option) const {
  static const Values none;
  const auto found = given.find(option);
  return found == given.end() ? none : found->second;
}

/// Where an option means something: the rows ONLY_WITH of the table.
struct OnlyWith {
  const char *option;
  uint32_t commands;
  const char *other, *words;
};
static constexpr OnlyWith kOnlyWith[] = {
#define ONLY_WITH(option, commands, other, words)                              \
  {option, commands, other, words},
#include "runtime/options/Options.def"
};

void CommandOptions::checkMeaning() const {
  for (const OnlyWith &row : kOnlyWith) {
    if (!(row.commands & bitOf(name)) || !isGiven(row.option))
      continue;
    const std::string value = isGiven(row.other)
                                  ? valuesOf(row.other).back()
                                  : this->row(row.other).standard;
    const std::vector<std::string> words = split(row.words, '|');
    if (std::find(words.begin(), words.end(), value) == words.end())
      throw UsageError(fmt::format(
          "--{} means nothing with{} --{}; choose --{} {}, or leave it out",
          row.option, value.empty() ? "out" : "",
          row.other + (value.empty() ? "" : " " + value), row.other,
          fmt::join(words, " or ")));
  }
}

void CommandOptions::check() const {
  checkMeaning();
  const auto flag = [&](const std::string &option) {
    return (row(option).isOnLine() ? "--" : "") + option;
  };
  for (const auto &[one, other] : excluded)
    if (isGiven(one) && isGiven(other))
      throw UsageError(flag(one) + " excludes " + flag(other));
  for (const auto &[one, other] : required)
    if (isGiven(one) && !isGiven(other))
      throw UsageError(flag(one) + " requires " + flag(other));
}

std::vector<std::pair<std::string, std::string>> importKeys() {
  std::vector<std::pair<std::string, std::string>> keys;
  for (const Importer &importer : importers())
    for (const Importer::Option &option : importer.options)
      keys.emplace_back(option.name, option.help);
  return keys;
}

std::string helpOf(const Option &row) {
  const std::string models = "{models}";
  const size_t begin = row.help.find(models);
  return begin == std::string::npos
             ? row.help
             : std::string(row.help).replace(begin, models.size(),
                                             importExtensions());
}

} // namespace dendrolith::options
