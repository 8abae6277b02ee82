// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/mmdend/Branches.h"

#include "dialects/dend/ZeroOrderHold.h"
#include "targets/support/Error.h"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <complex>
#include <fmt/format.h>

namespace dendrolith::npz {
namespace {

using Complex = std::complex<double>;

// To find the spectrum of a cable takes time with the cube of its length.
constexpr uint64_t kLongestCable = 1024;
// Neurons that differ in their branches get programs of their own, so many
// branches make many programs; papers have up to 16.
constexpr uint64_t kMostBranches = 256;

void push(Values &pairs, Complex z) {
  pairs.push_back(z.real());
  pairs.push_back(z.imag());
}

class LayerReader {
public:
  LayerReader(Archive &archive, size_t l, Layer &layer)
      : archive(archive), suffix(std::to_string(l)), layer(layer) {}

  void run() {
    layer.cable = archive.has(key("tau"));
    std::string first = key(layer.cable ? "tau" : "lam_re");
    if (layer.cable && archive.has(key("lam_re")))
      throw Error(archive.place(key("tau")) +
                  "expected either a cable (tau, tau_f, tau_p, gamma) or a "
                  "diagonal form (lam_re, lam_im, B, C), found both");
    const Shape &shape = archive.array(first, 2).shape;
    J = shape[0];
    K = shape[1];
    if (J > kMostBranches)
      throw Error(fmt::format("{}expected at most {} branches, found {}",
                              archive.place(first), kMostBranches, J));
    if (layer.cable && K > kLongestCable)
      throw Error(fmt::format("{}expected at most {} compartments, found {}",
                              archive.place(first), kLongestCable, K));
    layer.compartments = int64_t(K);
    layer.branches.resize(J);
    dt = perBranch("dt", /*above=*/true);
    Values direct = perBranch("go");
    for (uint64_t j = 0; j < J; ++j) {
      layer.branches[j].dt = dt[j];
      layer.branches[j].direct = direct[j];
    }
    layer.cable ? readCables() : readModes();
    readWindows();
    readSoma();
  }

private:
  std::string key(const char *name) const { return name + suffix; }
  Values reals(const char *name, Shape shape) {
    return archive.reals(key(name), shape, fmt::format("J = {}, K = {}", J, K));
  }
  Values perBranch(const char *name, bool above = false) {
    Values values = reals(name, {J});
    for (uint64_t j = 0; j < J && above; ++j)
      if (!(values[j] > 0))
        throw Error(fmt::format("{}expected numbers above 0, found {} for "
                                "branch {}",
                                archive.place(key(name)), values[j], j));
    return values;
  }
  double above(const char *name) {
    double value = archive.real(key(name));
    if (!(value > 0))
      throw Error(fmt::format("{}expected a number above 0, found {}",
                              archive.place(key(name)), value));
    return value;
  }
  [[noreturn]] void unstable(const char *name, uint64_t j, uint64_t k,
                             double magnitude) {
    throw Error(fmt::format(
        "{}branch {}, mode {}: expected |A_hat| = |exp(lambda dt)| below 1, "
        "found {}: the mode does not decay",
        archive.place(key(name)), j, k, magnitude));
  }

  // This is eq. 10: A = exp(lambda dt), G = (A - 1)/lambda B.
  void readModes() {
    Values re = reals("lam_re", {J, K}), im = reals("lam_im", {J, K});
    Values B = reals("B", {J, K, 2}), C = reals("C", {J, K, 2});
    for (uint64_t j = 0; j < J; ++j)
      for (uint64_t k = 0; k < K; ++k) {
        uint64_t i = j * K + k;
        Complex lambda(re[i], im[i]), A = std::exp(lambda * dt[j]);
        if (!(std::abs(A) < 1))
          unstable("lam_re", j, k, std::abs(A));
        push(layer.branches[j].A, A);
        push(layer.branches[j].G,
             dend::holdGain(lambda, dt[j]) * Complex(B[2 * i], B[2 * i + 1]));
        push(layer.branches[j].C, Complex(C[2 * i], C[2 * i + 1]));
      }
  }

  // This is eq. 7: rates follow from time constants.
  Values rates(const char *name, uint64_t count, bool above) {
    Values values = reals(name, {J, count});
    for (double &tau : values) {
      if (above ? !(tau > 0) : tau == 0)
        throw Error(fmt::format("{}expected time constants {}, found {}",
                                archive.place(key(name)),
                                above ? "above 0" : "other than 0", tau));
      tau = 1 / tau;
      if (!std::isfinite(tau))
        throw Error(archive.place(key(name)) +
                    "expected time constants with a finite inverse");
    }
    return values;
  }

  void readCables() {
    Values leak = rates("tau", K, true), lower = rates("tau_f", K - 1, false),
           upper = rates("tau_p", K - 1, false), gamma = reals("gamma", {J, K});
    auto row = [](const Values &all, uint64_t j, uint64_t count) {
      auto begin = all.begin() + std::ptrdiff_t(j * count);
      return Values(begin, begin + std::ptrdiff_t(count));
    };
    for (uint64_t j = 0; j < J; ++j) {
      Branch &branch = layer.branches[j];
      branch.diag = row(leak, j, K);
      for (double &rate : branch.diag)
        rate = -rate;
      branch.lower = row(lower, j, K - 1);
      branch.upper = row(upper, j, K - 1);
      branch.gamma = row(gamma, j, K);
      checkDecay(branch, j);
    }
  }

  void checkDecay(const Branch &branch, uint64_t j) {
    auto n = Eigen::Index(K);
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      T(k, k) = branch.diag[size_t(k)];
      if (k + 1 < n) {
        T(k + 1, k) = branch.lower[size_t(k)];
        T(k, k + 1) = branch.upper[size_t(k)];
      }
    }
    Eigen::EigenSolver<Eigen::MatrixXd> solver(T,
                                               /*computeEigenvectors=*/false);
    for (Eigen::Index k = 0; k < n; ++k) {
      double size = std::exp(solver.eigenvalues()[k].real() * branch.dt);
      if (!(size < 1))
        unstable("tau", j, uint64_t(k), size);
    }
  }

  // This is eq. 13: branch j has the channels [j S, j S + D').
  void readWindows() {
    int64_t window = archive.integer(key("Dp")),
            stride = archive.integer(key("S")), last = int64_t(J) - 1;
    if (window < 1)
      throw Error(fmt::format("{}expected a window of at least one channel, "
                              "found {}",
                              archive.place(key("Dp")), window));
    if (last * stride + window != layer.channels || stride < 0 ||
        (last > 0 && stride > window))
      throw Error(fmt::format(
          "{}expected windows that cover the channels, (J-1) S + D' = D = {} "
          "with S in 0..D', found J = {}, S = {}, D' = {}",
          archive.place(key("S")), layer.channels, J, stride, window));
    for (uint64_t j = 0; j < J; ++j) {
      layer.branches[j].first = int64_t(j) * stride;
      layer.branches[j].end = int64_t(j) * stride + window;
    }
  }

  // These are eq. 15 with dt = 1, and eq. 17.
  void readSoma() {
    for (double tau : perBranch("tauj")) {
      layer.join.push_back(1 / tau);
      if (!std::isfinite(layer.join.back()))
        throw Error(fmt::format("{}expected numbers other than 0, found {}",
                                archive.place(key("tauj")), tau));
    }
    double taus = above("taus");
    layer.beta = std::exp(-1 / taus);
    layer.alpha = taus * (1 - layer.beta);
    layer.feed = archive.real(key("gs"));
    layer.shift = archive.real(key("phi_p"));
    layer.scale = above("phi_s");
  }

  Archive &archive;
  std::string suffix;
  Layer &layer;
  uint64_t J = 0, K = 0;
  Values dt;
};

} // namespace

void readDendrite(Archive &archive, size_t l, Layer &layer) {
  LayerReader(archive, l, layer).run();
}

} // namespace dendrolith::npz
