// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks the programs of vector neuron cores: their memories and outputs,
// and the data of the groups that run them.

#include "runtime/validate/Check.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

using namespace dendrolith;
using namespace dendrolith::micro;
using Emission = image::Microprogram::Emission;

namespace {

constexpr uint64_t kMaxElements = check::kMaxElements;
constexpr uint64_t kMaxWords = uint64_t(1) << 22; // in one memory

/// Probes and traces find what they show by its name.
void checkOwnName(const std::string &place, const std::string &name,
                  std::set<std::string> &names) {
  check::checkName(place, name);
  if (!names.insert(name).second)
    throw Error(fmt::format("{}: another one is called '{}'", place, name));
}

/// Checks elements and bits of a port, state or parameter, and adds up their
/// words.
template <typename Entry>
void checkVector(const std::string &place, const Entry &entry,
                 std::set<std::string> &names, uint64_t &words) {
  checkOwnName(place, entry.name(), names);
  if (entry.elements() < 1 || entry.elements() > kMaxElements)
    throw Error(fmt::format("{}: expected 1 to {} elements, found {}", place,
                            kMaxElements, entry.elements()));
  if (entry.width() < 1 || entry.width() > 64)
    throw Error(fmt::format("{}: expected a width of 1 to 64 bits, found {}",
                            place, entry.width()));
  words += entry.elements();
  if (words > kMaxWords)
    throw Error(fmt::format("{}: expected at most {} words of a kind, found "
                            "more",
                            place, kMaxWords));
}

void checkOutput(const std::string &place, const Emission &output,
                 std::set<std::string> &names, check::ProgramShape &shape) {
  checkOwnName(place, output.name(), names);
  auto refuse = [&](const std::string &what) {
    throw Error(place + ": " + what);
  };
  constexpr int64_t bound = int64_t(1) << 31;
  if (output.elements() < 1 || output.elements() > kMaxElements)
    refuse(fmt::format("expected 1 to {} elements, found {}", kMaxElements,
                       output.elements()));
  if (output.low() > output.high() || output.low() < -bound ||
      output.high() >= bound)
    refuse(fmt::format("expected a range within 32-bit integers, found {} to "
                       "{}",
                       output.low(), output.high()));
  int64_t largest = std::max(std::abs(output.low()), std::abs(output.high()));
  bool unary =
      output.kind() == Emission::UNARY || output.kind() == Emission::SPLIT;
  if (output.kind() == Emission::BINARY &&
      (output.low() != 0 || output.high() != 1))
    refuse(fmt::format("expected a binary output to send 0 and 1, found {} to "
                       "{}",
                       output.low(), output.high()));
  int64_t steps = std::max<int64_t>(output.steps(), 1);
  if (steps != (unary ? std::max<int64_t>(largest, 1) : 1))
    refuse(fmt::format("expected to send over {} steps, found {}",
                       unary ? largest : 1, steps));
  shape.steps = std::max<uint64_t>(shape.steps, static_cast<uint64_t>(steps));
  shape.payload =
      std::max<uint64_t>(shape.payload, static_cast<uint64_t>(largest));
  shape.sources +=
      uint64_t(output.elements()) * (output.kind() == Emission::SPLIT ? 2 : 1);
  if (shape.sources > kMaxWords)
    refuse(fmt::format("expected at most {} sources of a neuron", kMaxWords));
}

/// Checks the int64 words of a neuron or of all, each within `width` bits.
void checkWords(const std::string &place, const std::string &bytes,
                uint64_t elements, uint64_t count, bool shared, bool each,
                unsigned width) {
  std::vector<int64_t> words;
  try {
    words = decodeI64(bytes);
  } catch (const Error &error) {
    throw Error(place + ": " + error.what());
  }
  bool good = (shared && words.size() == elements) ||
              (each && words.size() == elements * count);
  if (!good)
    throw Error(fmt::format("{}: expected {} words for each of {}, found {}",
                            place, elements,
                            each ? fmt::format("{} neurons", count)
                                 : std::string("all neurons together"),
                            words.size()));
  // Booleans are 0 or 1 in one bit.
  int64_t high = width == 64  ? INT64_MAX
                 : width == 1 ? 1
                              : (int64_t(1) << (width - 1)) - 1;
  int64_t low = width == 64 ? INT64_MIN : -(int64_t(1) << (width - 1));
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i] < low || words[i] > high)
      throw Error(fmt::format("{}, word {}: expected {} bits, found {}", place,
                              i, width, words[i]));
}

} // namespace

check::ProgramShape
check::checkMicroprogram(const std::string &place,
                         const image::Microprogram &program) {
  ProgramShape shape;
  constexpr uint32_t often = 1 << 20; // updates between clearings or resets
  auto within = [&](const std::string &here, uint32_t value) {
    if (value > often)
      throw Error(fmt::format("{}: expected at most {} updates, found {}", here,
                              often, value));
  };
  if (!program.model().empty())
    checkName(place + ", model", program.model());
  std::set<std::string> ports, states, params, outputs;
  for (int i = 0; i < program.ports_size(); ++i) {
    std::string here = fmt::format("{}, port {}", place, i);
    checkVector(here, program.ports(i), ports, shape.accumulators);
    within(here, program.ports(i).hold());
  }
  for (int i = 0; i < program.states_size(); ++i) {
    std::string here = fmt::format("{}, state {}", place, i);
    checkVector(here, program.states(i), states, shape.states);
    within(here, program.states(i).reset_every());
  }
  for (int i = 0; i < program.params_size(); ++i)
    checkVector(fmt::format("{}, parameter {}", place, i), program.params(i),
                params, shape.params);
  for (int i = 0; i < program.outputs_size(); ++i)
    checkOutput(fmt::format("{}, output {}", place, i), program.outputs(i),
                outputs, shape);
  if (program.registers() > kMaxElements)
    throw Error(fmt::format("{}: expected at most {} registers, found {}",
                            place, kMaxElements, program.registers()));
  std::vector<Instruction> code;
  std::vector<int64_t> constants;
  try {
    code = decodeCode(program.code());
    constants = decodeI64(program.constants());
  } catch (const Error &error) {
    throw Error(place + ", " + error.what());
  }
  if (program.names_size() != 0 &&
      static_cast<size_t>(program.names_size()) != code.size())
    throw Error(fmt::format("{}: expected no or {} names, found {}", place,
                            code.size(), program.names_size()));
  for (int i = 0; i < program.names_size(); ++i)
    if (!program.names(i).empty())
      checkName(fmt::format("{}, name {}", place, i), program.names(i));
  shape.work = checkCode(place, program, code, constants);
  return shape;
}

void check::checkMicrocode(const std::string &place,
                           const image::Microcode &microcode,
                           const image::Microprogram &program, uint32_t count) {
  if (microcode.params_size() != program.params_size())
    throw Error(fmt::format("{}: expected words of {} parameters, found {}",
                            place, program.params_size(),
                            microcode.params_size()));
  if (microcode.initial_size() != program.states_size())
    throw Error(fmt::format("{}: expected initial words of {} states, found {}",
                            place, program.states_size(),
                            microcode.initial_size()));
  for (int i = 0; i < program.params_size(); ++i) {
    const auto &param = program.params(i);
    checkWords(fmt::format("{}, parameter {}", place, i), microcode.params(i),
               param.elements(), count, !param.per_neuron(), param.per_neuron(),
               param.width());
  }
  for (int i = 0; i < program.states_size(); ++i)
    if (!microcode.initial(i).empty())
      checkWords(fmt::format("{}, initial value {}", place, i),
                 microcode.initial(i), program.states(i).elements(), count,
                 true, true, program.states(i).width());
}
