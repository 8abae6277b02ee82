// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network of integers, chosen among several by what it answers: ways of
// choosing weights differ in which networks they suit.

#ifndef DENDROLITH_COMPILER_PIPELINES_CHOOSENETWORK_H
#define DENDROLITH_COMPILER_PIPELINES_CHOOSENETWORK_H

#include "compiler/pipelines/Stages.h"
#include "runtime/host/Signals.h"
#include "targets/loader/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <map>
#include <string>
#include <vector>

namespace dendrolith {

/// One way of choosing weights.
struct QuantiserCandidate {
  std::string name;
  QuantiserOptions options; ///< without "auto"
};

/// What of a network decides on which ways there are.
struct QuantisedKind {
  bool fewBits = false;       ///< some weights have fewer than 8
  bool samples = false;       ///< for calibration
  bool programs = false;      ///< neurons whose units may change
  bool fixedFunction = false; ///< neurons that may have steps of their own
};

/// The ways that `asked` leaves open, those that are taken on a tie first.
std::vector<QuantiserCandidate> candidatesOf(const QuantiserOptions &asked,
                                             const QuantisedKind &network);

/// How a network of integers was chosen.
struct ChosenNetwork {
  QuantiserOptions used;
  /// What each candidate lost, for the report; empty where there was one.
  std::string among;
};

/// Puts the integers of `chip` in place of a prepared network. Of several
/// candidates the one stays whose answers to the calibration samples are
/// closest to the float network's; one that cannot be quantised does not
/// count. Fails with a diagnostic. Threads as in RunSamples.h.
mlir::LogicalResult chooseNetwork(mlir::OwningOpRef<mlir::ModuleOp> &network,
                                  const CompileOptions &options,
                                  const SharedTarget &chip,
                                  const std::map<std::string, Samples> &inputs,
                                  unsigned threads, ChosenNetwork &chosen);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_CHOOSENETWORK_H
