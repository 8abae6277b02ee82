// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes of a compilation in the order in which they run, as pipelines that
// the driver (Compile.h) and `dendrolith-opt` share. Between two of them the
// driver runs the network: that is no pass, as it needs samples.

#ifndef DENDROLITH_COMPILER_PIPELINES_PIPELINES_H
#define DENDROLITH_COMPILER_PIPELINES_PIPELINES_H

#include "targets/loader/Target.h"

#include "mlir/Pass/PassOptions.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
}

namespace dendrolith {

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
  Option<std::string> inputBits{
      *this, "input-bits", llvm::cl::init(""),
      llvm::cl::desc("of integers that real-valued inputs become: one number, "
                     "one for each input, or NAME=BITS,...; empty = 8")};
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

/// --dendrolith-rewrite: those rewrites of a float network that are named, in
/// the order of floatRewriteNames(); other names are not its business.
void populateRewritePipeline(mlir::OpPassManager &module,
                             const RewriteOptions &options);
std::vector<std::string> floatRewriteNames();

/// --dendrolith-prepare: a float network in the form that is calibrated and
/// quantised, arithmetic raised to structure where it is one, diagonal modes
/// without input gains, structure ops expanded.
void populatePreparePipeline(mlir::OpPassManager &module);

/// --dendrolith-quantise: integers in place of a prepared float network, each
/// neuron model in the form that an engine of the target runs. The passes of
/// this and of the next one share `chip`, or one of options.target if it is
/// none. `choices` are of the network that is going to be quantised.
void populateQuantisePipeline(
    mlir::OpPassManager &module, const QuantiseOptions &options,
    SharedTarget chip = {}, std::shared_ptr<const WeightChoices> choices = {});

/// --dendrolith-schedule: phases, period and connection delays of an integer
/// network.
void populateSchedulePipeline(mlir::OpPassManager &module,
                              const ScheduleOptions &options,
                              SharedTarget chip = {});

/// Makes all of them known by their flags.
void registerDendrolithPipelines();

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_PIPELINES_H
