// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types at the end of an op of a step body (`Dend_Types` in the .td files):
// all of them, `: (f64, f64) -> f64`, the results' alone, `-> f64`, or none
// where they follow from the operands. What is printed has all of them.
#ifndef DENDROLITH_DIALECTS_DEND_TYPESYNTAX_H
#define DENDROLITH_DIALECTS_DEND_TYPESYNTAX_H

#include "dialects/dend/Dend.h"

#include "mlir/IR/OpImplementation.h"

#include <map>

namespace dendrolith::dend {

/// The values of the step body that is being read, and their types: MLIR's
/// parser does not tell the type of a value by its name. The syntax of
/// `dend.neuron` opens one, which the ops of its body find and add to.
class KnownValues {
public:
  KnownValues();
  ~KnownValues();
  KnownValues(const KnownValues &) = delete;
  KnownValues &operator=(const KnownValues &) = delete;
  /// Null outside of a step body, and where one is written in generic form.
  static KnownValues *current();

  /// Adds result `number` of those that are called `name`, as `%name#number`.
  void add(llvm::StringRef name, unsigned number, mlir::Type type);
  /// Adds the results of the op that is being read.
  void addResults(mlir::OpAsmParser &parser, mlir::TypeRange types);
  /// Null if there is no such value.
  mlir::Type find(const mlir::OpAsmParser::UnresolvedOperand &operand) const;
  /// ", did you mean '%v'?", or what there is.
  std::string insteadOf(llvm::StringRef name) const;

private:
  std::map<std::pair<std::string, unsigned>, mlir::Type> types;
  KnownValues *outer;
};

/// The types of the values by name; an error where there is no such value.
mlir::ParseResult
findTypes(mlir::OpAsmParser &parser,
          llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
          llvm::SmallVectorImpl<mlir::Type> &types);

/// Gives the types of an op's results from those of its operands, all of which
/// are body values, and, for some ops, an attribute of it. False where the
/// results can have several types.
using TypeRule = bool (*)(llvm::ArrayRef<mlir::Type> operands, int64_t number,
                          llvm::SmallVectorImpl<mlir::Type> &results);

// The rules, by what the results are.
bool first(llvm::ArrayRef<mlir::Type>, int64_t,
           llvm::SmallVectorImpl<mlir::Type> &);
/// Numbers as the first operand has, in the shape of the first tensor.
bool likeFirst(llvm::ArrayRef<mlir::Type>, int64_t,
               llvm::SmallVectorImpl<mlir::Type> &);
bool likeSecond(llvm::ArrayRef<mlir::Type>, int64_t,
                llvm::SmallVectorImpl<mlir::Type> &);
/// Like the first where that is real; a fixed-point format is to be chosen.
bool realLikeFirst(llvm::ArrayRef<mlir::Type>, int64_t,
                   llvm::SmallVectorImpl<mlir::Type> &);
bool reals(llvm::ArrayRef<mlir::Type>, int64_t,
           llvm::SmallVectorImpl<mlir::Type> &);
bool truths(llvm::ArrayRef<mlir::Type>, int64_t,
            llvm::SmallVectorImpl<mlir::Type> &);
bool counts(llvm::ArrayRef<mlir::Type>, int64_t,
            llvm::SmallVectorImpl<mlir::Type> &);
bool product(llvm::ArrayRef<mlir::Type>, int64_t,
             llvm::SmallVectorImpl<mlir::Type> &);
bool contraction(llvm::ArrayRef<mlir::Type>, int64_t,
                 llvm::SmallVectorImpl<mlir::Type> &);
bool elementOfFirst(llvm::ArrayRef<mlir::Type>, int64_t,
                    llvm::SmallVectorImpl<mlir::Type> &);
bool elementAt(llvm::ArrayRef<mlir::Type>, int64_t,
               llvm::SmallVectorImpl<mlir::Type> &);
bool slice(llvm::ArrayRef<mlir::Type>, int64_t,
           llvm::SmallVectorImpl<mlir::Type> &);
bool concat(llvm::ArrayRef<mlir::Type>, int64_t,
            llvm::SmallVectorImpl<mlir::Type> &);
bool fire(llvm::ArrayRef<mlir::Type>, int64_t,
          llvm::SmallVectorImpl<mlir::Type> &);
bool branch(llvm::ArrayRef<mlir::Type>, int64_t,
            llvm::SmallVectorImpl<mlir::Type> &);
bool cuba(llvm::ArrayRef<mlir::Type>, int64_t,
          llvm::SmallVectorImpl<mlir::Type> &);
/// Nothing follows: the result is to be written.
bool stated(llvm::ArrayRef<mlir::Type>, int64_t,
            llvm::SmallVectorImpl<mlir::Type> &);

/// The operands of an op that is being read, and where their types and those of
/// the results go.
class Signature {
public:
  using Operand = mlir::OpAsmParser::UnresolvedOperand;

  void take() {}
  template <typename... Rest>
  void take(const mlir::IntegerAttr &attribute, Rest &&...rest) {
    number = attribute ? attribute.getInt() : 0;
    take(rest...);
  }
  template <typename... Rest>
  void take(const Operand &operand, mlir::Type &type, Rest &&...rest) {
    operands.push_back(operand);
    operandTypes.push_back(&type);
    take(rest...);
  }
  template <typename... Rest>
  void take(const std::optional<Operand> &operand, mlir::Type &type,
            Rest &&...rest) {
    if (operand)
      take(*operand, type);
    take(rest...);
  }
  template <typename... Rest>
  void take(llvm::SmallVectorImpl<Operand> &some,
            llvm::SmallVectorImpl<mlir::Type> &types, Rest &&...rest) {
    types.resize(some.size());
    for (size_t i = 0; i < some.size(); ++i)
      take(some[i], types[i]);
    take(rest...);
  }
  template <typename... Rest> void take(mlir::Type &result, Rest &&...rest) {
    resultTypes.push_back(&result);
    take(rest...);
  }

  mlir::ParseResult parse(mlir::OpAsmParser &parser, TypeRule rule);

private:
  llvm::SmallVector<Operand> operands;
  llvm::SmallVector<mlir::Type *> operandTypes, resultTypes;
  int64_t number = 0;
};

template <typename... Parts>
mlir::ParseResult parseTypes(mlir::OpAsmParser &parser, TypeRule rule,
                             Parts &&...parts) {
  Signature signature;
  signature.take(parts...);
  return signature.parse(parser, rule);
}
template <typename... Parts>
void printTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op, TypeRule,
                const Parts &...) {
  printer << ": ";
  printer.printFunctionalType(op);
}

// Lists of values that end a body or a region.
mlir::ParseResult
parseKnownTypes(mlir::OpAsmParser &parser,
                llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
                llvm::SmallVectorImpl<mlir::Type> &types);
void printKnownTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::OperandRange operands, mlir::TypeRange types);
mlir::ParseResult
parseCarriedTypes(mlir::OpAsmParser &parser,
                  llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
                  llvm::SmallVectorImpl<mlir::Type> &types,
                  llvm::SmallVectorImpl<mlir::Type> &results);
void printCarriedTypes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::OperandRange operands, mlir::TypeRange types,
                       mlir::TypeRange results);
mlir::ParseResult parseLiteralType(mlir::OpAsmParser &parser,
                                   mlir::Attribute value, mlir::Type &type);
void printLiteralType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::Attribute value, mlir::Type type);

} // namespace dendrolith::dend

#endif // DENDROLITH_DIALECTS_DEND_TYPESYNTAX_H
