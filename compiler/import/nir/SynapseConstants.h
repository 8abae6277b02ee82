// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a NIR graph as `dend.constant`s, and the synapses that use them.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_SYNAPSECONSTANTS_H
#define DENDROLITH_COMPILER_IMPORT_NIR_SYNAPSECONSTANTS_H

#include "compiler/import/nir/LinearMap.h"
#include "compiler/import/nir/Neuron.h"

#include <map>

namespace dendrolith::nir {

/// The kind and the constants of a `dend.project`.
struct Synapses {
  mlir::Attribute kind;
  mlir::FlatSymbolRefAttr weight, indices;
};

/// Creates constants at the builder's insertion point; maps and biases that
/// share their values share a constant.
class Constants {
public:
  Constants(mlir::OpBuilder &builder, Names &names)
      : builder(builder), names(names) {}

  mlir::FlatSymbolRefAttr real(const std::string &name, const Shape &shape,
                               const std::vector<double> &values, bool float32);
  Synapses synapses(const LinearMap &map);
  /// The constant of a bias, null if there is no bias.
  mlir::FlatSymbolRefAttr bias(const Bias &bias);

private:
  template <typename T>
  mlir::FlatSymbolRefAttr constant(const std::string &name, const Shape &shape,
                                   mlir::Type element,
                                   const std::vector<T> &values);
  Synapses sparse(const LinearMap &map);
  Synapses sparse(const LinearMap &map, const std::vector<double> &values,
                  const std::vector<int64_t> &indices);
  std::pair<mlir::Attribute, Shape> kindOf(const LinearMap &map);

  mlir::OpBuilder &builder;
  Names &names;
  std::map<const std::vector<double> *, mlir::FlatSymbolRefAttr> weights,
      biases;
};

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_SYNAPSECONSTANTS_H
