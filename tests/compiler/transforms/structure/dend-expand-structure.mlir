// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/structure/ExpandStructure.cpp.
// RUN: dendrolith-opt %s --dend-expand-structure | FileCheck %s

dend.network @n {
  dend.clock @step
  // CHECK-LABEL: dend.neuron @lif
  // CHECK: %[[D:.*]] = dend.mul %gain, %I
  // CHECK: %[[K:.*]] = dend.mul %keep, %v
  // CHECK: %[[V:.*]] = dend.add %[[K]], %[[D]]
  // CHECK: %[[S:.*]] = dend.cmp gt %[[V]], %theta
  // CHECK: %[[A:.*]] = dend.sub %[[V]], %theta
  // CHECK: %[[N:.*]] = dend.select %[[S]], %[[A]], %[[V]]
  // CHECK: dend.yield states(%[[N]] : f64) emit(%[[S]] : i1)
  dend.neuron @lif ports(%I : f64) params(%keep : f64, %gain : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %keep gain %gain : (f64, f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  // The chip's neuron becomes fixed-point arithmetic; parameters are retyped.
  // CHECK-LABEL: dend.neuron @chip
  // CHECK-SAME: params(%du : !dend.fx<32, 0>
  // CHECK-NOT: dend.cuba
  // CHECK: dend.shift {{.*}} round toward_zero
  // CHECK: dend.clamp
  dend.neuron @chip ports(%I : !dend.fx<64, 0>)
      params(%du : i32, %dv : i32, %theta : i32, %bias : i32)
      states(%u : !dend.fx<32, 0> reset sample, %v : !dend.fx<32, 0> reset sample,
          %r : i32 reset sample)
      outputs(s : !dend.spike<binary>) {
    %s, %un, %vn, %rn = dend.cuba %I, %u, %v, %r decay %du, %dv threshold %theta bias %bias
        : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32)
        -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
    dend.yield states(%un, %vn, %rn : !dend.fx<32, 0>, !dend.fx<32, 0>, i32) emit(%s : i1)
  }
  // In fixed point too, and inside a gate.
  // CHECK-LABEL: dend.neuron @gated
  // CHECK: dend.when %go
  // CHECK-NEXT: %[[S:.*]] = dend.cmp ge %v, %theta
  // CHECK-NEXT: %[[A:.*]] = dend.sub %v, %theta
  // CHECK-NEXT: %[[N:.*]] = dend.select %[[S]], %[[A]], %v
  // CHECK-NEXT: dend.give %[[N]]
  dend.neuron @gated params(%theta : !dend.fx<16, 0>, %go : i1)
      states(%v : !dend.fx<16, 0> reset sample) {
    %out = dend.when %go keep(%v : !dend.fx<16, 0>) -> (!dend.fx<16, 0>) {
      %s, %n = dend.fire %v, %theta reset subtract inclusive : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> (i1, !dend.fx<16, 0>)
      dend.give %n : !dend.fx<16, 0>
    }
    dend.yield states(%out : !dend.fx<16, 0>)
  }
  // A recipe: |x|, leading zeros, table, shift, sign. The real one stays.
  // CHECK-LABEL: dend.neuron @inverse
  // CHECK: dend.math reciprocal %r
  // CHECK-NOT: dend.math
  // CHECK: dend.abs
  // CHECK: dend.clz
  // CHECK: dend.shift
  // CHECK: dend.table
  // CHECK: dend.shift
  // CHECK: dend.select
  // CHECK: dend.rescale {{.*}} round nearest_even overflow saturate
  dend.neuron @inverse states(%x : !dend.fx<16, -8> reset sample, %r : f64 reset sample) {
    %y = dend.math reciprocal %r : (f64) -> f64
    %z = dend.math reciprocal %x : (!dend.fx<16, -8>) -> !dend.fx<16, -8>
    dend.yield states(%z, %y : !dend.fx<16, -8>, f64)
  }
  // A branch of some neurons is skipped by the others. Two real modes without
  // input gain: A V and C V', nothing else is multiplied.
  // CHECK-LABEL: dend.neuron @ranged
  // CHECK-SAME: %present.1.3 : i1 per_neuron
  // CHECK: %[[ZERO:.*]] = dend.literal 0.0
  // CHECK-NEXT: %[[N:.*]]:2 = dend.when %present.1.3 keep(%V, %[[ZERO]] : tensor<2xf64>, f64)
  // CHECK-NEXT: %[[K:.*]] = dend.mul %A, %V
  // CHECK-NEXT: %[[V:.*]] = dend.add %[[K]], %I
  // CHECK-NEXT: %[[R:.*]] = dend.mul %C, %[[V]]
  // CHECK-NEXT: %[[S:.*]] = dend.reduce sum %[[R]]
  // CHECK-NEXT: dend.give %[[V]], %[[S]] : tensor<2xf64>, f64
  // CHECK: dend.yield states(%[[N]]#0, %[[N]]#1
  // CHECK: @P.present.1.3 : tensor<4xi1> = dense<[false, true, true, false]>
  dend.neuron @ranged ports(%I : f64) params(%A : tensor<2xf64>, %C : tensor<2xf64>)
      states(%V : tensor<2xf64> reset sample, %d : f64 reset sample) {
    %n, %drive = dend.branch %V, %I A %A C %C act identity for [1, 3] : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
    dend.yield states(%n, %drive : tensor<2xf64>, f64)
  }
  dend.constant @half : tensor<2xf64> = dense<0.5> : tensor<2xf64>
  dend.population @P : @ranged[4] on @step bind {A = @half, C = @half}
}
