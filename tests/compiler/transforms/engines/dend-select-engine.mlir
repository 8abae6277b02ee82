// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/engines/Engines.cpp.
// Loihi 1's neuron stays where the target has it and becomes a body elsewhere;
// what it cannot run loses its structure ops where there is microcode.
// RUN: dendrolith-opt %s --dend-select-engine=target=loihi1 | FileCheck %s --check-prefix=FIXED
// RUN: dendrolith-opt %s --dend-select-engine=target=loihi2 | FileCheck %s --check-prefix=PROGRAM
// RUN: dendrolith-opt %s --dend-select-engine=target=ideal | FileCheck %s --check-prefix=BOTH
dend.network @net {
  dend.clock @t
  // FIXED-LABEL: dend.neuron @cuba
  // FIXED: dend.cuba
  // PROGRAM-LABEL: dend.neuron @cuba
  // PROGRAM-NOT: dend.cuba
  // BOTH-LABEL: dend.neuron @cuba
  // BOTH: dend.cuba
  dend.neuron @cuba ports(%I : !dend.fx<64, 0>)
      params(%du : i32, %dv : i32, %theta : i32, %bias : i32)
      states(%u : !dend.fx<32, 0> reset sample, %v : !dend.fx<32, 0> reset sample, %r : i32 reset sample)
      outputs(s : !dend.spike<binary>) {
    %s, %u1, %v1, %r1 = dend.cuba %I, %u, %v, %r decay %du, %dv threshold %theta bias %bias
        : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
    dend.yield states(%u1, %v1, %r1 : !dend.fx<32, 0>, !dend.fx<32, 0>, i32) emit(%s : i1)
  }
  // FIXED-LABEL: dend.neuron @other
  // FIXED: dend.fire
  // PROGRAM-LABEL: dend.neuron @other
  // PROGRAM: dend.cmp gt
  // PROGRAM: dend.select
  // BOTH-LABEL: dend.neuron @other
  // BOTH: dend.cmp gt
  dend.neuron @other ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    %x = dend.add %v, %I : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %theta = dend.literal 9 : i64 as !dend.fx<24, 0>
    %s, %v1 = dend.fire %x, %theta reset value : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> (i1, !dend.fx<24, 0>)
    dend.yield states(%v1 : !dend.fx<24, 0>) emit(%s : i1)
  }
}
