// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What NIR leaves open: it fixes differential equations, neither a time step
// nor a unit nor what a spike does between two steps.

#ifndef NEURITE_COMPILER_IMPORT_NIR_OPTIONS_H
#define NEURITE_COMPILER_IMPORT_NIR_OPTIONS_H

#include "compiler/import/hdf5/Tree.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace neurite::nir {

/// Unit of tau and delay in the file. Steps: one unit is one step.
enum class TimeUnit { Seconds, Milliseconds, Steps };

/// With h = dt/tau. Euler: v += h (v_leak + r x - v). Exact: the solution for a
/// constant x. ExpDecay: v = v_leak + (v - v_leak) exp(-h) + h r x.
enum class Integrator { Euler, Exact, ExpDecay };

enum class Reset { Value, Subtract };

/// I and IF: R: v += r x (every known importer); Dt: v += dt r x (the ODE).
enum class IfConvention { R, Dt };

struct NirOptions {
  std::optional<double> dt; ///< seconds; else the file's metadata, else 1e-4
  TimeUnit timeUnit = TimeUnit::Seconds;
  Integrator integrator = Integrator::Euler;
  Reset reset = Reset::Value;
  int64_t loopDelay = 1; ///< ticks on an edge that closes a cycle
  IfConvention ifConvention = IfConvention::R;
  hdf5::Limits limits;
};

/// Sets one option by its name on the command line: dt, time-unit (s, ms,
/// steps), integrator (euler, exact, expdecay), reset (value, subtract),
/// loop-delay, if-convention (r, dt). Throws neurite::Error.
void setOption(NirOptions &options, const std::string &name,
               const std::string &value);

/// Printed beside the result: option and the value that was used.
using Policies = std::vector<std::pair<std::string, std::string>>;

} // namespace neurite::nir

#endif // NEURITE_COMPILER_IMPORT_NIR_OPTIONS_H
