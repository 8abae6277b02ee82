// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run without a clock: values and counts of a program image.

#ifndef DENDROLITH_SIMULATOR_FUNCTIONALPROGRAM_H
#define DENDROLITH_SIMULATOR_FUNCTIONALPROGRAM_H

#include "runtime/host/Signals.h"
#include "runtime/image/Program.h"
#include "simulator/options/RunOptions.h"
#include "simulator/result/RunResult.h"
#include "targets/loader/Target.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace dendrolith::sim {

/// A program made ready to run without a clock, any number of times. `target`
/// gives the mesh on which hops are counted. A sample takes so many threads as
/// there are `shares` of its cores (sharesWorth() in
/// functional/machine/CoreShares.h); the result does not depend on it.
class FunctionalProgram {
public:
  FunctionalProgram(const image::Program &program, const Target &target,
                    unsigned shares = 1);
  /// The same, emptying the synapse and axon tables of `program` once they are
  /// read: all else of it stays.
  FunctionalProgram(image::Program *program, const Target &target,
                    unsigned shares = 1);
  /// The same of some cores alone, whose synapses are all that `program` needs
  /// to have. Only a run with ranks, each with its cores, is one of all.
  FunctionalProgram(image::Program *program, const Target &target,
                    unsigned shares, CoreShare own);
  ~FunctionalProgram();

  /// The same integers as every other engine. Throws Error for bad input.
  RunResult run(const std::map<std::string, Samples> &inputs,
                const RunOptions &options) const;
  /// Bytes in which synapses are held.
  uint64_t synapseBytes() const;

  /// One sample that comes in pieces. Each tick is taken to its end before the
  /// next one begins, so that an input may depend on all outputs before it, and
  /// gives what run() gives of the whole: what a tick sends acts on this tick
  /// or a later one.
  class Stepper {
  public:
    /// `program` outlives it. Throws Error for an image where a spike acts on
    /// an earlier tick than its own, which the compiler never makes.
    explicit Stepper(const FunctionalProgram &program);
    ~Stepper();
    /// The outputs of the next ticks, or with `anew` of another sample's first
    /// ones, as many as the inputs have; nothing is counted. Throws Error for
    /// bad input, which changes nothing.
    std::vector<OutputData> run(const std::map<std::string, Samples> &inputs,
                                bool anew);
    /// Values of this sample that saturated at an end of an input's range.
    uint64_t saturated() const;

  private:
    struct Kept;
    std::unique_ptr<Kept> kept;
  };

private:
  RunResult runTogether(const std::map<std::string, Samples> &inputs,
                        const RunOptions &options) const;

  struct Parts;
  std::unique_ptr<Parts> parts;
};

/// Both at once, in one process.
RunResult runFunctional(const image::Program &program, const Target &target,
                        const std::map<std::string, Samples> &inputs,
                        const RunOptions &options);

} // namespace dendrolith::sim

#endif // DENDROLITH_SIMULATOR_FUNCTIONALPROGRAM_H
