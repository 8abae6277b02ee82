// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-split-dendrite{parts=2}))' --split-input-file --verify-diagnostics
// RUN: not dendrolith-opt %S/dend-split-dendrite.mlir --pass-pipeline='builtin.module(dend.network(dend-split-dendrite{parts=4}))' 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not dendrolith-opt %S/dend-split-dendrite.mlir --pass-pipeline='builtin.module(dend.network(dend-split-dendrite{parts=2+2}))' 2>&1 | FileCheck %s --check-prefix=SUM
// RUN: not dendrolith-opt %S/dend-split-dendrite.mlir --pass-pipeline='builtin.module(dend.network(dend-split-dendrite{parts=3+0}))' 2>&1 | FileCheck %s --check-prefix=WORD
// MANY: parts of a dendrite: expected 2 to 3, or sizes that sum to the 3 compartments of '@D', found '4'
// SUM: parts of a dendrite: expected 2 to 3, or sizes that sum to the 3 compartments of '@D', found '2+2'
// WORD: parts of a dendrite: expected a number or sizes such as 5+6+5, found '3+0'

// What compartments send in a tick cannot wait for that tick's sum; a start
// that is not zero would see the update a tick early. Without feedback a sum
// over states decides about none of them.
// expected-error-re @below {{no dendrite to split: expected a neuron whose compartments meet in sums alone, or whose states do not decide about each other; '@A': what its compartments send depends on a scalar of the same tick, and it has no states of its own to divide; '@B': a state of its compartments does not start at zero, and state 'u' depends on 'dend.dot' at line {{[0-9]+}}, which needs all of them; '@C': it has several neurons, and it has no states of its own to divide; '@D': the update changes states that are zero while nothing arrives, and state 'u' depends on 'dend.dot' at line {{[0-9]+}}, which needs all of them; '@E': no sum runs over its compartments, and its states are numbers that depend on each other}}
dend.network @n {
  dend.clock @t
  dend.constant @c : tensor<i32> = dense<11> : tensor<i32>
  dend.neuron @early ports(%a : tensor<3x!dend.fx<8, 0>>) outputs(u[3] : !dend.spike<int, -128, 127>) {
    %p = dend.dot %a, %a round nearest_even : (tensor<3x!dend.fx<8, 0>>, tensor<3x!dend.fx<8, 0>>) -> !dend.fx<8, 0>
    %s = dend.add %a, %p overflow saturate : (tensor<3x!dend.fx<8, 0>>, !dend.fx<8, 0>) -> tensor<3x!dend.fx<8, 0>>
    dend.yield emit(%s : tensor<3x!dend.fx<8, 0>>)
  }
  dend.neuron @start ports(%a : tensor<3x!dend.fx<8, 0>>) states(%u : tensor<3x!dend.fx<8, 0>> reset sample init 1 : i64) {
    %p = dend.dot %u, %a round nearest_even : (tensor<3x!dend.fx<8, 0>>, tensor<3x!dend.fx<8, 0>>) -> !dend.fx<8, 0>
    %n = dend.add %a, %p overflow saturate : (tensor<3x!dend.fx<8, 0>>, !dend.fx<8, 0>) -> tensor<3x!dend.fx<8, 0>>
    dend.yield states(%n : tensor<3x!dend.fx<8, 0>>)
  }
  dend.neuron @grows ports(%a : tensor<3x!dend.fx<8, 0>>) params(%c : !dend.fx<8, 0>) states(%u : tensor<3x!dend.fx<8, 0>> reset sample) {
    %p = dend.dot %u, %a round nearest_even : (tensor<3x!dend.fx<8, 0>>, tensor<3x!dend.fx<8, 0>>) -> !dend.fx<8, 0>
    %m = dend.add %u, %c overflow saturate : (tensor<3x!dend.fx<8, 0>>, !dend.fx<8, 0>) -> tensor<3x!dend.fx<8, 0>>
    %n = dend.add %m, %p overflow saturate : (tensor<3x!dend.fx<8, 0>>, !dend.fx<8, 0>) -> tensor<3x!dend.fx<8, 0>>
    dend.yield states(%n : tensor<3x!dend.fx<8, 0>>)
  }
  dend.neuron @number ports(%a : !dend.fx<8, 0>) states(%u : !dend.fx<8, 0> reset sample) {
    %n = dend.add %u, %a overflow saturate : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>
    dend.yield states(%n : !dend.fx<8, 0>)
  }
  dend.population @A : @early[1] on @t
  dend.population @B : @start[1] on @t
  dend.population @C : @early[2] on @t
  dend.population @D : @grows[1] on @t bind {c = @c}
  dend.population @E : @number[1] on @t
}
