// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which results go straight into state memory, and which registers the others
// take.

#include "compiler/lowering/microcode/VirtualCode.h"

#include <algorithm>

using namespace dendrolith::micro;

namespace dendrolith {
namespace {

struct Use {
  const Operand *operand;
  int value;
  uint64_t words;
};

/// Operands a, b, c and how many words each of them reads.
std::array<Use, 3> readsOf(const VirtualInstruction &i) {
  return {{{&i.code.a, i.a, extentOf(i.code, 0)},
           {&i.code.b, i.b, extentOf(i.code, 1)},
           {&i.code.c, i.c, extentOf(i.code, 2)}}};
}

/// Whether an instruction reads words [first, first + count) of the state
/// memory; element-wise reads of just these words in order are no hazard to a
/// result that replaces them.
bool readsState(const VirtualInstruction &i, uint32_t first, uint32_t count,
                bool inPlace) {
  for (const Use &use : readsOf(i)) {
    if (use.operand->space != Space::State || use.words == 0)
      continue;
    uint64_t low = use.operand->index, high = low + use.words;
    if (high <= first || low >= uint64_t(first) + count)
      continue;
    bool same = low == first && use.words == count &&
                (!use.operand->scalar || count == 1);
    if (!(inPlace && same && isElementwise(i.code.op)))
      return true;
  }
  return false;
}

/// The only instruction that writes a whole value, outside skipped regions;
/// the size of the code if there is none such.
size_t soleDefinition(const VirtualCode &program, int value) {
  size_t found = program.code.size(), regionEnd = 0;
  for (size_t p = 0; p < program.code.size(); ++p) {
    const VirtualInstruction &i = program.code[p];
    if (i.code.op == MicroOp::Skip)
      regionEnd = std::max(regionEnd, p + 1 + i.code.m);
    if (i.d != value)
      continue;
    if (found != program.code.size() || p < regionEnd ||
        i.code.n != program.sizes[value])
      return program.code.size();
    found = p;
  }
  return found;
}

size_t usesOf(const VirtualCode &program, int value) {
  size_t uses = 0;
  for (const VirtualInstruction &i : program.code)
    for (const Use &use : readsOf(i))
      uses += use.operand->space == Space::Register && use.value == value;
  return uses;
}

/// The skip whose region an instruction is in; the size of the code for none.
size_t regionOf(const VirtualCode &program, size_t at) {
  size_t found = program.code.size();
  for (size_t p = 0; p < at; ++p)
    if (program.code[p].code.op == MicroOp::Skip &&
        at <= p + program.code[p].code.m)
      found = p;
  return found;
}

/// Whether a whole register is moved into a state.
bool movesRegister(const VirtualCode &program, const VirtualInstruction &i) {
  return i.code.op == MicroOp::Move && i.code.d.space == Space::State &&
         i.code.a.space == Space::Register && !i.code.a.scalar &&
         i.code.a.index == 0 && program.sizes[i.a] == i.code.n;
}

/// Has the definition of a register write the state that `move` moves it into.
void writeState(VirtualInstruction &definition,
                const VirtualInstruction &move) {
  definition.d = -1;
  definition.code.d = move.code.d;
  definition.name += " -> " + move.name;
}

} // namespace

void storeDirectly(VirtualCode &program) {
  for (size_t s = program.code.size(); s-- > 0;) {
    const VirtualInstruction &store = program.code[s];
    if (!movesRegister(program, store) || usesOf(program, store.a) != 1 ||
        // A state that changes in a region alone stays where that is skipped.
        regionOf(program, s) != program.code.size())
      continue;
    size_t p = soleDefinition(program, store.a);
    if (p >= s)
      continue;
    uint32_t first = store.code.d.index, count = store.code.n;
    bool hazard = readsState(program.code[p], first, count, true);
    for (size_t q = p + 1; q < program.code.size() && !hazard; ++q)
      hazard = readsState(program.code[q], first, count, false);
    if (hazard)
      continue;
    writeState(program.code[p], store);
    // No skip counts this instruction, which is in no region.
    program.code.erase(program.code.begin() + std::ptrdiff_t(s));
  }
}

void keepInState(VirtualCode &program) {
  for (size_t s = program.code.size(); s-- > 0;) {
    const VirtualInstruction store = program.code[s];
    if (!movesRegister(program, store))
      continue;
    uint32_t first = store.code.d.index, count = store.code.n;
    std::vector<size_t> definitions;
    for (size_t p = 0; p < program.code.size(); ++p)
      if (program.code[p].d == store.a)
        definitions.push_back(p);
    if (definitions.size() != 1 || definitions[0] >= s ||
        program.code[definitions[0]].code.n != count)
      continue;
    size_t p = definitions[0];
    bool hazard = regionOf(program, p) != regionOf(program, s) ||
                  readsState(program.code[p], first, count, true);
    for (size_t q = p + 1; q < s && !hazard; ++q)
      hazard = readsState(program.code[q], first, count, false);
    if (hazard)
      continue;
    writeState(program.code[p], store);
    for (VirtualInstruction &i : program.code) {
      Operand *operands[] = {&i.code.a, &i.code.b, &i.code.c};
      int *values[] = {&i.a, &i.b, &i.c};
      for (unsigned o = 0; o < 3; ++o)
        if (operands[o]->space == Space::Register && *values[o] == store.a) {
          operands[o]->space = Space::State;
          operands[o]->index += first;
          *values[o] = -1;
        }
    }
    for (size_t k = 0; k < s; ++k)
      if (program.code[k].code.op == MicroOp::Skip &&
          s <= k + program.code[k].code.m)
        --program.code[k].code.m;
    program.code.erase(program.code.begin() + std::ptrdiff_t(s));
  }
}

uint32_t allocateRegisters(VirtualCode &program) {
  struct Interval {
    size_t from = SIZE_MAX, to = 0;
    uint32_t start = 0;
  };
  std::vector<Interval> intervals(program.sizes.size());
  auto extend = [&](int value, size_t at) {
    if (value < 0)
      return;
    intervals[value].from = std::min(intervals[value].from, at);
    intervals[value].to = std::max(intervals[value].to, at);
  };
  for (size_t p = 0; p < program.code.size(); ++p) {
    const VirtualInstruction &i = program.code[p];
    for (int value : {i.d, i.a, i.b, i.c})
      extend(value, p);
  }
  // Values are placed in order of their first use, ties by number.
  std::vector<int> order;
  for (size_t v = 0; v < intervals.size(); ++v)
    if (intervals[v].from != SIZE_MAX)
      order.push_back(int(v));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return intervals[a].from < intervals[b].from;
  });
  uint32_t registers = 0;
  std::vector<int> live; // values that are needed still, by their start
  for (int v : order) {
    Interval &mine = intervals[v];
    live.erase(std::remove_if(
                   live.begin(), live.end(),
                   [&](int other) { return intervals[other].to < mine.from; }),
               live.end());
    auto at = live.begin();
    for (; at != live.end(); ++at) {
      const Interval &next = intervals[*at];
      if (next.start >= mine.start + program.sizes[v])
        break;
      mine.start = std::max(mine.start, next.start + program.sizes[*at]);
    }
    live.insert(at, v);
    registers = std::max(registers, mine.start + program.sizes[v]);
  }
  for (VirtualInstruction &i : program.code) {
    Operand *operands[] = {&i.code.d, &i.code.a, &i.code.b, &i.code.c};
    int values[] = {i.d, i.a, i.b, i.c};
    for (unsigned o = 0; o < 4; ++o)
      if (operands[o]->space == Space::Register)
        operands[o]->index += intervals[values[o]].start;
  }
  return registers;
}

} // namespace dendrolith
