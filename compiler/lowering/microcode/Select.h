// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over a body that selectInstructions() makes.

#ifndef DENDROLITH_COMPILER_LOWERING_MICROCODE_SELECT_H
#define DENDROLITH_COMPILER_LOWERING_MICROCODE_SELECT_H

#include "compiler/lowering/microcode/VirtualCode.h"
#include "dialects/dend/DendEnums.h"
#include "runtime/microcode/Isa.h"

#include "targets/loader/chip/Microcode.h"
#include "llvm/ADT/DenseSet.h"

#include <optional>
#include <string_view>
#include <vector>

namespace dendrolith {

// The dialect's enums as those of instructions, whose numbers images store. The
// two are declared apart, so each pair is compared here while compiling.

constexpr micro::Rounding toMicro(dend::Rounding rounding) {
  return static_cast<micro::Rounding>(rounding);
}
static_assert(
    toMicro(dend::Rounding::Floor) == micro::Rounding::Floor &&
    toMicro(dend::Rounding::TowardZero) == micro::Rounding::TowardZero &&
    toMicro(dend::Rounding::NearestEven) == micro::Rounding::NearestEven &&
    toMicro(dend::Rounding::NearestUp) == micro::Rounding::NearestUp &&
    dend::getMaxEnumValForRounding() ==
        static_cast<unsigned>(micro::Rounding::NearestUp));

constexpr micro::Predicate toMicro(dend::Predicate predicate) {
  return static_cast<micro::Predicate>(predicate);
}
static_assert(toMicro(dend::Predicate::EQ) == micro::Predicate::EQ &&
              toMicro(dend::Predicate::NE) == micro::Predicate::NE &&
              toMicro(dend::Predicate::LT) == micro::Predicate::LT &&
              toMicro(dend::Predicate::LE) == micro::Predicate::LE &&
              toMicro(dend::Predicate::GT) == micro::Predicate::GT &&
              toMicro(dend::Predicate::GE) == micro::Predicate::GE &&
              dend::getMaxEnumValForPredicate() ==
                  static_cast<unsigned>(micro::Predicate::GE));

class Selector {
public:
  Selector(dend::NeuronOp model, llvm::ArrayRef<bool> biased);
  mlir::FailureOr<VirtualCode> run();

private:
  // Select.cpp has the walk and the element-wise ops.
  void placeArguments();
  void findUsed();
  void findUsed(mlir::Block &block);
  mlir::LogicalResult select(mlir::Operation &op);
  mlir::LogicalResult simple(MicroOp code, mlir::Operation &op);
  VirtualInstruction &append(MicroOp op, mlir::Operation *from,
                             mlir::Value value);
  VirtualInstruction &elementwise(MicroOp code, mlir::Operation *op);
  void read(VirtualInstruction &i, unsigned operand, OperandPlace place);
  void read(VirtualInstruction &i, unsigned operand, mlir::Value value,
            bool repeat);
  OperandPlace write(VirtualInstruction &i, mlir::Value value);
  void writeInto(VirtualInstruction &i, OperandPlace place, uint32_t offset);
  OperandPlace constant(llvm::ArrayRef<int64_t> words);
  static uint32_t elements(mlir::Value value);
  static uint8_t width(mlir::Type type);
  static int exponent(mlir::Value value);

  // SelectOps.cpp has scaling, literals, tables, products and the ladder.
  bool fusedRescale(dend::MulOp mul);
  mlir::LogicalResult select(dend::RescaleOp op);
  mlir::LogicalResult select(dend::LiteralOp op);
  mlir::LogicalResult select(dend::TableOp op);
  mlir::LogicalResult select(dend::SsfOp op);
  mlir::LogicalResult select(dend::OuterAddOp op);
  mlir::LogicalResult select(dend::ReduceOp op);
  template <typename Op> mlir::LogicalResult selectProduct(Op op);

  // SelectOps.cpp has addressing, regions, emissions and stores.
  mlir::LogicalResult select(dend::SliceOp op);
  mlir::LogicalResult select(dend::ElementOp op);
  mlir::LogicalResult select(dend::ConcatOp op);
  mlir::LogicalResult select(dend::RollOp op);
  mlir::LogicalResult select(dend::SplatOp op);
  mlir::LogicalResult select(dend::WhenOp op);
  void move(mlir::Operation *from, mlir::Value like, uint32_t n,
            OperandPlace to, uint32_t offset, OperandPlace source,
            const std::string &name);
  int stateInPlace(dend::WhenOp op, unsigned number);
  bool isInPlace(mlir::Value value, const OperandPlace &state);
  void finish();

  /// Gives a value's words another name. The place is copied, since the new key
  /// may move the map.
  void alias(mlir::Value name, mlir::Value value) {
    OperandPlace place = places.at(value);
    places[name] = place;
  }

  dend::NeuronOp model;
  llvm::ArrayRef<bool> biased;
  llvm::DenseMap<mlir::Value, OperandPlace> places;
  llvm::DenseSet<mlir::Value> used;
  VirtualCode result;
};

// What becomes of each op of a step body, in one table. Instructions are
// selected from it, and a test holds that every op of the dialect has an entry
// that is true.

struct OpEntry {
  enum Form {
    Instruction, // it becomes one instruction
    Expansion,   // it becomes several or none, as `how` says
    Earlier,     // --dend-select-engine writes it out before lowering
    RealOnly,    // it has no meaning in fixed point
  };
  std::string_view op; // "dend.mul"
  Form form;
  std::optional<MicroOp> instruction;
  std::string_view how;
};

/// The entries are in order of name.
const std::vector<OpEntry> &opTable();

/// The entry of an op ("dend.mul"), null if it has none.
const OpEntry *opEntry(std::string_view op);

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_LOWERING_MICROCODE_SELECT_H
