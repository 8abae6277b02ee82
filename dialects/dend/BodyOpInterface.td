// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the compiler asks any op of a step body, so that no pass has to list the
// classes of ops. The answers of most ops follow from their traits
// (BodyTraits.h); an op that needs another answer declares the method and
// defines it in BodyTraits.cpp or Interval.cpp.
#ifndef DENDROLITH_DIALECTS_DEND_BODYOPINTERFACE_TD
#define DENDROLITH_DIALECTS_DEND_BODYOPINTERFACE_TD

include "mlir/IR/OpBase.td"

def BodyOpInterface : OpInterface<"BodyOpInterface"> {
  let cppNamespace = "::dendrolith::dend";
  let description = [{
    An op that may stand in a step body, but for the terminators. Chips and
    engines have no part in it: which instruction an op becomes is a table of
    the compiler, by the op's name.
  }];
  let methods = [
    InterfaceMethod<[{
        Whether element i of the result follows from the elements i of the
        operands alone, where a scalar operand counts for every i. A structure
        op counts as a whole and says no.
      }], "bool", "isElementwise", (ins), "", [{
        return ConcreteOp::template hasTrait<
            ::dendrolith::dend::OpTrait::Elementwise>();
      }]>,
    InterfaceMethod<[{
        Whether integers can be computed by the op as it stands. If not, it is
        defined on reals only, or other body ops are written out for it first.
      }], "bool", "hasIntegerForm", (ins), "", [{
        return !ConcreteOp::template hasTrait<
            ::dendrolith::dend::OpTrait::NoIntegerForm>();
      }]>,
    InterfaceMethod<[{
        Whether the result is zero, given which of the operands are zero.
      }], "bool", "givesZero", (ins "::llvm::ArrayRef<bool>":$isZero), "", [{
        return ConcreteOp::template hasTrait<
                   ::dendrolith::dend::OpTrait::KeepsZero>() &&
               ::llvm::all_of(isZero, [](bool zero) { return zero; });
      }]>,
    InterfaceMethod<[{
        How fixed-point formats meet: the values of a group, which are operands,
        results and values that a region gives, must share one format. An
        operand of no group keeps the format that it has, as a factor does; a
        result of no group has a format of its own.
      }], "::llvm::SmallVector<::dendrolith::dend::FormatGroup>",
      "getFormatGroups", (ins), "", [{
        if (!ConcreteOp::template hasTrait<
                ::dendrolith::dend::OpTrait::OneFormat>())
          return {};
        ::dendrolith::dend::FormatGroup all($_op->getOperands());
        ::llvm::append_range(all, $_op->getResults());
        return {all};
      }]>,
    InterfaceMethod<[{
        Whether a result outside the range of its type becomes the nearest end
        of the range; otherwise it wraps, if it can be outside at all.
      }], "bool", "saturates", (ins), "", [{ return false; }]>,
    InterfaceMethod<[{
        From now on a result outside the range saturates, if the op has a choice.
      }], "void", "saturate", (ins), "", [{ return; }]>,
    InterfaceMethod<[{
        Narrows the intervals of the results, each of which is all that its type
        holds on entry, to what the operands' intervals allow. An op without a
        rule leaves them.
      }], "void", "inferIntervals",
      (ins "::llvm::ArrayRef<::dendrolith::dend::Interval>":$operands,
           "::llvm::MutableArrayRef<::dendrolith::dend::Interval>":$results), "",
      [{ return; }]>
  ];
}

#endif // DENDROLITH_DIALECTS_DEND_BODYOPINTERFACE_TD
