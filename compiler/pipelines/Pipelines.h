// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of a compilation in the order in which they run, as pipelines that
// the driver (Compile.h) and `neurite-opt` share. Between two of them the
// driver runs the network: that is no pass, as it needs samples.

#ifndef NEURITE_COMPILER_PIPELINES_PIPELINES_H
#define NEURITE_COMPILER_PIPELINES_PIPELINES_H

#include "targets/loader/SharedTarget.h"

#include "mlir/Pass/PassOptions.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
}

namespace neurite {

struct SearchControl;
class WeightChoices;

struct RewriteOptions : mlir::PassPipelineOptions<RewriteOptions> {
  ListOption<std::string> names{
      *this, "names",
      llvm::cl::desc("rewrites of the float network: fold-readout, rank-d")};
};

struct QuantiseOptions : mlir::PassPipelineOptions<QuantiseOptions> {
  Option<std::string> target{
      *this, "target", llvm::cl::init("ideal"),
      llvm::cl::desc("chip whose numbers and engines to use (name or file)")};
  Option<unsigned> inputBits{
      *this, "input-bits", llvm::cl::init(0),
      llvm::cl::desc("of an integer that a real-valued input becomes, sign "
                     "included; 0 = 8, or what the target's payload holds")};
  Option<std::string> weightBits{
      *this, "weight-bits", llvm::cl::init(""),
      llvm::cl::desc("of weights: one number, one for each projection, or "
                     "NAME=BITS,...; empty = as many as the target has")};
  Option<std::string> stateBits{
      *this, "state-bits", llvm::cl::init(""),
      llvm::cl::desc("the same for states of neurons that run as programs")};
};

struct ScheduleOptions : mlir::PassPipelineOptions<ScheduleOptions> {
  Option<std::string> target{
      *this, "target", llvm::cl::init("ideal"),
      llvm::cl::desc(
          "chip whose gating and delay limit to use (name or file)")};
  Option<std::string> spikes{
      *this, "spikes", llvm::cl::init("auto"),
      llvm::cl::desc("how integer values travel: graded, unary or auto")};
};

struct ToChipOptions : mlir::PassPipelineOptions<ToChipOptions> {
  Option<std::string> target{*this, "target", llvm::cl::init("ideal"),
                             llvm::cl::desc("chip to map onto (name or file)")};
  Option<std::string> placement{
      *this, "placement", llvm::cl::init(""),
      llvm::cl::desc("file that pins slices of populations to cores")};
  Option<std::string> solver{
      *this, "solver", llvm::cl::init(""),
      llvm::cl::desc("mapping solver: default, round-robin, packed or "
                     "iterative-split; without "
                     "it the model's own placement, else default")};
  Option<unsigned> minCores{*this, "min-cores", llvm::cl::init(0),
                            llvm::cl::desc("use at least so many cores")};
  Option<unsigned> maxCores{
      *this, "max-cores", llvm::cl::init(0),
      llvm::cl::desc("use at most so many cores; 0 = all of the target")};
  Option<std::string> mapFor{
      *this, "map-for", llvm::cl::init(""),
      llvm::cl::desc("what to minimise: balanced, time, energy, edp or cores; "
                     "without it the model's own placement, else balanced")};
  Option<std::string> timing{
      *this, "timing", llvm::cl::init(""),
      llvm::cl::desc("timing set that steps are predicted with")};
  Option<std::string> costs{
      *this, "costs", llvm::cl::init(""),
      llvm::cl::desc("cost table that steps are priced with")};
  Option<std::string> constraints{
      *this, "map-constraints", llvm::cl::init(""),
      llvm::cl::desc(
          "file of pins, groups, dead cores and room that stays free")};
  Option<std::string> mapFrom{
      *this, "map-from", llvm::cl::init(""),
      llvm::cl::desc("image or placement of an earlier mapping to start from")};
  Option<uint64_t> maxMoves{
      *this, "max-moves", llvm::cl::init(0),
      llvm::cl::desc(
          "neurons that may leave their cores of map-from; 0 = any number")};
  Option<uint64_t> seed{*this, "map-seed", llvm::cl::init(1),
                        llvm::cl::desc("seed of the search")};
  Option<double> seconds{
      *this, "map-time", llvm::cl::init(0),
      llvm::cl::desc("seconds after which the best mapping so far is taken")};
  Option<unsigned> threads{
      *this, "threads", llvm::cl::init(1),
      llvm::cl::desc("threads of the search, which change no byte")};
  ListOption<std::string> overrideLimits{
      *this, "override-limit",
      llvm::cl::desc("limits of the target to lift, by name")};
};

/// --neurite-rewrite: those rewrites of a float network that are named, in the
/// order of floatRewriteNames(); other names are not its business.
void populateRewritePipeline(mlir::OpPassManager &module,
                             const RewriteOptions &options);
std::vector<std::string> floatRewriteNames();

/// --neurite-prepare: a float network in the form that is calibrated and
/// quantised, diagonal modes without input gains, structure ops expanded.
void populatePreparePipeline(mlir::OpPassManager &module);

/// --neurite-quantise: integers in place of a prepared float network, each
/// neuron model in the form that an engine of the target runs. The passes of
/// this and of the next two share `chip`, or one of options.target if it is
/// none. `choices` are of the network that is going to be quantised.
void populateQuantisePipeline(
    mlir::OpPassManager &module, const QuantiseOptions &options,
    SharedTarget chip = {}, std::shared_ptr<const WeightChoices> choices = {});

/// --neurite-schedule: phases, period and connection delays of an integer
/// network.
void populateSchedulePipeline(mlir::OpPassManager &module,
                              const ScheduleOptions &options,
                              SharedTarget chip = {});

/// --neurite-to-chip: the tables of a chip in place of a scheduled network.
/// `control` watches the mapper's search; it may be null.
void populateToChipPipeline(mlir::OpPassManager &module,
                            const ToChipOptions &options,
                            SharedTarget chip = {},
                            std::shared_ptr<const SearchControl> control = {});

/// Makes all of them known by their flags.
void registerNeuritePipelines();

} // namespace neurite

#endif // NEURITE_COMPILER_PIPELINES_PIPELINES_H
