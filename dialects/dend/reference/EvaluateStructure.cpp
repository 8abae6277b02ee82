// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structure ops. The expressions below fix the order of real operations.
//
// MMDEND: K. Wang et al., MMDEND: Dendrite-Inspired Multi-Branch
// Multi-Compartment Parallel Spiking Neuron for Sequence Modeling, ACL 2025,
// https://aclanthology.org/2025.acl-long.1332/
// DendriCL: J. Shen, Y. Wu, C. Chen, Dendritic In-Context Learning in a
// Single-Layer Spiking Neural Network, 2026, https://arxiv.org/abs/2607.02283
// DendAttn: K. Wang et al., Biologically Inspired Neuron Structures for
// Versatile Foundation Models: Augmenting Memory Capacity, Temporal Dynamics,
// and Information Segregation via Native Dendritic Mechanisms, manuscript, its
// newest references are of 2025; models/dendattn/README.md names all authors.

#include "dialects/dend/FixedPoint.h"
#include "dialects/dend/reference/Evaluate.h"

using namespace mlir;

namespace dendrolith::dend {
namespace {

/// How `branches` (at one neuron and element, in operand order) meet.
template <typename T, typename Sum>
T join(JoinKind kind, ArrayRef<T> branches, Sum sum) {
  T result = branches.front();
  switch (kind) {
  case JoinKind::Sum:
    return sum(branches);
  case JoinKind::Max:
    for (T x : branches)
      result = x > result ? x : result;
    return result;
  case JoinKind::Min:
    for (T x : branches)
      result = x < result ? x : result;
    return result;
  case JoinKind::AbsMax:
    // Two numbers are compared on the negative side, where every number of a
    // fixed-point type has its mirror image.
    for (T x : branches)
      result = std::min(x, T(-x)) < std::min(result, T(-result)) ? x : result;
    return result;
  case JoinKind::Or:
    return T(llvm::any_of(branches, [](T x) { return x != T(0); }));
  case JoinKind::And:
    return T(llvm::all_of(branches, [](T x) { return x != T(0); }));
  case JoinKind::Pass:
    // The first branch's value, let through where every other one is not 0.
    return llvm::all_of(branches.drop_front(), [](T x) { return x != T(0); })
               ? result
               : T(0);
  }
  return result;
}

} // namespace

// (keep * state + gain * drive) + offset
void evaluate(CompartmentOp op, Frame &frame) {
  View<double> state = reals(frame[op.getState()]);
  View<double> drive = reals(frame[op.getDrive()]);
  View<double> keep = reals(frame[op.getKeep()]);
  const PopulationValue *gain = op.getGain() ? &frame[op.getGain()] : nullptr;
  const PopulationValue *offset =
      op.getOffset() ? &frame[op.getOffset()] : nullptr;
  fillReal(frame.result(op.getResult()), [&](int64_t n, int64_t i) {
    double in = drive(n, i);
    if (gain)
      in = reals(*gain)(n, i) * in;
    double next = keep(n, i) * state(n, i) + in;
    return offset ? next + reals(*offset)(n, i) : next;
  });
}

void evaluate(JoinOp op, Frame &frame) {
  PopulationValue &out = frame.result(op.getResult());
  const PopulationValue *weights =
      op.getWeights() ? &frame[op.getWeights()] : nullptr;
  if (out.isReal()) {
    SmallVector<double> values(op.getBranches().size());
    fillReal(out, [&](int64_t n, int64_t i) {
      for (auto [j, branch] : llvm::enumerate(op.getBranches()))
        values[j] = reals(frame[branch])(n, i);
      return join<double>(op.getKind(), values, [&](ArrayRef<double> terms) {
        double sum = 0;
        for (auto [j, x] : llvm::enumerate(terms))
          sum += weights ? reals(*weights)(n, j) * x : x;
        return sum;
      });
    });
    return;
  }
  SmallVector<int64_t> values(op.getBranches().size());
  fillRaw(out, [&](int64_t n, int64_t i) {
    for (auto [j, branch] : llvm::enumerate(op.getBranches()))
      values[j] = raws(frame[branch])(n, i);
    int64_t x =
        join<int64_t>(op.getKind(), values, [&](ArrayRef<int64_t> terms) {
          int64_t sum = 0;
          for (int64_t x : terms)
            sum = addFixed(sum, x, out.width, Overflow::Wrap);
          return sum;
        });
    // `or` and `and` give 1, which !dend.fx<1, e> does not have.
    return out.kind == ElementKind::Bool ? x : wrapTo(x, out.width);
  });
}

// keep * state + gain * (dendrite + feed * input)
void evaluate(SomaOp op, Frame &frame) {
  View<double> state = reals(frame[op.getState()]);
  View<double> dendrite = reals(frame[op.getDendrite()]);
  View<double> input = reals(frame[op.getInput()]);
  View<double> keep = reals(frame[op.getKeep()]);
  View<double> gain = reals(frame[op.getGain()]);
  View<double> feed = reals(frame[op.getFeed()]);
  fillReal(frame.result(op.getResult()), [&](int64_t n, int64_t i) {
    return keep(n, i) * state(n, i) +
           gain(n, i) * (dendrite(n, i) + feed(n, i) * input(n, i));
  });
}

void evaluate(FireOp op, Frame &frame) {
  PopulationValue &spike = frame.result(op.getSpike()),
                  &next = frame.result(op.getNext());
  const PopulationValue &potential = frame[op.getPotential()];
  const PopulationValue &threshold = frame[op.getThreshold()];
  const PopulationValue *to = op.getTo() ? &frame[op.getTo()] : nullptr;
  auto crossed = [&](auto v, auto theta) {
    return op.getInclusive() ? v >= theta : v > theta;
  };
  if (next.isReal()) {
    View<double> v = reals(potential), theta = reals(threshold);
    fillRaw(spike, [&](int64_t n, int64_t i) {
      return int64_t(crossed(v(n, i), theta(n, i)));
    });
    fillReal(next, [&](int64_t n, int64_t i) {
      if (!crossed(v(n, i), theta(n, i)) || op.getReset() == ResetKind::None)
        return v(n, i);
      if (op.getReset() == ResetKind::Subtract)
        return v(n, i) - theta(n, i);
      return to ? reals(*to)(n, i) : 0.0;
    });
    return;
  }
  View<int64_t> v = raws(potential), theta = raws(threshold);
  fillRaw(spike, [&](int64_t n, int64_t i) {
    return int64_t(crossed(v(n, i), theta(n, i)));
  });
  fillRaw(next, [&](int64_t n, int64_t i) {
    if (!crossed(v(n, i), theta(n, i)) || op.getReset() == ResetKind::None)
      return v(n, i);
    if (op.getReset() == ResetKind::Subtract)
      return subFixed(v(n, i), theta(n, i), next.width, Overflow::Wrap);
    return to ? raws(*to)(n, i) : int64_t(0);
  });
}

// keep * state + (rate * key) * (target - prediction), outer product over
// (key, target) for a matrix state.
void evaluate(DeltaRuleOp op, Frame &frame) {
  View<double> state = reals(frame[op.getState()]);
  View<double> key = reals(frame[op.getKey()]);
  View<double> target = reals(frame[op.getTarget()]);
  View<double> prediction = reals(frame[op.getPrediction()]);
  View<double> keep = reals(frame[op.getKeep()]);
  View<double> rate = reals(frame[op.getRate()]);
  // A vector state has one column.
  int64_t columns = shapeOf(op.getState().getType()).size() == 2
                        ? frame[op.getTarget()].size
                        : 1;
  fillReal(frame.result(op.getResult()), [&](int64_t n, int64_t i) {
    int64_t row = i / columns, column = i % columns;
    double error = target(n, column) - prediction(n, column);
    return keep(n, 0) * state(n, i) + rate(n, 0) * key(n, row) * error;
  });
}

} // namespace dendrolith::dend
