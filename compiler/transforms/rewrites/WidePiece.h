// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models of the pieces that a wide neuron divides into: copies of what each
// of them computes of the body.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEPIECE_H
#define DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEPIECE_H

#include "compiler/transforms/rewrites/WideBody.h"

#include "mlir/IR/Builders.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace dendrolith {

/// Elements of a value of the wide body that a port receives.
struct PieceInput {
  mlir::Value value; ///< a port of the wide neuron, or what a piece sends
  std::string port;
  std::vector<int64_t> positions; ///< of the elements within the value
};

/// Elements of a value that a piece sends. A value wider than a message goes
/// out in several, the lowest bits first.
struct PieceOutput {
  mlir::Value value;
  llvm::SmallVector<std::pair<std::string, int64_t>> messages; ///< and shifts
  std::vector<int64_t> positions;
};

/// A parameter of a piece that holds a range of one of the wide neuron's.
struct PieceParam {
  unsigned param;
  std::string name;
  int axis;
};

/// One piece in the making. Values are copied when they are asked for.
class WidePiece {
public:
  /// The piece has the range from `low` to before `high` of a sliced value.
  WidePiece(const WideBody &body, llvm::StringRef name, int64_t low,
            int64_t high, unsigned messageBits);

  /// These values arrive from the front.
  void receiveFromFront(const llvm::SetVector<mlir::Value> *values) {
    fromFront = values;
  }
  /// What other pieces send the combiner arrives in ports.
  void combine() { combines = true; }

  /// What this piece has of a value leaves it.
  void send(mlir::Value value);
  /// It holds this state of the wide neuron.
  void hold(unsigned state);
  /// The outputs of the wide neuron leave here.
  void emitOutputs();
  /// Ends the body. New values of states are copied before.
  dend::NeuronOp finish();

  std::vector<PieceInput> inputs;
  std::vector<PieceOutput> outputs;
  std::vector<PieceParam> params;
  /// The shared values outside regions that it has computed or received.
  llvm::SetVector<mlir::Value> shared;

private:
  using Form = std::pair<mlir::Value, int>;

  mlir::Value get(mlir::Value value, int axis);
  mlir::Value make(mlir::Value value, int axis);
  mlir::Value argument(mlir::BlockArgument argument, int axis);
  mlir::Value receive(mlir::Value value, int axis);
  mlir::Value copy(mlir::Operation *op, mlir::Value value, int axis,
                   llvm::ArrayRef<int> axes);
  mlir::Value sliceOf(mlir::Value vector, mlir::Type type);
  mlir::Value own(mlir::Value value);
  void copyWhen(dend::WhenOp when);
  mlir::Value addArgument(unsigned position, mlir::Type type);
  mlir::Value addPort(const std::string &name, mlir::Type type,
                      mlir::FlatSymbolRefAttr hold);
  void emit(const std::string &name, dend::SpikeType type, mlir::Value value);
  mlir::Type typeOf(mlir::Value value, int axis) const;
  std::vector<int64_t> positions(mlir::Value value, int axis) const;
  /// Copies of ops of that block of the wide body come next there.
  void enter(mlir::Block *block);

  const WideBody &body;
  dend::NeuronOp from, model;
  int64_t low, high;
  unsigned messageBits;
  bool combines = false;
  const llvm::SetVector<mlir::Value> *fromFront = nullptr;
  mlir::OpBuilder builder;
  llvm::DenseMap<mlir::Block *, mlir::OpBuilder::InsertPoint> points;
  llvm::DenseMap<Form, mlir::Value> made;
  llvm::SmallVector<mlir::Attribute> portAttrs, paramAttrs, stateAttrs,
      outputAttrs;
  llvm::SmallVector<unsigned> held; // states of the wide neuron
  llvm::SmallVector<mlir::Value> emitted;
  llvm::StringSet<> portNames;
};

/// A name for a value of the body that travels between pieces.
std::string travelName(const WideBody &body, mlir::Value value);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_REWRITES_WIDEPIECE_H
