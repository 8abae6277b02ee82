// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of a NIR neuron as the ops of a `dend.neuron` body.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_STEPBODY_H
#define DENDROLITH_COMPILER_IMPORT_NIR_STEPBODY_H

#include "compiler/import/nir/Dynamics.h"

#include "mlir/IR/Builders.h"

#include <map>

namespace dendrolith::nir {

struct StateForm {
  std::string name;
  bool isBit; ///< i1, else a real
};

/// The states that a node needs under a policy, in their order.
std::vector<StateForm> statesOf(const Dynamics &dynamics,
                                const NirOptions &options);

/// Writes the body at the builder's insertion point. `in` has the block
/// arguments by their names: the port, parameters and states.
class StepBody {
public:
  StepBody(mlir::OpBuilder &builder, mlir::Location loc,
           const NirOptions &options, const Dynamics &dynamics,
           std::map<std::string, mlir::Value> in)
      : b(builder), loc(loc), options(options), dynamics(dynamics),
        in(std::move(in)) {}
  void build(const std::vector<StateForm> &states);

private:
  mlir::Value operator[](const char *name) const {
    auto it = in.find(name);
    return it == in.end() ? mlir::Value() : it->second;
  }
  mlir::Value literal(double value);
  mlir::Value whole(mlir::Value v);
  mlir::Value compartment(const char *state, mlir::Value drive,
                          mlir::Value keep, mlir::Value gain,
                          mlir::Value offset);
  mlir::Value lateBiases(mlir::Value drive);
  mlir::Value lateReset(mlir::Value v);
  void fire(mlir::Value v);
  void fireMany(mlir::Value v);
  void fireAgain(mlir::Value v);

  mlir::OpBuilder &b;
  mlir::Location loc;
  const NirOptions &options;
  const Dynamics &dynamics;
  std::map<std::string, mlir::Value> in;
  std::map<std::string, mlir::Value> next; ///< states
  mlir::Value spike;                       ///< of this step
};

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_STEPBODY_H
