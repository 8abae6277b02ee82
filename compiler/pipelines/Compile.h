// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model on its way to a program image, stage by stage.

#ifndef NEURITE_COMPILER_PIPELINES_COMPILE_H
#define NEURITE_COMPILER_PIPELINES_COMPILE_H

#include "compiler/import/Import.h"
#include "compiler/pipelines/Explain.h"
#include "dialects/dend/reference/Tensor.h"
#include "runtime/host/Signals.h"
#include "runtime/image/program.pb.h"
#include "targets/loader/Target.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <string>
#include <vector>

namespace neurite {

struct CompileOptions {
  std::string target = "ideal"; // name or file
  std::string placement;        // file, "" = the solver decides
  std::string solver; // "" = the model's own placement, else "default"
  std::vector<std::string> overrideLimits;
  std::string spikes = "auto"; // how integers travel: "graded", "unary"
  unsigned inputBits = 0;      // of a real-valued input; 0 = 8 or the payload's
  unsigned minCores = 0;       // that are used at the least
  std::vector<std::string> rewrites; // by name (Rewrites.h)
  // A wide dendrite: "wide", a number of parts, sizes (5+6+5), or by cost.
  std::string splitDendrite = "auto";
};

/// One model and what has become of it. Every stage throws Error (place,
/// expected, found, what to do) and leaves earlier stages usable.
class Compilation {
public:
  /// Imports the model; `bindings` gives extern constants by key.
  Compilation(const std::string &path, const nir::NirOptions &options,
              dend::Bindings bindings = {});

  /// Applies those of options.rewrites that change the float network, which
  /// then is the model; before calibrate(), which runs it beside the one
  /// before.
  void rewrite(const CompileOptions &options);

  /// Runs the float network, in the form that chips run, on the samples and
  /// records ranges and rates for the quantiser and the mapper. Inputs by name;
  /// `what` says in the report where the samples come from.
  void calibrate(const std::map<std::string, Samples> &inputs,
                 const std::string &what = "given");

  /// calibrate() on the samples that came with the model, if it has any.
  void calibrateOnExamples();

  /// Quantises and schedules a copy of the float network for a target, removes
  /// dead units if options.rewrites say so, and runs the result on calibration
  /// samples (CheckQuantised.h).
  void quantise(const CompileOptions &options);

  /// Maps the integer network; needs quantise().
  void lower(const CompileOptions &options);

  /// What has become of each node so far, or why it cannot go on.
  std::vector<NodeFate> explain(const CompileOptions &options);

  /// The program image; needs lower().
  image::Program emit() const;

  dend::NetworkOp floatNetwork();
  dend::NetworkOp fixedNetwork(); // null before quantise()
  /// Text of a stage: "dend", "dend-fixed" or "chip".
  std::string text(const std::string &stage);

  const std::vector<std::string> &warnings() const { return model.warnings; }
  /// Choices of importer and calibration, as key and value.
  const Choices &choices() const { return model.choices; }
  /// What rewrites did so far, as lines of text.
  std::vector<std::string> rewriteLines();
  /// Integers and their cores are in the file: nothing is left to calibrate.
  bool isComplete() const { return model.complete; }
  const dend::Bindings &constants() const { return bindings; }
  const std::string &name() const { return model.name; }
  const std::string &sha256() const { return fileSha256; } // of the model file

private:
  /// The float network in the form that is calibrated and quantised: diagonal
  /// modes without input gains, expanded. Made on first use.
  dend::NetworkOp preparedNetwork();

  mlir::MLIRContext context;
  ImportedModel model;
  dend::Bindings bindings;
  std::map<std::string, Samples> calibrationInputs; // of calibrate()
  std::string fileSha256;
  Target target;
  mlir::OwningOpRef<mlir::ModuleOp> plain; // before rewrites, if there are any
  mlir::OwningOpRef<mlir::ModuleOp> prepared, fixed, chip;
};

} // namespace neurite

#endif // NEURITE_COMPILER_PIPELINES_COMPILE_H
