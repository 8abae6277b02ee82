// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/program/Registers.h"

#include <algorithm>

namespace dendrolith::native::program {

using micro::Operand;
using micro::Space;

namespace {

/// By step, whether a skip guards it.
std::vector<bool> guarded(const std::vector<Step> &steps) {
  std::vector<bool> is(steps.size());
  uint32_t end = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    is[i] = steps[i].number < end;
    if (steps[i].code.op == MicroOp::Skip)
      end = std::max(end, steps[i].number + 1 + steps[i].code.m);
  }
  return is;
}

struct Use {
  size_t step;
  unsigned operand;
};

/// The uses of the result of step i, if no other result is read with it and no
/// guarded step writes over it; else false.
bool findUses(const std::vector<Step> &steps, const std::vector<bool> &guarded,
              size_t i, std::vector<Use> &uses) {
  const Operand d = steps[i].code.d;
  const uint32_t n = steps[i].code.n;
  std::vector<bool> live(n, true);
  uint32_t left = n;
  for (size_t j = i + 1; j < steps.size() && left; ++j) {
    const Step &step = steps[j];
    for (unsigned o = 0; o < 3; ++o) {
      if (!readsFrom(step, o, d, n))
        continue;
      const Operand &operand = step.operand(o);
      const uint64_t extent = micro::extentOf(step.code, o);
      uint32_t mine = 0;
      for (uint64_t w = operand.index; w < operand.index + extent; ++w)
        mine += w >= d.index && w < d.index + n && live[w - d.index];
      if (mine == 0)
        continue;
      if (mine != extent)
        return false;
      uses.push_back({j, o});
    }
    if (!step.hasResult() || !overlap(d, n, step.code.d, step.code.n))
      continue;
    for (uint32_t e = 0; e < step.code.n; ++e) {
      const uint32_t w = step.code.d.index + e;
      if (w < d.index || w >= d.index + n || !live[w - d.index])
        continue;
      if (guarded[j])
        return false;
      live[w - d.index] = false;
      --left;
    }
  }
  return true;
}

bool touches(const Step &step, const Operand &words, uint64_t n) {
  for (unsigned o = 0; o < 3; ++o)
    if (readsFrom(step, o, words, n))
      return true;
  return step.hasResult() && overlap(step.code.d, step.code.n, words, n);
}

/// Whether step i can compute into the state words that step j moves its result
/// to.
bool canComputeThere(const std::vector<Step> &steps, size_t i, size_t j) {
  const Operand &to = steps[j].code.d;
  const uint32_t n = steps[j].code.n;
  for (unsigned o = 0; o < 3; ++o)
    if (readsFrom(steps[i], o, to, n) &&
        (!isElementwise(steps[i].code.op) ||
         steps[i].operand(o).index != to.index ||
         (steps[i].operand(o).scalar && n > 1)))
      return false;
  for (size_t k = i + 1; k < steps.size(); ++k)
    if (k < j ? touches(steps[k], to, n)
              : k > j && steps[k].hasResult() &&
                    overlap(steps[k].code.d, steps[k].code.n, to, n))
      return false;
  return true;
}

} // namespace

uint32_t renameRegisters(std::vector<Step> &steps, uint32_t first) {
  const std::vector<bool> inside = guarded(steps);
  std::vector<Use> uses;
  for (size_t i = 0; i < steps.size(); ++i) {
    Operand &d = steps[i].code.d;
    if (!steps[i].hasResult() || d.space != Space::Register || inside[i])
      continue;
    uses.clear();
    if (!findUses(steps, inside, i, uses))
      continue;
    for (const Use &use : uses) {
      Operand &operand = steps[use.step].operand(use.operand);
      operand.index = first + (operand.index - d.index);
    }
    d.index = first;
    first += steps[i].code.n;
  }
  return first;
}

void computeInPlace(std::vector<Step> &steps, uint32_t first) {
  const std::vector<bool> inside = guarded(steps);
  std::vector<bool> gone(steps.size());
  for (size_t j = 0; j < steps.size(); ++j) {
    const Operand from = steps[j].code.a, to = steps[j].code.d;
    const uint32_t n = steps[j].code.n;
    if (steps[j].code.op != MicroOp::Move || inside[j] ||
        to.space != Space::State || from.space != Space::Register ||
        from.index < first || (from.scalar && n > 1))
      continue;
    for (size_t i = 0; i < j; ++i) {
      const Operand d = steps[i].code.d;
      if (!steps[i].hasResult() || d.space != from.space ||
          d.index != from.index || steps[i].code.n != n ||
          !canComputeThere(steps, i, j))
        continue;
      steps[i].code.d = to;
      for (size_t k = i + 1; k < steps.size(); ++k)
        for (unsigned o = 0; o < 3; ++o)
          if (readsFrom(steps[k], o, d, n)) {
            Operand &operand = steps[k].operand(o);
            operand.space = to.space;
            operand.index = to.index + (operand.index - d.index);
          }
      gone[j] = true;
      break;
    }
  }
  size_t kept = 0;
  for (size_t i = 0; i < steps.size(); ++i)
    if (!gone[i])
      steps[kept++] = steps[i];
  steps.resize(kept);
}

} // namespace dendrolith::native::program
