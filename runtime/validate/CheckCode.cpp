// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// These checks hold the instructions of a program against its memories. They
// establish what an engine relies on when it runs them without a further check.

#include "runtime/validate/Check.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

using namespace dendrolith;
using namespace dendrolith::micro;

namespace {

// Regions lie within regions so deep at most, because engines and checks
// descend into them.
constexpr unsigned kMaxNesting = 256;

template <typename Entries>
void spread(std::vector<uint8_t> &bits, const Entries &entries) {
  for (const auto &entry : entries)
    bits.insert(bits.end(), entry.elements(),
                static_cast<uint8_t>(std::max<uint32_t>(entry.width(), 2)));
}

class CodeChecker {
public:
  CodeChecker(const std::string &place, const image::Microprogram &program,
              const std::vector<Instruction> &code,
              const std::vector<int64_t> &constants)
      : place(place), program(program), code(code),
        emitted(static_cast<size_t>(program.outputs_size())) {
    bits[size_t(Space::Register)].resize(program.registers());
    spread(bits[size_t(Space::Port)], program.ports());
    spread(bits[size_t(Space::State)], program.states());
    spread(bits[size_t(Space::Param)], program.params());
    for (const auto &param : program.params())
      paramEnds.insert(paramEnds.end(), param.elements(),
                       static_cast<uint32_t>(paramEnds.size()) +
                           param.elements());
    for (int64_t constant : constants)
      bits[size_t(Space::Constant)].push_back(
          static_cast<uint8_t>(bitsOf(constant)));
  }

  uint64_t run() {
    checkRegion(0, code.size(), 0);
    return work;
  }

private:
  using Words = std::vector<uint8_t>;
  static constexpr size_t kSpaces = size_t(Space::None);

  [[noreturn]] void refuse(const std::string &what) const {
    throw Error(fmt::format("{}, instruction {} ({}): {}", place, at,
                            toString(code[at].op), what));
  }

  /// Checks the instructions [begin, end).
  void checkRegion(size_t begin, size_t end, unsigned depth) {
    for (at = begin; at < end; ++at) {
      const Instruction &i = code[at];
      checkExtents(i);
      addWork(i);
      OperandBits read = checkOperands(i);
      if (i.op == MicroOp::Ladder)
        checkLadder(i, read);
      if (i.op == MicroOp::Skip)
        at = checkSkip(i, end, depth);
      else if (i.op == MicroOp::Emit)
        checkEmit(i);
      else
        checkResult(i, read);
    }
  }

  /// Checks the region behind a skip and returns its last instruction. What the
  /// region writes first counts as not written behind it, and what was written
  /// before may have either value.
  size_t checkSkip(const Instruction &i, size_t end, unsigned depth) {
    if (i.d.space != Space::None)
      refuse("expected no result");
    if (i.m > end - at - 1)
      refuse(fmt::format("expected to skip at most {} instructions, to the end "
                         "of its region, found {}",
                         end - at - 1, i.m));
    if (depth == kMaxNesting)
      refuse(fmt::format("expected at most {} regions within each other",
                         kMaxNesting));
    Words &registers = bits[size_t(Space::Register)];
    work += registers.size();
    checkTotal();
    Words before = registers;
    size_t last = at + i.m;
    checkRegion(at + 1, last + 1, depth + 1);
    for (size_t r = 0; r < before.size(); ++r)
      registers[r] = before[r] ? std::max(before[r], registers[r]) : 0;
    return last;
  }

  /// Adds the element operations of an instruction, and at least the words that
  /// are looked at here.
  void addWork(const Instruction &i) {
    work += i.n;
    for (uint64_t elements : workOf(i))
      work += elements;
    for (unsigned o = 0; o < 3; ++o)
      work += extentOf(i, o);
    checkTotal();
  }

  void checkTotal() const {
    if (work > check::kMaxWork)
      refuse(fmt::format("expected a program of at most {} element operations "
                         "and words read, found more up to here",
                         check::kMaxWork));
  }

  void checkExtents(const Instruction &i) const {
    constexpr uint64_t most = check::kMaxElements;
    if (i.n < 1 || i.n > most)
      refuse(fmt::format("expected 1 to {} elements, found {}", most, i.n));
    auto need = [&](bool good, const char *what) {
      if (!good)
        refuse(fmt::format("expected {}, found n {} and m {}", what, i.n, i.m));
    };
    if (i.op == MicroOp::Table && (i.shift < 0 || i.shift > 62))
      refuse(
          fmt::format("expected a step of 2^0 to 2^62, found 2^{}", i.shift));
    const uint64_t n = i.n, m = i.m;
    switch (shapeOf(i.op)) {
#define MICRO_SHAPE(Name, a, b, c, work, place, valid, expected)               \
  case MicroShape::Name:                                                       \
    return need(valid, expected);
#include "targets/loader/chip/MicroOps.def"
    }
  }

  OperandBits checkOperands(const Instruction &i) const {
    OperandBits read{1, 1, 1};
    const Operand *operands[] = {&i.a, &i.b, &i.c};
    unsigned *widest[] = {&read.a, &read.b, &read.c};
    for (unsigned o = 0; o < 3; ++o) {
      const Operand &operand = *operands[o];
      bool wanted = o < operandsOf(i.op);
      if (wanted != (operand.space != Space::None))
        refuse(fmt::format("expected {} operands, found {} {}",
                           operandsOf(i.op), wanted ? "no" : "an", "abc"[o]));
      if (!wanted)
        continue;
      uint64_t end = operand.index + extentOf(i, o);
      checkRange(operand, end);
      checkOverlap(i, operand, end);
      const Words &words = bits[size_t(operand.space)];
      for (uint64_t w = operand.index; w < end; ++w) {
        if (words[w] == 0)
          refuse(fmt::format("reads register {} before it is written on every "
                             "way",
                             w));
        *widest[o] = std::max<unsigned>(*widest[o], words[w]);
      }
    }
    return read;
  }

  void checkRange(const Operand &operand, uint64_t end) const {
    static const char *const names[] = {"registers", "port words",
                                        "state words", "parameter words",
                                        "constants"};
    uint64_t size = bits[size_t(operand.space)].size();
    if (end > size)
      refuse(fmt::format("expected words among {} {}, found {} to {}", size,
                         names[size_t(operand.space)], operand.index, end - 1));
    // Shared parameters and those of each neuron lie in different places.
    if (operand.space == Space::Param && end > paramEnds[operand.index])
      refuse(fmt::format("expected words of one parameter, found {} to {}",
                         operand.index, end - 1));
  }

  /// Refuses a result that lies over an operand, because it is written while
  /// the operands are read. The same words may be both where elements
  /// correspond.
  void checkOverlap(const Instruction &i, const Operand &operand,
                    uint64_t end) const {
    uint64_t first = i.d.index, last = first + i.n;
    if (operand.space != i.d.space || end <= first || operand.index >= last)
      return;
    bool same = operand.index == first && (!operand.scalar || i.n == 1);
    if (!same || !isElementwise(i.op))
      refuse(fmt::format("expected a result apart from its operands, found "
                         "words {} to {} from {} to {}",
                         first, last - 1, operand.index, end - 1));
  }

  /// Checks that all numbers of the comparison stay within 127 bits.
  void checkLadder(const Instruction &i, const OperandBits &read) const {
    unsigned p = static_cast<unsigned>(std::max(-int(i.shift), 0));
    unsigned q = static_cast<unsigned>(std::max(int(i.shift), 0));
    unsigned heights = std::max(read.a, read.b) + p;
    unsigned rungs = read.c + bitsOf(i.imm) - 1 + q + bitsOf(i.m) - 1;
    if (heights > 126 || rungs > 126)
      refuse(fmt::format("expected to compare numbers of at most 126 bits, "
                         "found {} and {}",
                         heights, rungs));
  }

  void checkResult(const Instruction &i, const OperandBits &read) {
    if (i.d.space != Space::Register && i.d.space != Space::State)
      refuse("expected a result in registers or states");
    if (i.d.scalar)
      refuse("expected a result of whole words");
    checkRange(i.d, uint64_t(i.d.index) + i.n);
    unsigned result = resultBits(i, read);
    Words &words = bits[size_t(i.d.space)];
    if (i.d.space == Space::Register) {
      std::fill_n(words.begin() + i.d.index, i.n, static_cast<uint8_t>(result));
      return;
    }
    for (uint64_t w = i.d.index; w < uint64_t(i.d.index) + i.n; ++w)
      if (result > words[w])
        refuse(fmt::format("expected a result of at most {} bits, the width of "
                           "state word {}, found {}",
                           words[w], w, result));
  }

  void checkEmit(const Instruction &i) {
    if (i.d.space != Space::None)
      refuse("expected no result");
    if (i.m >= emitted.size())
      refuse(fmt::format("output {} does not exist, the program has {}", i.m,
                         emitted.size()));
    uint32_t elements = program.outputs(static_cast<int>(i.m)).elements();
    if (i.n != elements)
      refuse(fmt::format("expected the {} elements of its output, found {}",
                         elements, i.n));
    if (emitted[i.m])
      refuse(fmt::format("expected output {} to be sent once, found it a "
                         "second time",
                         i.m));
    emitted[i.m] = true;
  }

  const std::string &place;
  const image::Microprogram &program;
  const std::vector<Instruction> &code;
  // This is by word how many bits it can take; 0 is a register that is not
  // written yet.
  Words bits[kSpaces];
  std::vector<uint32_t> paramEnds; // by word, where its parameter ends
  std::vector<bool> emitted;       // outputs
  uint64_t work = 0;
  size_t at = 0;
};

} // namespace

uint64_t check::checkCode(const std::string &place,
                          const image::Microprogram &program,
                          const std::vector<Instruction> &code,
                          const std::vector<int64_t> &constants) {
  return CodeChecker(place, program, code, constants).run();
}
