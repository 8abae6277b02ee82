// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/DendBodyOps.td.
// Every body operation, real and fixed point.
// RUN: dendrolith-opt %s | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --emit-bytecode | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --mlir-print-op-generic | dendrolith-opt | FileCheck %s

dend.network @net {
  dend.clock @step
  // CHECK-LABEL: dend.neuron @real
  dend.neuron @real ports(%I : f64) params(%M : tensor<2x3xf64>, %w : tensor<3xf64>, %p : tensor<2xf64>)
      states(%v : f64 reset sample, %x : tensor<3xf64> reset sample, %c : i1 reset sample) {
    // CHECK: dend.add %v, %I : (f64, f64) -> f64
    %add = dend.add %v, %I : (f64, f64) -> f64
    // CHECK: dend.sub %x, %I : (tensor<3xf64>, f64) -> tensor<3xf64>
    %sub = dend.sub %x, %I : (tensor<3xf64>, f64) -> tensor<3xf64>
    // CHECK: dend.mul
    %mul = dend.mul %v, %x : (f64, tensor<3xf64>) -> tensor<3xf64>
    // CHECK: dend.div
    %div = dend.div %v, %I : (f64, f64) -> f64
    // CHECK: dend.min
    %min = dend.min %v, %I : (f64, f64) -> f64
    // CHECK: dend.max
    %max = dend.max %v, %I : (f64, f64) -> f64
    // CHECK: dend.neg
    %neg = dend.neg %x : (tensor<3xf64>) -> tensor<3xf64>
    // CHECK: dend.abs
    %abs = dend.abs %x : (tensor<3xf64>) -> tensor<3xf64>
    // CHECK: dend.literal 5.000000e-01 : f64 as f64
    %half = dend.literal 0.5 : f64 as f64
    // CHECK: dend.literal dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf64> as tensor<3xf64>
    %vector = dend.literal dense<[1.0, 2.0, 3.0]> : tensor<3xf64> as tensor<3xf64>
    // CHECK: dend.literal true as i1
    %true = dend.literal true as i1
    // CHECK: dend.cmp lt
    %cmp = dend.cmp lt %x, %half : (tensor<3xf64>, f64) -> tensor<3xi1>
    // CHECK: dend.select
    %select = dend.select %cmp, %x, %half : (tensor<3xi1>, tensor<3xf64>, f64) -> tensor<3xf64>
    // CHECK: dend.clamp
    %clamp = dend.clamp %v, %half, %I : (f64, f64, f64) -> f64
    // CHECK: dend.math tanh
    %math = dend.math tanh %x : (tensor<3xf64>) -> tensor<3xf64>
    // CHECK: dend.table %v in %w from -1.000000e+00 step 5.000000e-01
    %table = dend.table %v in %w from -1.0 step 0.5 : (f64, tensor<3xf64>) -> f64
    // CHECK: dend.dot
    %dot = dend.dot %x, %w : (tensor<3xf64>, tensor<3xf64>) -> f64
    // CHECK: dend.matvec
    %matvec = dend.matvec %M, %x : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2xf64>
    // CHECK: dend.vecmat
    %vecmat = dend.vecmat %p, %M : (tensor<2xf64>, tensor<2x3xf64>) -> tensor<3xf64>
    // CHECK: dend.outer_add
    %outer = dend.outer_add %M, %p, %x : (tensor<2x3xf64>, tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    // CHECK: dend.reduce max
    %reduce = dend.reduce max %M : (tensor<2x3xf64>) -> f64
    // CHECK: dend.topk %x, 2
    %topk = dend.topk %x, 2 : (tensor<3xf64>) -> tensor<3xi1>
    // CHECK: dend.slice %M[1, 1]
    %slice = dend.slice %M[1, 1] : (tensor<2x3xf64>) -> tensor<1x3xf64>
    // CHECK: dend.element %M[0]
    %row = dend.element %M[0] : (tensor<2x3xf64>) -> tensor<3xf64>
    // CHECK: dend.element
    %entry = dend.element %row[2] : (tensor<3xf64>) -> f64
    // CHECK: dend.concat
    %concat = dend.concat %x, %v, %p : (tensor<3xf64>, f64, tensor<2xf64>) -> tensor<6xf64>
    // CHECK: dend.roll %x by -1
    %roll = dend.roll %x by -1 : (tensor<3xf64>) -> tensor<3xf64>
    // CHECK: dend.splat
    %splat = dend.splat %v : (f64) -> tensor<3xf64>
    // CHECK: dend.max %c, %{{.*}} : (i1, i1) -> i1
    %or = dend.max %c, %true : (i1, i1) -> i1
    // CHECK: dend.when %c keep(%v, %x : f64, tensor<3xf64>) -> (f64, tensor<3xf64>) {
    // CHECK: dend.give %{{.*}}, %{{.*}} : f64, tensor<3xf64>
    %when:2 = dend.when %c keep(%v, %x : f64, tensor<3xf64>) -> (f64, tensor<3xf64>) {
      %twice = dend.add %v, %v : (f64, f64) -> f64
      dend.give %twice, %x : f64, tensor<3xf64>
    }
    // CHECK: dend.when %c {
    dend.when %c {
      dend.give
    }
    dend.yield states(%when#0, %when#1, %or : f64, tensor<3xf64>, i1)
  }
  // CHECK-LABEL: dend.neuron @fixed
  dend.neuron @fixed ports(%I : !dend.fx<24, -12>) params(%w : tensor<3x!dend.fx<8, -7>>)
      states(%v : !dend.fx<24, -12> reset sample, %x : tensor<3x!dend.fx<16, -8>> reset sample, %n : i32 reset sample) {
    // CHECK: dend.add %v, %I overflow saturate : (!dend.fx<24, -12>, !dend.fx<24, -12>) -> !dend.fx<24, -12>
    %add = dend.add %v, %I overflow saturate : (!dend.fx<24, -12>, !dend.fx<24, -12>) -> !dend.fx<24, -12>
    // CHECK: dend.mul %x, %w : (tensor<3x!dend.fx<16, -8>>, tensor<3x!dend.fx<8, -7>>) -> tensor<3x!dend.fx<24, -15>>
    %mul = dend.mul %x, %w : (tensor<3x!dend.fx<16, -8>>, tensor<3x!dend.fx<8, -7>>) -> tensor<3x!dend.fx<24, -15>>
    // CHECK: dend.rescale %{{.*}} round nearest_even overflow wrap
    %rescale = dend.rescale %mul round nearest_even overflow wrap : (tensor<3x!dend.fx<24, -15>>) -> tensor<3x!dend.fx<16, -8>>
    // CHECK: dend.dot %x, %w round toward_zero :
    %dot = dend.dot %x, %w round toward_zero : (tensor<3x!dend.fx<16, -8>>, tensor<3x!dend.fx<8, -7>>) -> !dend.fx<24, -12>
    // CHECK: dend.literal -64 : i64 as !dend.fx<24, -12>
    %literal = dend.literal -64 : i64 as !dend.fx<24, -12>
    // CHECK: dend.to_real
    %real = dend.to_real %v : (!dend.fx<24, -12>) -> f64
    // CHECK: dend.clz
    %clz = dend.clz %v : (!dend.fx<24, -12>) -> i32
    // CHECK: dend.shift %v by %{{.*}} round floor : (!dend.fx<24, -12>, i32) -> !dend.fx<24, -12>
    %shift = dend.shift %v by %clz round floor : (!dend.fx<24, -12>, i32) -> !dend.fx<24, -12>
    // CHECK: dend.table %v in %w from -2.500000e-01 step 1.562500e-02
    %table = dend.table %v in %w from -0.25 step 0.015625 : (!dend.fx<24, -12>, tensor<3x!dend.fx<8, -7>>) -> !dend.fx<8, -7>
    dend.yield states(%dot, %rescale, %n : !dend.fx<24, -12>, tensor<3x!dend.fx<16, -8>>, i32)
  }
}
