// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model on its way to a program image, stage by stage.

#ifndef DENDROLITH_COMPILER_PIPELINES_COMPILE_H
#define DENDROLITH_COMPILER_PIPELINES_COMPILE_H

#include "compiler/import/Import.h"
#include "compiler/mapping/MappingMemo.h"
#include "compiler/mapping/result/Measure.h"
#include "compiler/pipelines/Diagnostics.h"
#include "compiler/pipelines/Explain.h"
#include "compiler/pipelines/Stages.h"
#include "dialects/dend/reference/Tensor.h"
#include "runtime/host/Signals.h"
#include "runtime/image/program.pb.h"
#include "targets/loader/Target.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith {

/// One model and what has become of it. Every stage throws Error (place,
/// expected, found, what to do; Refused and Unsupported where the chip is what
/// a sound network does not go with) and leaves earlier stages usable. The file
/// of a chip is read once, by the first stage that asks for it, and again only
/// for a stage that names another chip.
class Compilation {
public:
  /// Gives the arrays for a network's extern constants, by key.
  using Bind = std::function<dend::Bindings(dend::NetworkOp)>;

  /// Imports the model and binds its constants.
  explicit Compilation(const std::string &path,
                       const ImportOptions &options = {},
                       const Bind &bind = {});

  /// From now on, samples run on so many threads, or one per processor for 0.
  /// No result depends on it.
  void useThreads(unsigned threads) { sampleThreads = threads; }

  /// Applies those of options.rewrites that change the float network, which
  /// then is the model. It must come before calibrate(), which runs the result
  /// beside the network as it was.
  void rewrite(const CompileOptions &options);

  /// Runs the float network, in the form that chips run, on the samples and
  /// records ranges and rates for the quantiser and the mapper. `inputs` holds
  /// the samples of each input by its name; `what` says in the report where the
  /// samples come from, and `files`, by input, the SHA-256 of what they were
  /// read from.
  void calibrate(const std::map<std::string, Samples> &inputs,
                 const std::string &what = "given",
                 const std::map<std::string, std::string> &files = {});

  /// calibrate() on the samples that came with the model, if it has any.
  void calibrateOnExamples();

  /// Quantises and schedules a copy of the float network for a target, removes
  /// dead units if options.rewrites say so, and runs the result on calibration
  /// samples (CheckQuantised.h).
  void quantise(const CompileOptions &options);

  /// What the chip has to have for the integer network, whatever its mapping;
  /// needs quantise().
  std::vector<Need> leastNeeds(const CompileOptions &options);

  /// Whether quantise() asked the mapper which form of a wide neuron is
  /// cheapest: then the integer network depends on all that the mapper reads.
  bool isShapedByMapping() const { return shapedByMapping; }

  /// Maps the integer network; needs quantise().
  void lower(const CompileOptions &options);

  /// Takes out what lower() made, so that another mapping can be tried.
  mlir::OwningOpRef<mlir::ModuleOp> takeMapped() { return std::move(chip); }
  /// Puts back what takeMapped() gave.
  void putMapped(mlir::OwningOpRef<mlir::ModuleOp> mapped) {
    chip = std::move(mapped);
  }

  /// The samples of calibrate(), by input; empty without any.
  const std::map<std::string, Samples> &calibrationSamples() const {
    return calibrationInputs;
  }

  /// What has become of each node so far, or why it cannot go on.
  std::vector<NodeFate> explain(const CompileOptions &options);

  /// The program image; needs lower().
  image::Program emit() const;

  dend::NetworkOp floatNetwork();
  dend::NetworkOp fixedNetwork(); ///< null before quantise()
  /// Text of a stage: "dend", "dend-fixed" or "chip".
  std::string text(const std::string &stage);

  /// Warnings of the import and, after quantise(), of all stages so far.
  Warnings warnings();
  /// Choices of importer and calibration, as key and value.
  const Choices &choices() const { return model.choices; }
  /// What rewrites did so far, as lines of text.
  std::vector<std::string> rewriteLines();
  /// Integers and their cores are in the file: nothing is left to calibrate.
  bool isComplete() const { return model.complete; }
  const dend::Bindings &constants() const { return bindings; }
  const std::string &name() const { return model.name; }
  /// The chip as quantise() and lower() took it, all of its limits in force.
  const Target &target() const { return named.get(); }
  /// The SHA-256 of the model's file.
  const std::string &sha256() const { return fileSha256; }

private:
  /// The float network in the form that is calibrated and quantised: diagonal
  /// modes without input gains, expanded. It is made when first asked for.
  dend::NetworkOp preparedNetwork();
  /// The chip that `options` name, shared by all stages that name the same.
  const SharedTarget &chipOf(const CompileOptions &options);

  mlir::MLIRContext context;
  ImportedModel model;
  dend::Bindings bindings;
  std::map<std::string, Samples> calibrationInputs; ///< as calibrate() got them
  unsigned sampleThreads = 1;
  std::string fileSha256;
  SharedTarget named; ///< the chip of the last stage
  Target lifted;      ///< the chip of lower(), without the limits it overrides
  /// A form of the dendrites that fits no better than that in `fixed`.
  std::optional<Tried> tried;
  bool shapedByMapping = false;
  MappingMemo mappings; ///< of the forms of `fixed` that were looked at
  /// The float network before rewrites, if there are any.
  mlir::OwningOpRef<mlir::ModuleOp> plain;
  mlir::OwningOpRef<mlir::ModuleOp> prepared, fixed, chip;
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_PIPELINES_COMPILE_H
