// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "dialects/dend/reference/Functions.h"

#include <cmath>

namespace dendrolith::dend {

double apply(Function function, double x) {
  switch (function) {
  case Function::Exp:
    return std::exp(x);
  case Function::Log:
    return std::log(x);
  case Function::Tanh:
    return std::tanh(x);
  case Function::Sigmoid:
    return 1.0 / (1.0 + std::exp(-x));
  case Function::Sqrt:
    return std::sqrt(x);
  case Function::Rsqrt:
    return 1.0 / std::sqrt(x);
  case Function::Reciprocal:
    return 1.0 / x;
  case Function::Softplus:
    // log(1 + e^x) without overflow.
    return (x > 0 ? x : 0.0) + std::log1p(std::exp(-std::fabs(x)));
  }
  return x;
}

template <Function function>
static void applyToAll(double *numbers, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    numbers[i] = apply(function, numbers[i]);
}

FunctionInPlace inPlace(Function function) {
  switch (function) {
  case Function::Exp:
    return applyToAll<Function::Exp>;
  case Function::Log:
    return applyToAll<Function::Log>;
  case Function::Tanh:
    return applyToAll<Function::Tanh>;
  case Function::Sigmoid:
    return applyToAll<Function::Sigmoid>;
  case Function::Sqrt:
    return applyToAll<Function::Sqrt>;
  case Function::Rsqrt:
    return applyToAll<Function::Rsqrt>;
  case Function::Reciprocal:
    return applyToAll<Function::Reciprocal>;
  case Function::Softplus:
    return applyToAll<Function::Softplus>;
  }
  return nullptr;
}

} // namespace dendrolith::dend
