// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/raise/RaiseNeuron.cpp.
// RUN: dendrolith-opt %s --dend-raise-structure --split-input-file | FileCheck %s

// m' = k (1 - [m > 1]) m + I, as snnTorch's "zero": the state behind its reset
// has the same spikes.
// CHECK-LABEL: dend.network @late_reset
dend.network @late_reset {
  dend.clock @step
  // CHECK: %[[M:.*]] = dend.compartment %m drive %I keep
  // CHECK: %[[S:.*]], %[[N:.*]] = dend.fire %[[M]], %{{.*}} reset value :
  // CHECK-NEXT: dend.yield states(%[[N]] : f64) emit(%[[S]] : i1)
  dend.neuron @leaky ports(%I) states(%m) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %before = dend.sub %m, %one
    %fired = dend.cmp gt %before, %zero
    %z = dend.select %fired, %one, %zero
    %not = dend.sub %one, %z
    %left = dend.mul %not, %m
    %k = dend.mul %keep, %left
    %m1 = dend.add %k, %I
    %over = dend.sub %m1, %one
    %s = dend.cmp gt %over, %zero
    dend.yield states(%m1) emit(%s)
  }
  dend.population @a : @leaky[2] on @step
}

// -----

// Whoever probes it sees it before the reset, so it stays; one that starts
// above its threshold would be reset at once.
// CHECK-LABEL: dend.network @probed
dend.network @probed {
  dend.clock @step
  // CHECK-NOT: reset value
  dend.neuron @leaky ports(%I) states(%m) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %fired = dend.cmp gt %m, %one
    %left = dend.select %fired, %zero, %m
    %k = dend.mul %keep, %left
    %m1 = dend.add %k, %I
    %s = dend.cmp gt %m1, %one
    dend.yield states(%m1) emit(%s)
  }
  dend.neuron @charged ports(%I) states(%m : f64 reset sample init 1.5) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %fired = dend.cmp gt %m, %one
    %left = dend.select %fired, %zero, %m
    %k = dend.mul %keep, %left
    %m1 = dend.add %k, %I
    %s = dend.cmp gt %m1, %one
    dend.yield states(%m1) emit(%s)
  }
  dend.population @a : @leaky[2] on @step
  dend.population @b : @charged[2] on @step
  dend.output @m = probe @a["m"]
}
