// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Plan.h"

#include "compiler/native/program/Registers.h"
#include "compiler/native/program/Scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace dendrolith::native::program {

using micro::Operand;
using micro::Space;

Access accessOf(const Step &step, unsigned o) {
  if (step.operand(o).scalar)
    return Access::Scalar;
  switch (shapeOf(step.code.op)) {
  case MicroShape::Condition:
    return Access::Scalar;
  case MicroShape::Knots:
    return o == 0 ? Access::Aligned : Access::Random;
  case MicroShape::MatrixByVector:
  case MicroShape::VectorByMatrix:
  case MicroShape::Marks:
    return Access::Random;
  case MicroShape::OuterProduct:
    return o == 2 ? Access::Aligned : Access::Random;
  default:
    return Access::Aligned;
  }
}

uint32_t extentOf(const Step &step) {
  return shapeOf(step.code.op) == MicroShape::Terms ? step.code.m : step.code.n;
}

namespace {

/// Forms the loops of the instructions of a region.
class PlannedLoops {
public:
  PlannedLoops(const std::vector<Step> &steps, std::vector<StepGroup> &groups)
      : steps(steps), groups(groups) {}

  void run(size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const Step &step = steps[i];
      const uint32_t extent = extentOf(step);
      if (step.code.op == MicroOp::Skip) {
        close();
        groups.push_back({1, {step}, {}});
        PlannedLoops(steps, groups.back().inside).run(i + 1, endOf(i));
        i = endOf(i) - 1;
      } else if (extent <= kUnrolled || step.code.op == MicroOp::TopK) {
        // A step may go ahead of an open loop that it has nothing to do with.
        if (!open.steps.empty() && !isApart(step))
          close();
        groups.push_back({1, {step}, {}});
      } else {
        if (!open.steps.empty() && !joins(step))
          close();
        open.extent = extent;
        open.steps.push_back(step);
      }
    }
    close();
  }

private:
  size_t endOf(size_t skip) const {
    // Steps that became part of others are gone, so numbers tell.
    const uint32_t last = steps[skip].number + steps[skip].code.m;
    size_t end = skip + 1;
    while (end < steps.size() && steps[end].number <= last)
      ++end;
    return end;
  }

  void close() {
    if (!open.steps.empty())
      groups.push_back(std::move(open));
    open = StepGroup();
  }

  static bool isReduction(const Step &step) {
    return shapeOf(step.code.op) == MicroShape::Terms;
  }

  /// Whether `reader` can read a vector that `writer` writes while both go
  /// through their elements.
  static bool inStep(const Step &reader, unsigned o, const Step &writer) {
    const Operand &operand = reader.operand(o);
    return !readsFrom(reader, o, writer.code.d, writer.code.n) ||
           (!isReduction(writer) && accessOf(reader, o) == Access::Aligned &&
            operand.index == writer.code.d.index);
  }

  bool joins(const Step &step) const {
    if (extentOf(step) != open.extent)
      return false;
    for (const Step &other : open.steps) {
      for (unsigned o = 0; o < 3; ++o) {
        if (other.hasResult() && !inStep(step, o, other))
          return false;
        if (step.hasResult() && !inStep(other, o, step))
          return false;
      }
      if (other.hasResult() && step.hasResult() &&
          overlap(step.code.d, step.code.n, other.code.d, other.code.n) &&
          (isReduction(step) || isReduction(other) ||
           step.code.d.index != other.code.d.index))
        return false;
    }
    return true;
  }

  bool isApart(const Step &step) const {
    return std::all_of(
        open.steps.begin(), open.steps.end(), [&](const Step &other) {
          for (unsigned o = 0; o < 3; ++o)
            if ((other.hasResult() &&
                 readsFrom(step, o, other.code.d, other.code.n)) ||
                (step.hasResult() &&
                 readsFrom(other, o, step.code.d, step.code.n)))
              return false;
          return !other.hasResult() || !step.hasResult() ||
                 !overlap(step.code.d, step.code.n, other.code.d, other.code.n);
        });
  }

  const std::vector<Step> &steps;
  std::vector<StepGroup> &groups;
  StepGroup open;
};

/// Decides which registers that are written once need memory.
class Memory {
public:
  Memory(Plan &plan, uint32_t first) : plan(plan), first(first) {}

  void run() {
    find(plan.groups);
    place(plan.groups);
    // The words of a result have one place.
    for (const auto &[word, from] : written)
      if (plan.words[word].inMemory)
        for (uint32_t e = 0; e < from.step->code.n; ++e)
          plan.words[from.step->code.d.index + e].inMemory = true;
  }

private:
  struct Written {
    const StepGroup *group = nullptr;
    const Step *step = nullptr;
  };

  void find(const std::vector<StepGroup> &groups) {
    for (const StepGroup &group : groups) {
      for (const Step &step : group.steps) {
        if (!step.hasResult() || step.code.d.space != Space::Register ||
            step.code.d.index < first)
          continue;
        for (uint32_t e = 0; e < step.code.n; ++e) {
          Word &word = plan.words[step.code.d.index + e];
          word.inMemory = step.code.op == MicroOp::TopK;
          word.narrow = step.resultBits <= 32;
          written[step.code.d.index + e] = {&group, &step};
        }
      }
      find(group.inside);
    }
  }

  void place(const std::vector<StepGroup> &groups) {
    for (const StepGroup &group : groups) {
      for (const Step &step : group.steps)
        for (unsigned o = 0; o < 3; ++o) {
          const Operand &operand = step.operand(o);
          if (operand.space != Space::Register || operand.index < first)
            continue;
          const uint64_t end = operand.index + micro::extentOf(step.code, o);
          for (uint64_t w = operand.index; w < end; ++w)
            if (!isAtHand(group, step, o, written.at(uint32_t(w))))
              plan.words[w].inMemory = true;
        }
      place(group.inside);
    }
  }

  /// Whether code for a step can name the value of a word that was written
  /// there.
  static bool isAtHand(const StepGroup &group, const Step &step, unsigned o,
                       const Written &from) {
    const bool inLoop = from.group->isLoop() &&
                        shapeOf(from.step->code.op) != MicroShape::Terms;
    const Access access = accessOf(step, o);
    if (inLoop)
      return from.group == &group && access == Access::Aligned &&
             step.operand(o).index == from.step->code.d.index;
    return access == Access::Scalar ||
           (access == Access::Aligned && !group.isLoop());
  }

  Plan &plan;
  const uint32_t first; // of the words that are written once
  std::map<uint32_t, Written> written;
};

} // namespace

Plan::Plan(const Program &program) {
  std::vector<Step> steps;
  uint32_t sent = 0, part = 0, marked = 0;
  for (size_t i = 0; i < program.code.size(); ++i) {
    Step step;
    step.code = program.code[i];
    step.bits = program.operandBits[i];
    step.number = uint32_t(i);
    if (step.hasResult())
      step.resultBits = micro::resultBits(step.code, step.bits);
    if (step.code.op == MicroOp::Emit) {
      step.sent = sent;
      sent += step.code.n;
    }
    if (step.code.op == MicroOp::Skip)
      step.part = ++part;
    if (step.code.op == MicroOp::TopK)
      marked = std::max(marked, step.code.n);
    steps.push_back(step);
  }
  marks = renameRegisters(steps, program.registers);
  words.resize(marks + marked);
  computeInPlace(steps, program.registers);
  PlannedLoops(steps, groups).run(0, steps.size());
  Memory(*this, program.registers).run();
}

std::string keyOf(const Program &program, unsigned lanes) {
  std::vector<micro::Instruction> code = program.code;
  std::string key = fmt::format("{} {}\n", lanes, program.registers);
  for (const Program::Range &output : program.outputs)
    key += fmt::format("{} {} ", output.low, output.high);
  for (size_t i = 0; i < code.size(); ++i) {
    Step step;
    step.code = code[i];
    step.bits = program.operandBits[i];
    const int open = openAmount(step);
    if (open)
      code[i].shift = 0;
    key += fmt::format("{} {} {} {} ", step.bits.a, step.bits.b, step.bits.c,
                       open);
    // What counts of a parameter is where its words are.
    for (micro::Operand *operand : {&code[i].a, &code[i].b, &code[i].c})
      if (operand->space == micro::Space::Param) {
        const Program::ParamWord &word = program.params[operand->index];
        operand->index = uint32_t(word.index);
        key += word.perNeuron ? "n " : "s ";
      }
  }
  return key + micro::encodeCode(code);
}

} // namespace dendrolith::native::program
