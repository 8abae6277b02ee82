// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/microcode/Disassemble.h"

#include "runtime/microcode/Isa.h"

#include <fmt/format.h>

namespace dendrolith::micro {
namespace {

const char *nameOf(Rounding rounding) {
  static const char *const names[] = {"floor", "toward zero", "nearest even",
                                      "nearest up"};
  return names[static_cast<size_t>(rounding)];
}

const char *nameOf(Predicate predicate) {
  static const char *const names[] = {"==", "!=", "<", "<=", ">", ">="};
  return names[static_cast<size_t>(predicate)];
}

/// Words under the name of what they belong to: "state.v", "state.w[3..6]".
template <typename Entries>
std::string named(const char *space, const Entries &entries, uint32_t index,
                  uint64_t extent) {
  uint32_t first = 0;
  for (const auto &entry : entries) {
    if (index < first + entry.elements()) {
      std::string text = fmt::format("{}.{}", space, entry.name());
      if (extent == entry.elements())
        return text;
      uint32_t at = index - first;
      return extent == 1 ? fmt::format("{}[{}]", text, at)
                         : fmt::format("{}[{}..{}]", text, at, at + extent - 1);
    }
    first += entry.elements();
  }
  return "?";
}

class Listing {
public:
  Listing(const image::Microprogram &program, const std::string &title)
      : program(program), code(decodeCode(program.code())),
        constants(decodeI64(program.constants())) {
    text = fmt::format("{} {}: {} instructions, {} constants, {} registers\n",
                       title, program.model(), code.size(), constants.size(),
                       program.registers());
  }

  std::string run() {
    header();
    Work work{};
    std::vector<size_t> ends; // where the regions end that are open
    for (size_t i = 0; i < code.size(); ++i) {
      while (!ends.empty() && ends.back() == i)
        ends.pop_back();
      addLine(i, 2 * ends.size());
      if (code[i].op == MicroOp::Skip)
        ends.push_back(i + 1 + code[i].m);
      Work one = workOf(code[i]);
      for (size_t c = 0; c < one.size(); ++c)
        work[c] += one[c];
    }
    text += "    element operations of an update with every region:";
    for (size_t c = 0; c < work.size(); ++c)
      if (work[c])
        text += fmt::format(" {} {}", work[c],
                            toString(static_cast<MicroClass>(c)));
    return text + "\n";
  }

private:
  template <typename Entry>
  void describe(const char *what, const Entry &entry, const std::string &more) {
    text += fmt::format(
        "    {} {}{}: {} bits{}\n", what, entry.name(),
        entry.elements() == 1 ? "" : fmt::format("[{}]", entry.elements()),
        entry.width(), more);
  }

  void header() {
    for (const auto &port : program.ports())
      describe("port", port,
               port.hold() > 1
                   ? fmt::format(", held over {} updates", port.hold())
                   : "");
    for (const auto &state : program.states())
      describe("state", state,
               state.reset_every() ? fmt::format(", reset every {} updates",
                                                 state.reset_every())
               : state.keep()      ? ", kept over samples"
                                   : "");
    for (const auto &param : program.params())
      describe("param", param, param.per_neuron() ? ", per neuron" : "");
    using Emission = image::Microprogram::Emission;
    static const char *const kinds[] = {"binary", "graded", "unary", "split"};
    static_assert(Emission::BINARY == 0 && Emission::GRADED == 1 &&
                  Emission::UNARY == 2 && Emission::SPLIT == 3 &&
                  Emission::Kind_MAX == 3);
    for (const auto &output : program.outputs())
      text += fmt::format(
          "    output {}{}: {} to {}, {}{}\n", output.name(),
          output.elements() == 1 ? "" : fmt::format("[{}]", output.elements()),
          output.low(), output.high(), kinds[output.kind()],
          output.steps() > 1 ? fmt::format(" over {} steps", output.steps())
                             : "");
  }

  std::string words(const Operand &operand, uint64_t extent) const {
    switch (operand.space) {
    case Space::Register:
      return extent == 1 ? fmt::format("r{}", operand.index)
                         : fmt::format("r{}..{}", operand.index,
                                       operand.index + extent - 1);
    case Space::Port:
      return named("port", program.ports(), operand.index, extent);
    case Space::State:
      return named("state", program.states(), operand.index, extent);
    case Space::Param:
      return named("param", program.params(), operand.index, extent);
    case Space::Constant:
      return extent == 1 ? fmt::format("{}", constants[operand.index])
                         : fmt::format("const[{}..{}]", operand.index,
                                       operand.index + extent - 1);
    case Space::None:
      break;
    }
    return "";
  }

  std::string operand(const Instruction &i, unsigned which) const {
    const Operand &o = which == 0 ? i.a : which == 1 ? i.b : i.c;
    return words(o, extentOf(i, which));
  }

  /// What the instruction does, as its row of MicroOps.def words it.
  std::string wording(const Instruction &i) const {
    static const char *const patterns[] = {
#define MICRO_OP(code, Name, text, kind, operands, shape, bits, listing, ...)  \
  listing,
#include "targets/loader/chip/MicroOps.def"
    };
    return fmt::format(
        fmt::runtime(patterns[static_cast<size_t>(i.op)]),
        fmt::arg("a", operand(i, 0)), fmt::arg("b", operand(i, 1)),
        fmt::arg("c", operand(i, 2)), fmt::arg("m", i.m),
        fmt::arg("rungs", 2 * uint64_t(i.m)), fmt::arg("imm", i.imm),
        fmt::arg("shift", i.shift), fmt::arg("rounding", nameOf(i.rounding)),
        fmt::arg("predicate", nameOf(i.predicate)),
        fmt::arg("output", i.op == MicroOp::Emit
                               ? program.outputs(static_cast<int>(i.m)).name()
                               : ""));
  }

  /// How the result is brought into its width.
  std::string narrowing(const Instruction &i) const {
    enum class Ending { Nothing, Bits, ShiftBits };
    static const Ending endings[] = {
#define MICRO_OP(code, Name, text, kind, operands, shape, bits, listing, end)  \
  Ending::end,
#include "targets/loader/chip/MicroOps.def"
    };
    const Ending ending = endings[static_cast<size_t>(i.op)];
    std::string how;
    if (ending == Ending::ShiftBits && i.shift > 0)
      how += fmt::format(" << {}", i.shift);
    if (ending == Ending::ShiftBits && i.shift < 0)
      how += fmt::format(" >> {} {}", -int(i.shift), nameOf(i.rounding));
    if (ending != Ending::Nothing)
      how +=
          fmt::format(", {} bits{}", i.width, i.saturate ? " saturated" : "");
    return how;
  }

  void addLine(size_t at, size_t indent) {
    const Instruction &i = code[at];
    std::string body = wording(i);
    if (hasResult(i.op))
      body = words(i.d, i.n) + " = " + body + narrowing(i);
    std::string line = fmt::format("    {:3}  {:{}}{:8}{}", at, "", indent,
                                   toString(i.op), body);
    if (at < static_cast<size_t>(program.names_size()))
      line =
          fmt::format("{:<72} ; {}", line, program.names(static_cast<int>(at)));
    text += line + "\n";
  }

  const image::Microprogram &program;
  const std::vector<Instruction> code;
  const std::vector<int64_t> constants;
  std::string text;
};

} // namespace

std::string disassemble(const image::Microprogram &program,
                        const std::string &title) {
  return Listing(program, title).run();
}

} // namespace dendrolith::micro
