// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers travel as asked for: graded, unary with a sign, or over two axons.
// RUN: dendrolith-opt %s --dend-schedule="target=loihi2" | FileCheck %s --check-prefix=GRADED
// RUN: dendrolith-opt %s --dend-schedule="target=loihi2 spikes=graded" | FileCheck %s --check-prefix=GRADED
// RUN: dendrolith-opt %s --dend-schedule="target=loihi2 spikes=unary" | FileCheck %s --check-prefix=UNARY
// RUN: dendrolith-opt %s --dend-schedule="target=loihi2-binary spikes=unary" | FileCheck %s --check-prefix=SPLIT
// RUN: not dendrolith-opt %s --dend-schedule="target=loihi2-binary spikes=graded" 2>&1 | FileCheck %s --check-prefix=BINARY
// RUN: not dendrolith-opt %s --dend-schedule="target=loihi2,scheduling.group_gating=false spikes=unary" 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: not dendrolith-opt %s --dend-schedule="target=loihi2 spikes=ternary" 2>&1 | FileCheck %s --check-prefix=WORD

// GRADED: dend.network @n {{.*}}period = 1
// UNARY: dend.network @n {{.*}}period = 4
// SPLIT: dend.network @n {{.*}}period = 4
// WORD: spikes: expected 'auto', 'graded' or 'unary', found 'ternary'
dend.network @n {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<int, -9, 9>
  dend.neuron @count ports(%I : !dend.fx<16, 0>)
      outputs(n : !dend.spike<int, -4, 4>, b : !dend.spike<binary>) {
    %z = dend.literal 0 : i64 as !dend.fx<16, 0>
    %c = dend.cmp gt %I, %z : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> i1
    dend.yield emit(%I, %c : !dend.fx<16, 0>, i1)
  }
  // GRADED: @a {{.*}}emission = [#dend.emission<graded, 1>, #dend.emission<binary, 1>]
  // UNARY: @a {{.*}}emission = [#dend.emission<unary, 4>, #dend.emission<binary, 1>]
  // SPLIT: @a {{.*}}emission = [#dend.emission<split, 4>, #dend.emission<binary, 1>]
  // BINARY: error: output 'n' of '@a' sends -4 to 4, which graded spikes of target 'loihi2-binary' cannot carry (payload of 0 bits); choose unary spikes or a target with graded ones
  // FREE: error: output 'n' of '@a' sends -4 to 4, which takes 4 steps of unary spikes, and target 'loihi2' cannot gate groups
  dend.population @a : @count[2] on @step
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}
