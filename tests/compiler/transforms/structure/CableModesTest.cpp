// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modes of a cable, put together again, are the cable: C A^n G equals the
// last compartment's answer to one unit of input n steps ago.

#include "compiler/transforms/structure/CableModes.h"

#include "dialects/dend/ZeroOrderHold.h"
#include "dialects/dend/reference/Cable.h"

#include <gtest/gtest.h>
#include <random>

namespace dendrolith {
namespace {

struct Cable {
  std::vector<double> diag, lower, upper, gamma;
};

Cable draw(std::mt19937 &random, size_t K, double sign) {
  auto uniform = [&](double low, double high) {
    return low + (high - low) * double(random()) / 4294967296.0;
  };
  Cable cable;
  for (size_t k = 0; k < K; ++k) {
    cable.diag.push_back(-uniform(1, 2));
    cable.gamma.push_back(uniform(-1, 1));
    if (k + 1 < K) {
      cable.lower.push_back(uniform(0.2, 0.5));
      cable.upper.push_back(sign * uniform(0.2, 0.5));
    }
  }
  return cable;
}

/// Largest difference of the answers over 30 steps.
double difference(const Cable &c, const CableModes &modes, double dt) {
  dend::CableStep step = dend::cableStep(c.diag, c.lower, c.upper, c.gamma, dt);
  size_t K = c.diag.size();
  std::vector<double> V = step.gain;
  std::vector<std::complex<double>> x;
  for (size_t k = 0; k < K; ++k)
    x.push_back(dend::holdGain(modes.lambda[k], dt) * modes.gain[k]);
  double worst = 0;
  for (int n = 0; n < 30; ++n) {
    std::complex<double> answer = 0;
    for (size_t k = 0; k < K; ++k) {
      answer += modes.read[k] * x[k];
      x[k] *= std::exp(modes.lambda[k] * dt);
    }
    worst = std::max(worst, std::abs(answer - V[K - 1]));
    std::vector<double> next(K, 0.0);
    for (size_t i = 0; i < K; ++i)
      for (size_t m = 0; m < K; ++m)
        next[i] += step.keep[i * K + m] * V[m];
    V = next;
  }
  return worst;
}

TEST(CableModes, OfAPhysicalCableAreReal) {
  std::mt19937 random(1);
  for (size_t K : {1, 2, 3, 8, 16}) {
    Cable c = draw(random, K, 1);
    CableModes modes = cableModes(c.diag, c.lower, c.upper, c.gamma);
    EXPECT_TRUE(modes.real);
    for (auto lambda : modes.lambda) {
      EXPECT_EQ(lambda.imag(), 0);
      EXPECT_LT(lambda.real(), 0);
    }
    EXPECT_LT(difference(c, modes, 0.7), 1e-12) << K;
  }
}

TEST(CableModes, OfOtherLinksAreComplex) {
  std::mt19937 random(2);
  for (size_t K : {2, 3, 8}) {
    Cable c = draw(random, K, -3);
    CableModes modes = cableModes(c.diag, c.lower, c.upper, c.gamma);
    EXPECT_FALSE(modes.real) << K;
    EXPECT_LT(difference(c, modes, 0.7), 1e-10) << K;
  }
}

// With links of both negative signs T is still similar to a symmetric matrix.
TEST(CableModes, NegativeLinksInPairs) {
  Cable c{{-2, -3}, {-0.5}, {-0.25}, {1, 2}};
  CableModes modes = cableModes(c.diag, c.lower, c.upper, c.gamma);
  EXPECT_TRUE(modes.real);
  EXPECT_LT(difference(c, modes, 0.5), 1e-14);
}

TEST(CableModes, OneWayChain) {
  Cable c{{-2, -3, -4}, {1, 1}, {0, 0}, {1, 0, 0}};
  CableModes modes = cableModes(c.diag, c.lower, c.upper, c.gamma);
  EXPECT_TRUE(modes.real);
  EXPECT_LT(difference(c, modes, 0.5), 1e-14);
}

// D = (1, 1e4): P = D Q has that condition number.
TEST(CableModes, ConditionOfUnequalLinks) {
  Cable c{{-2, -2}, {1e4}, {1e-4}, {1, 0}};
  EXPECT_NEAR(cableModes(c.diag, c.lower, c.upper, c.gamma).condition, 1e4,
              1e-6);
}

// One time constant, one-way: T has a single eigenvector.
TEST(CableModes, DefectiveChainHasNoCondition) {
  Cable c{{-2, -2}, {1}, {0}, {1, 0}};
  EXPECT_GT(cableModes(c.diag, c.lower, c.upper, c.gamma).condition, 1e12);
}

} // namespace
} // namespace dendrolith
