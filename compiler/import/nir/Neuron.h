// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Neuron models (`dend.neuron`) for NIR nodes, one per distinct form.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_NEURON_H
#define DENDROLITH_COMPILER_IMPORT_NIR_NEURON_H

#include "compiler/import/common/Importer.h"
#include "compiler/import/nir/Dynamics.h"

#include "mlir/IR/Builders.h"

#include <map>

namespace dendrolith::nir {

/// A parameter of the model and the values a population binds to it.
using Binding = std::pair<std::string, Parameter>;
std::vector<Binding> bindings(const Dynamics &dynamics);

/// What states begin with, by name: a number, or the symbol of a constant.
/// Those that begin at 0 are absent.
using Starts = std::map<std::string, mlir::Attribute>;

/// Creates models at the builder's insertion point and hands out their names.
class NeuronModels {
public:
  NeuronModels(mlir::OpBuilder &builder, Names &names)
      : builder(builder), names(names) {}
  /// Gives the model of a node: port "I"; states "i" and "v" as far as the node
  /// has them, "fired" (the last step's spike) and "age" (steps so far, up to
  /// the last late bias) where they are needed; output "s" where it has a
  /// threshold (binary, or graded with many spikes in a step), else "v"
  /// (graded); and "early" where the dynamics have it.
  std::string model(Type type, const Dynamics &dynamics,
                    const NirOptions &options, const Starts &starts);
  /// Gives the model that an Output node reads: state v := I, output "v".
  /// `dynamics` has a potential without `keep`, and perhaps late biases.
  std::string readout(const Dynamics &dynamics);

private:
  std::string create(const std::string &hint, const Dynamics &dynamics,
                     const NirOptions &options, const Starts &starts);
  mlir::OpBuilder &builder;
  Names &names;
  std::map<std::string, std::string> made; ///< by form
};

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_NEURON_H
