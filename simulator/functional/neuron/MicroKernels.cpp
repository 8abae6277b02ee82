// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/functional/neuron/MicroKernels.h"

#include "simulator/functional/neuron/MicroElementwise.h"
#include "simulator/functional/neuron/MicroProducts.h"

namespace dendrolith::sim {

KernelVersions chooseKernel(const micro::Instruction &code,
                            const OperandBits &bits) {
  bool small = bits.a <= 62 && bits.b <= 62;
  switch (code.op) {
  case MicroOp::Move:
    return versionsOf<move>();
  case MicroOp::Add:
    return !code.saturate ? versionsOf<addWrap>()
           : small        ? versionsOf<addClip<1>>()
                          : versionsOf<addClipWide<1>>();
  case MicroOp::Sub:
    return !code.saturate ? versionsOf<subWrap>()
           : small        ? versionsOf<addClip<-1>>()
                          : versionsOf<addClipWide<-1>>();
  case MicroOp::Mul:
    return chooseScale<true>(code, bits.a + bits.b);
  case MicroOp::Scale:
    return chooseScale<false>(code, bits.a);
  case MicroOp::Neg:
    return versionsOf<neg>();
  case MicroOp::Abs:
    return versionsOf<abs>();
  case MicroOp::Min:
    return versionsOf<min>();
  case MicroOp::Max:
    return versionsOf<max>();
  case MicroOp::Clamp:
    return versionsOf<clamp>();
  case MicroOp::Compare:
    return chooseCompare(code.predicate);
  case MicroOp::Select:
    return versionsOf<select>();
  case MicroOp::Shift:
    return versionsOf<shift>();
  case MicroOp::Clz:
    return versionsOf<clz>();
  case MicroOp::Table:
    return versionsOf<table>();
  case MicroOp::Dot:
  case MicroOp::MatVec:
  case MicroOp::VecMat:
  case MicroOp::Outer:
    return chooseProducts(code, bits.a + bits.b);
  case MicroOp::Sum:
    return versionsOf<sum>();
  case MicroOp::Maximum:
    return versionsOf<maximum>();
  case MicroOp::TopK:
    return versionsOf<topk>();
  case MicroOp::Ladder:
    return versionsOf<ladder>();
  case MicroOp::Skip:
  case MicroOp::Emit:
    break;
  }
  return {};
}

} // namespace dendrolith::sim
