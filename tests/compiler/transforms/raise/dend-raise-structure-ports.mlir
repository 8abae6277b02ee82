// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/raise/RaiseNeuron.cpp.
// RUN: dendrolith-opt %s --dend-raise-structure | FileCheck %s

// A recurrent layer's own spikes meet its input in a sum: they are one input.
// CHECK-LABEL: dend.network @recurrent
dend.network @recurrent {
  dend.clock @step
  dend.input @x[2] on @step
  // CHECK: dend.neuron @lif ports(%x : f64) states(%v
  // CHECK-NOT: dend.add
  // CHECK: dend.compartment %v drive %x keep
  dend.neuron @lif ports(%x, %back) states(%v) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %k = dend.mul %keep, %v
    %a = dend.add %k, %x
    %v1 = dend.add %a, %back
    %s = dend.cmp gt %v1, %one
    %v2 = dend.select %s, %zero, %v1
    dend.yield states(%v2) emit(%s)
  }
  dend.population @a : @lif[2] on @step
  dend.constant @w = [[0.5, 1.0], [1.0, 0.5]]
  // CHECK: dend.project @x -> @a["x"]
  // CHECK: dend.project @a -> @a["x"] {{.*}} delay 1
  dend.project @x -> @a["x"] weight @w delay 0
  dend.project @a -> @a["back"] weight @w delay 1
}
