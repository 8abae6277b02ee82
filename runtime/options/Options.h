// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of all options (Options.def), and the options of one command with
// the variables that take their values. Who reads a command line, a study, a
// tuning file or a request of the Python package sets values here by name.

#ifndef DENDROLITH_RUNTIME_OPTIONS_OPTIONS_H
#define DENDROLITH_RUNTIME_OPTIONS_OPTIONS_H

#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::options {

/// A command line that means nothing, whatever its files hold.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct OptionType {
  enum class Form { Flag, Truth, Text, File, Folder, Word, Count, Whole, Real };
  /// How many values follow the flag, and whether it may be given again.
  enum class Arity { None, One, Maybe, Pair, List, Each, Commas };
  Form form = Form::Text;
  Arity arity = Arity::One;
  bool required = false;
  double low = 0, high = 0; ///< of a number; equal where all are allowed
  const char *words = "";   ///< of a Word: "a|b|c"
  bool isNumber() const { return form >= Form::Count; }
};

enum class Place { Line, More, Tuning, Recipe };
enum class CompilerStage { None, Load, Quantise, Map };

/// A row of the table.
struct Option {
  std::string name;
  uint32_t commands = 0; ///< a bit for each command
  OptionType type;
  std::string standard, unit;
  Place place = Place::Line;
  CompilerStage stage = CompilerStage::None;
  std::string python, group, help;

  /// An argument by its place, "MODEL", and no flag.
  bool isArgument() const { return name[0] >= 'A' && name[0] <= 'Z'; }
  /// Whether it stands on the command line, and not in a file.
  bool isOnLine() const { return place < Place::Tuning; }
  /// "-o,--out", or the name of an argument.
  std::string spelled() const;
  /// The words that it takes; none where it takes any text.
  std::vector<std::string> choices() const;
  /// "FILE", "STEPS", "{a,b}": what stands behind the flag in a manual.
  std::string placeholder() const;
  /// Why a text is no value of it; empty where it is one.
  std::string wrong(const std::string &value) const;
};

struct CommandRow {
  std::string name, what, example;
};

const std::vector<CommandRow> &commandRows();
/// The rows of a command, in the order of the table.
std::vector<const Option *> rowsOf(const std::string &command);
/// The options of one command that are bound to something.
class CommandOptions {
public:
  using Values = std::vector<std::string>;
  using Take = std::function<void(const Values &)>;

  explicit CommandOptions(std::string command) : name(std::move(command)) {}
  CommandOptions(const CommandOptions &) = delete;
  CommandOptions &operator=(const CommandOptions &) = delete;

  const std::string &command() const { return name; }

  /// Gives the option's standard value to the variable, and every later one,
  /// too. The variable has to outlive this.
  void bind(const std::string &option, bool &value);
  void bind(const std::string &option, std::string &value);
  void bind(const std::string &option, Values &value);
  void bind(const std::string &option, double &value);
  void bind(const std::string &option, int32_t &value);
  void bind(const std::string &option, uint32_t &value);
  void bind(const std::string &option, uint64_t &value);
  /// For a value that is more than its text; it may throw Error.
  void bindTo(const std::string &option, Take take);
  /// The keys of a place, as "KEY=VALUE,KEY=VALUE" behind this option.
  void bindKeys(const std::string &option, Place place);

  /// Throws UsageError for a value that the option does not take.
  void set(const std::string &option, const Values &values);

  bool isGiven(const std::string &option) const { return given.count(option); }
  /// What is bound, in the order of the table.
  std::vector<const Option *> bound() const;
  /// The row of a bound option; null if there is none.
  const Option *find(const std::string &option) const;
  /// Values that were given to an option.
  const Values &valuesOf(const std::string &option) const;

  /// Says that two options do not go together.
  void exclude(const std::string &one, const std::string &other) {
    excluded.emplace_back(one, other);
  }
  /// Says that an option means nothing without another one.
  void require(const std::string &one, const std::string &other) {
    required.emplace_back(one, other);
  }
  /// Throws UsageError where what was given breaks what was said.
  void check() const;

private:
  const Option &row(const std::string &option) const;
  void checkMeaning() const;

  std::string name;
  std::map<std::string, Take> takes;
  std::map<std::string, Values> given;
  std::vector<std::pair<std::string, std::string>> excluded, required;
};

// What the help of an option takes from the importers of models.

/// The help of a row; that of a model names the kinds of files.
std::string helpOf(const Option &row);
/// The keys of --import with their help: the importers say them.
std::vector<std::pair<std::string, std::string>> importKeys();

} // namespace dendrolith::options

#endif // DENDROLITH_RUNTIME_OPTIONS_OPTIONS_H
