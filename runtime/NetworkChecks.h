// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of validate() that look at the network: when its parts run, and
// what goes in and out.

#ifndef NEURITE_RUNTIME_NETWORKCHECKS_H
#define NEURITE_RUNTIME_NETWORKCHECKS_H

#include "runtime/ImageChecks.h"

#include <map>

namespace neurite::check {

/// Neurons [first, end) of a population and where they are.
struct Placed {
  uint64_t first, end;
  uint32_t core;
  int group;
};

struct PopulationUse {
  const image::Population *population;
  std::vector<Placed> groups;
  const image::Group *first = nullptr; // the one that was met first
  /// That its groups run, by identity; they agree in ports and outputs, and in
  /// the elements of states of one name. None: all are fixed-function.
  std::map<size_t, const image::Microprogram *> programs;
  size_t interface = 0; // of the programs
};

using Populations = std::map<std::string, PopulationUse>;

void checkSchedule(const image::Schedule &schedule);

/// Ticks of a clock within a period: of an input, a population or a group.
struct Rhythm {
  uint32_t phase = 0;
  uint64_t ticks = 1, stride = 1;

  template <typename Image>
  explicit Rhythm(const Image &image)
      : phase(image.phase()), ticks(image.ticks() ? image.ticks() : 1),
        stride(image.stride() ? image.stride() : 1) {}
};
void checkRhythm(const std::string &place, const Rhythm &rhythm,
                 const image::Schedule &schedule);

/// The least distance of two ticks, in steps.
uint64_t leastGap(const Rhythm &rhythm, const image::Schedule &schedule);

void checkInputs(const image::Program &program, const Populations &populations,
                 CoreIndex &cores);
void checkOutputs(const image::Program &program,
                  const Populations &populations);
void checkLayers(const image::Program &program);

} // namespace neurite::check

#endif // NEURITE_RUNTIME_NETWORKCHECKS_H
