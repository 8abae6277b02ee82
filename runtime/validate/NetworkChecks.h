// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of validate() that look at the network: when its parts run, and
// what goes in and out.

#ifndef DENDROLITH_RUNTIME_VALIDATE_NETWORKCHECKS_H
#define DENDROLITH_RUNTIME_VALIDATE_NETWORKCHECKS_H

#include "runtime/image/TickSchedule.h"
#include "runtime/validate/Check.h"

#include <map>

namespace dendrolith::check {

/// Neurons [first, end) of a population and where they are.
struct Placed {
  uint64_t first, end;
  uint32_t core;
  int group;
};

/// A population and the groups that hold its neurons.
struct PopulationUse {
  const image::Population *population;
  std::vector<Placed> groups;
  const image::Group *first = nullptr; // the one that was met first
  /// The programs that its groups run, by identity. They agree in ports and
  /// outputs, and in the elements of states of one name. There is none where
  /// all groups are fixed-function.
  std::map<size_t, const image::Microprogram *> programs;
  size_t interface = 0; // common to the programs
};

using Populations = std::map<std::string, PopulationUse>;

void checkSchedule(const image::Schedule &schedule);

/// Checks that the ticks of a clock lie within a period.
void checkTickSchedule(const std::string &place, const TickSchedule &own,
                       const image::Schedule &schedule);

/// The least distance of two ticks, in steps.
uint64_t leastGap(const TickSchedule &own, const image::Schedule &schedule);

void checkInputs(const image::Program &program, const Populations &populations,
                 CoreIndex &cores);
void checkOutputs(const image::Program &program,
                  const Populations &populations);
void checkLayers(const image::Program &program);

} // namespace dendrolith::check

#endif // DENDROLITH_RUNTIME_VALIDATE_NETWORKCHECKS_H
