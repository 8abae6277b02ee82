// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes values of given forms at the end of a body.

#ifndef DENDROLITH_COMPILER_TRANSFORMS_RAISE_FORMWRITER_H
#define DENDROLITH_COMPILER_TRANSFORMS_RAISE_FORMWRITER_H

#include "compiler/transforms/network/BodyBuilder.h"
#include "compiler/transforms/raise/BodyForms.h"

namespace dendrolith {

/// A value of the body and its form.
struct KnownValue {
  AffineForm form;
  mlir::Value value;
  unsigned state = AffineForm::kOne; ///< the atom, where it is a compartment
};

class FormWriter {
public:
  using Value = mlir::Value;
  using StringRef = llvm::StringRef;

  FormWriter(BoundModel &model, const BodyForms &forms)
      : place(model.model.getLoc()), model(model), forms(forms),
        yield(yieldOf(model.model)), last(yield->getPrevNode()), at(yield) {}

  BodyBuilder body() { return {mlir::OpBuilder(at), place}; }
  /// The model's own parameters stand for their numbers from now on.
  void reuseParameters();
  /// A literal, or a parameter with the numbers of each neuron, or of each
  /// element of `width`.
  Value number(const PerNeuron &numbers, const llvm::Twine &name,
               size_t width = 1);
  /// `sum`, null if there is none, and a value times its numbers.
  Value plusTerm(Value sum, Value term, const PerNeuron &numbers,
                 const llvm::Twine &name, size_t width = 1);
  bool isParameter(const PerNeuron &numbers) const {
    return bool(parameterOf(numbers));
  }
  /// The value of that form; null where there is none yet.
  Value known(const AffineForm &form) const;
  /// A value of the form, from the largest that is known; null where conditions
  /// are multiplied.
  Value valueOf(const AffineForm &form, StringRef name);
  /// What a condition is; a comparison of one value with numbers is written
  /// anew.
  Value truthOf(unsigned condition, StringRef name);
  /// Erases all that was written, which nothing uses any more.
  void undo();
  /// Erases the operations and parameters of the model that nothing uses.
  void eraseUnused();

  mlir::Location place; ///< of what is written next
  std::vector<KnownValue> values;
  llvm::DenseMap<unsigned, Value> truths; ///< by condition

private:
  Value parameterOf(const PerNeuron &numbers) const;
  Value sumOf(Value sum, const AffineForm &rest, StringRef name);
  Value choiceOf(const AffineForm &form, StringRef name);

  BoundModel &model;
  const BodyForms &forms;
  dend::YieldOp yield;
  mlir::Operation *last; ///< of those that were there before
  std::vector<std::pair<PerNeuron, Value>> parameters, own;

public:
  mlir::Operation *at; ///< what is written stands before it
};

} // namespace dendrolith

#endif // DENDROLITH_COMPILER_TRANSFORMS_RAISE_FORMWRITER_H
