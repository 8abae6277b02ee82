// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/dend/Dend.h"
using namespace mlir;
namespace neurite::dend {
LogicalResult NetworkOp::verifyRegions() { return success(); }
LogicalResult NeuronOp::verifyRegions() { return success(); }
SmallVector<int64_t, 3>
windowShape(ArrayRef<int64_t> input, int64_t channels, ArrayRef<int64_t> kernel,
            ArrayRef<int64_t> stride, ArrayRef<int64_t> padding,
            ArrayRef<int64_t> dilation) {
  SmallVector<int64_t, 3> shape = {channels};
  for (int axis : {0, 1}) {
    int64_t room = input[axis + 1] + padding[axis] + padding[axis + 2] -
                   dilation[axis] * (kernel[axis] - 1) - 1;
    if (room < 0)
      return {};
    shape.push_back(room / stride[axis] + 1);
  }
  return shape;
}
Operation *DendDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  return LiteralOp::create(builder, loc, type, value);
}
OpFoldResult AddOp::fold(FoldAdaptor) { return {}; }
OpFoldResult SubOp::fold(FoldAdaptor) { return {}; }
OpFoldResult MulOp::fold(FoldAdaptor) { return {}; }
OpFoldResult RescaleOp::fold(FoldAdaptor) { return {}; }
OpFoldResult LiteralOp::fold(FoldAdaptor) { return getValue(); }
LogicalResult NeuronOp::verify() { return success(); }
LogicalResult ClockOp::verify() { return success(); }
LogicalResult ConstantOp::verify() { return success(); }
LogicalResult AddOp::verify() { return success(); }
LogicalResult SubOp::verify() { return success(); }
LogicalResult MulOp::verify() { return success(); }
LogicalResult DivOp::verify() { return success(); }
LogicalResult MinOp::verify() { return success(); }
LogicalResult MaxOp::verify() { return success(); }
LogicalResult RescaleOp::verify() { return success(); }
LogicalResult LiteralOp::verify() { return success(); }
LogicalResult CmpOp::verify() { return success(); }
LogicalResult SelectOp::verify() { return success(); }
LogicalResult ClampOp::verify() { return success(); }
LogicalResult ShiftOp::verify() { return success(); }
LogicalResult ClzOp::verify() { return success(); }
LogicalResult MathOp::verify() { return success(); }
LogicalResult TableOp::verify() { return success(); }
LogicalResult DotOp::verify() { return success(); }
LogicalResult MatVecOp::verify() { return success(); }
LogicalResult VecMatOp::verify() { return success(); }
LogicalResult OuterAddOp::verify() { return success(); }
LogicalResult ReduceOp::verify() { return success(); }
LogicalResult TopKOp::verify() { return success(); }
LogicalResult SliceOp::verify() { return success(); }
LogicalResult ElementOp::verify() { return success(); }
LogicalResult ConcatOp::verify() { return success(); }
LogicalResult WhenOp::verify() { return success(); }
LogicalResult CompartmentOp::verify() { return success(); }
LogicalResult BranchOp::verify() { return success(); }
LogicalResult JoinOp::verify() { return success(); }
LogicalResult FireOp::verify() { return success(); }
LogicalResult SsfOp::verify() { return success(); }
LogicalResult DeltaRuleOp::verify() { return success(); }
LogicalResult CubaOp::verify() { return success(); }
LogicalResult PopulationOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult ProjectOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
LogicalResult OutputOp::verifySymbolUses(SymbolTableCollection &) { return success(); }
}
