// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches of compartments, diagonal and coupled. The expressions below fix the
// order of real operations.

#include "dialects/dend/reference/Cable.h"
#include "dialects/dend/reference/Evaluate.h"

using namespace mlir;

namespace dendrolith::dend {
namespace {

double activate(Activation activation, double x) {
  switch (activation) {
  case Activation::Identity:
    return x;
  case Activation::Relu:
    return x > 0 ? x : 0.0;
  case Activation::LeakyRelu:
    return x > 0 ? x : kLeak * x;
  case Activation::Tanh:
    return apply(Function::Tanh, x);
  }
  return x;
}

// Carries the state over, clears the drive and calls `step` for every neuron
// that has the branch: step(neuron, input) gives the read-out.
template <typename Op, typename Step>
void evaluateBranch(Op op, Frame &frame, Step step) {
  frame[op.getNext()].assign(frame[op.getState()], frame.neurons());
  PopulationValue &drive = frame[op.getDrive()];
  drive.clear(frame.neurons());
  View<double> input = reals(frame[op.getInput()]);
  int64_t first = 0, end = frame.neurons();
  if (std::optional<ArrayRef<int64_t>> range = op.getRange()) {
    first = std::max<int64_t>(first, (*range)[0]);
    end = std::min(end, (*range)[1]);
  }
  for (int64_t n = first; n < end; ++n) {
    double in = input(n, 0), sum = step(n, in);
    if (op.getDirect())
      sum += reals(frame[op.getDirect()])(n, 0) * in;
    drive.real[n] = activate(op.getActivation(), sum);
  }
}

} // namespace

// V'_k = A_k V_k + G_k I;  d = act(sum_k Re(C_k V'_k) + direct I), k ascending.
// Without G the input itself is added.
void evaluate(BranchOp op, Frame &frame) {
  int64_t modes = frame[op.getState()].size;
  const PopulationValue &A = frame[op.getA()], &C = frame[op.getC()];
  const PopulationValue *G = op.getG() ? &frame[op.getG()] : nullptr;
  std::vector<double> &next = frame[op.getNext()].real;
  if (!isComplex(op.getState().getType()))
    return evaluateBranch(op, frame, [&](int64_t n, double in) {
      double sum = 0;
      for (int64_t k = 0; k < modes; ++k) {
        double &v = next[n * modes + k];
        v = reals(A)(n, k) * v + (G ? reals(*G)(n, k) * in : in);
        sum += reals(C)(n, k) * v;
      }
      return sum;
    });
  evaluateBranch(op, frame, [&](int64_t n, double in) {
    double sum = 0;
    for (int64_t k = 0; k < modes; ++k) {
      const double *a = complexAt(A, n, k), *c = complexAt(C, n, k);
      double *v = next.data() + 2 * (n * modes + k);
      double re = a[0] * v[0] - a[1] * v[1];
      double im = a[0] * v[1] + a[1] * v[0];
      if (G) {
        const double *g = complexAt(*G, n, k);
        re += g[0] * in;
        im += g[1] * in;
      } else {
        re += in;
      }
      v[0] = re;
      v[1] = im;
      sum += c[0] * re - c[1] * im;
    }
    return sum;
  });
}

// V'_k = sum_m E_km V_m + F_k I, m ascending;  d = act(V'_K + direct I).
void evaluate(CableOp op, Frame &frame) {
  int64_t K = frame[op.getState()].size;
  std::vector<double> &next = frame[op.getNext()].real, old(K);
  auto row = [&](Value value, int64_t n) {
    std::vector<double> elements;
    for (int64_t k = 0; value && k < frame[value].size; ++k)
      elements.push_back(reals(frame[value])(n, k));
    return elements;
  };
  // Neurons with the same parameters share the matrices of the first one.
  bool shared =
      llvm::all_of(ValueRange{op.getDiag(), op.getGamma(), op.getDt()},
                   [&](Value value) { return frame[value].count == 1; });
  for (Value link : {op.getLower(), op.getUpper()})
    shared &= !link || frame[link].count == 1;
  std::optional<CableStep> step;
  evaluateBranch(op, frame, [&](int64_t n, double in) {
    if (!step || !shared)
      step = cableStep(row(op.getDiag(), n), row(op.getLower(), n),
                       row(op.getUpper(), n), row(op.getGamma(), n),
                       reals(frame[op.getDt()])(n, 0));
    double *v = next.data() + n * K;
    std::copy_n(v, K, old.begin());
    for (int64_t k = 0; k < K; ++k) {
      double sum = 0;
      for (int64_t m = 0; m < K; ++m)
        sum += step->keep[k * K + m] * old[m];
      v[k] = sum + step->gain[k] * in;
    }
    return v[K - 1];
  });
}

} // namespace dendrolith::dend
