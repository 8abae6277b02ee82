// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folds, each exact. Values are used by an opaque operation so that they stay.
// RUN: dendrolith-opt %s --canonicalize --allow-unregistered-dialect --split-input-file | FileCheck %s

// CHECK-LABEL: "real.literals"
// CHECK-DAG: dend.literal 7.500000e-01 : f64 as f64
// CHECK-DAG: dend.literal -2.500000e-01 : f64 as f64
// CHECK-DAG: dend.literal 1.250000e-01 : f64 as f64
// CHECK-DAG: dend.literal dense<[1.500000e+00, 2.500000e+00]> : tensor<2xf64> as tensor<2xf64>
// CHECK-NOT: dend.add
// CHECK-NOT: dend.sub
// CHECK-NOT: dend.mul
"real.literals"() ({
  %a = dend.literal 0.25 : f64 as f64
  %b = dend.literal 0.5 : f64 as f64
  %v = dend.literal dense<[1.0, 2.0]> : tensor<2xf64> as tensor<2xf64>
  %sum = dend.add %a, %b : (f64, f64) -> f64
  %difference = dend.sub %a, %b : (f64, f64) -> f64
  %product = dend.mul %a, %b : (f64, f64) -> f64
  %broadcast = dend.add %v, %b : (tensor<2xf64>, f64) -> tensor<2xf64>
  "use"(%sum, %difference, %product, %broadcast) : (f64, f64, f64, tensor<2xf64>) -> ()
}) : () -> ()

// -----
// f32 values are evaluated in double: 0.1 + 0.2 keeps the double's digits.
// CHECK-LABEL: "in.double"
// CHECK: dend.literal 0.30000000000000004 : f64 as f32
"in.double"() ({
  %a = dend.literal 0.1 : f64 as f32
  %b = dend.literal 0.2 : f64 as f32
  %sum = dend.add %a, %b : (f32, f32) -> f32
  "use"(%sum) : (f32) -> ()
}) : () -> ()

// -----
// No literal holds an infinity, so the sum stays an operation.
// CHECK-LABEL: "overflowing"
// CHECK: dend.add
"overflowing"() ({
  %a = dend.literal 1.0e308 : f64 as f64
  %sum = dend.add %a, %a : (f64, f64) -> f64
  "use"(%sum) : (f64) -> ()
}) : () -> ()

// -----
// x + 0.0 turns -0.0 into 0.0 and must stay; x + -0.0 and x - 0.0 are x.
// CHECK-LABEL: "real.identities"
// CHECK: ^bb0(%[[X:.*]]: f64):
// CHECK: %[[ADDED:.*]] = dend.add %[[X]],
// CHECK: %[[TAKEN:.*]] = dend.sub %[[X]],
// CHECK: "use"(%[[ADDED]], %[[X]], %[[X]], %[[TAKEN]], %[[X]])
"real.identities"() ({
^bb0(%x : f64):
  %zero = dend.literal 0.0 : f64 as f64
  %minus = dend.literal -0.0 : f64 as f64
  %one = dend.literal 1.0 : f64 as f64
  %a = dend.add %x, %zero : (f64, f64) -> f64
  %b = dend.add %x, %minus : (f64, f64) -> f64
  %c = dend.sub %x, %zero : (f64, f64) -> f64
  %d = dend.sub %x, %minus : (f64, f64) -> f64
  %e = dend.mul %one, %x : (f64, f64) -> f64
  "use"(%a, %b, %c, %d, %e) : (f64, f64, f64, f64, f64) -> ()
}) : () -> ()

// -----
// A broadcast is no identity: the scalar must not replace the tensor.
// CHECK-LABEL: "broadcast"
// CHECK: dend.mul
"broadcast"() ({
^bb0(%x : f64):
  %one = dend.literal dense<1.0> : tensor<2xf64> as tensor<2xf64>
  %y = dend.mul %x, %one : (f64, tensor<2xf64>) -> tensor<2xf64>
  "use"(%y) : (tensor<2xf64>) -> ()
}) : () -> ()

// -----
// 100 + 100 in 8 bits: 200 - 256 = -56, or the largest value.
// CHECK-LABEL: "fixed.literals"
// CHECK-DAG: dend.literal -56 : i64 as !dend.fx<8, 0>
// CHECK-DAG: dend.literal 127 : i64 as !dend.fx<8, 0>
// CHECK-DAG: dend.literal 10000 : i64 as !dend.fx<16, 0>
// CHECK-NOT: dend.add
"fixed.literals"() ({
^bb0(%x : !dend.fx<8, 0>):
  %a = dend.literal 100 : i64 as !dend.fx<8, 0>
  %zero = dend.literal 0 : i64 as !dend.fx<8, 0>
  %wrapped = dend.add %a, %a : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>
  %saturated = dend.add %a, %a overflow saturate : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>
  %product = dend.mul %a, %a : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<16, 0>
  // CHECK: "use"(%{{.*}}, %{{.*}}, %{{.*}}, %[[X:.*]], %[[X]])
  %same = dend.add %x, %zero : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>
  %still = dend.sub %x, %zero : (!dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>
  "use"(%wrapped, %saturated, %product, %same, %still) : (!dend.fx<8, 0>, !dend.fx<8, 0>, !dend.fx<16, 0>, !dend.fx<8, 0>, !dend.fx<8, 0>) -> ()
}) : () -> ()

// -----
// Nothing times a vector is nothing, in integers; NaN times 0.0 is not 0.0.
// CHECK-LABEL: "zeros"
// CHECK: %[[NONE:.*]] = dend.literal dense<0> : tensor<2xi64> as tensor<2x!dend.fx<16, 0>>
// CHECK: %[[REAL:.*]] = dend.mul
// CHECK: "use"(%[[NONE]], %[[NONE]], %[[REAL]])
"zeros"() ({
^bb0(%x : tensor<2x!dend.fx<8, 0>>, %r : f64):
  %zero = dend.literal 0 : i64 as !dend.fx<8, 0>
  %none = dend.literal 0.0 : f64 as f64
  %a = dend.mul %x, %zero : (tensor<2x!dend.fx<8, 0>>, !dend.fx<8, 0>) -> tensor<2x!dend.fx<16, 0>>
  %b = dend.mul %zero, %x : (!dend.fx<8, 0>, tensor<2x!dend.fx<8, 0>>) -> tensor<2x!dend.fx<16, 0>>
  %c = dend.mul %r, %none : (f64, f64) -> f64
  "use"(%a, %b, %c) : (tensor<2x!dend.fx<16, 0>>, tensor<2x!dend.fx<16, 0>>, f64) -> ()
}) : () -> ()

// -----
// -10 / 4 = -2.5 in each rounding, and 1000 / 4 = 250 into 8 bits.
// CHECK-LABEL: "rescale.literals"
// CHECK-DAG: %[[FLOOR:.*]] = dend.literal -3 : i64 as !dend.fx<8, 0>
// CHECK-DAG: %[[OTHER:.*]] = dend.literal -2 : i64 as !dend.fx<8, 0>
// CHECK-DAG: %[[WRAP:.*]] = dend.literal -6 : i64 as !dend.fx<8, 0>
// CHECK-DAG: %[[CLIP:.*]] = dend.literal 127 : i64 as !dend.fx<8, 0>
// CHECK-NOT: dend.rescale
// CHECK: "use"(%[[FLOOR]], %[[OTHER]], %[[OTHER]], %[[OTHER]], %[[WRAP]], %[[CLIP]])
"rescale.literals"() ({
  %a = dend.literal -10 : i64 as !dend.fx<16, -2>
  %b = dend.literal 1000 : i64 as !dend.fx<16, -2>
  %1 = dend.rescale %a round floor overflow wrap : (!dend.fx<16, -2>) -> !dend.fx<8, 0>
  %2 = dend.rescale %a round toward_zero overflow wrap : (!dend.fx<16, -2>) -> !dend.fx<8, 0>
  %3 = dend.rescale %a round nearest_even overflow wrap : (!dend.fx<16, -2>) -> !dend.fx<8, 0>
  %4 = dend.rescale %a round nearest_up overflow wrap : (!dend.fx<16, -2>) -> !dend.fx<8, 0>
  %5 = dend.rescale %b round floor overflow wrap : (!dend.fx<16, -2>) -> !dend.fx<8, 0>
  %6 = dend.rescale %b round floor overflow saturate : (!dend.fx<16, -2>) -> !dend.fx<8, 0>
  "use"(%1, %2, %3, %4, %5, %6) : (!dend.fx<8, 0>, !dend.fx<8, 0>, !dend.fx<8, 0>, !dend.fx<8, 0>, !dend.fx<8, 0>, !dend.fx<8, 0>) -> ()
}) : () -> ()

// -----
// A first rescale that loses nothing is skipped; one that may lose stays.
// CHECK-LABEL: "rescale.chains"
// CHECK: ^bb0(%[[X:.*]]: !dend.fx<8, 0>):
// CHECK: %[[ONCE:.*]] = dend.rescale %[[X]] round floor overflow saturate : (!dend.fx<8, 0>) -> !dend.fx<6, 1>
// CHECK: %[[NARROW:.*]] = dend.rescale %[[X]] round floor overflow wrap : (!dend.fx<8, 0>) -> !dend.fx<11, -4>
// CHECK: %[[BACK:.*]] = dend.rescale %[[NARROW]]
// CHECK: "use"(%[[ONCE]], %[[X]], %[[BACK]])
"rescale.chains"() ({
^bb0(%x : !dend.fx<8, 0>):
  %wide = dend.rescale %x round floor overflow wrap : (!dend.fx<8, 0>) -> !dend.fx<12, -4>
  %once = dend.rescale %wide round floor overflow saturate : (!dend.fx<12, -4>) -> !dend.fx<6, 1>
  %same = dend.rescale %wide round floor overflow wrap : (!dend.fx<12, -4>) -> !dend.fx<8, 0>
  %narrow = dend.rescale %x round floor overflow wrap : (!dend.fx<8, 0>) -> !dend.fx<11, -4>
  %back = dend.rescale %narrow round floor overflow wrap : (!dend.fx<11, -4>) -> !dend.fx<8, 0>
  "use"(%once, %same, %back) : (!dend.fx<6, 1>, !dend.fx<8, 0>, !dend.fx<8, 0>) -> ()
}) : () -> ()

// -----
// CHECK-LABEL: "choices"
// CHECK: ^bb0(%[[C:.*]]: i1, %[[X:.*]]: f64, %[[Y:.*]]: f64):
// CHECK-DAG: %[[LOW:.*]] = dend.literal -1.000000e+00 : f64 as f64
// CHECK-DAG: %[[FX:.*]] = dend.literal 5 : i64 as !dend.fx<8, 0>
// CHECK: "use"(%[[X]], %[[Y]], %[[X]], %[[LOW]], %[[FX]])
"choices"() ({
^bb0(%c : i1, %x : f64, %y : f64):
  %true = dend.literal true as i1
  %false = dend.literal false as i1
  %1 = dend.select %true, %x, %y : (i1, f64, f64) -> f64
  %2 = dend.select %false, %x, %y : (i1, f64, f64) -> f64
  %3 = dend.select %c, %x, %x : (i1, f64, f64) -> f64
  %low = dend.literal -1.0 : f64 as f64
  %high = dend.literal 1.0 : f64 as f64
  %far = dend.literal -7.0 : f64 as f64
  %4 = dend.clamp %far, %low, %high : (f64, f64, f64) -> f64
  %l = dend.literal -5 : i64 as !dend.fx<8, 0>
  %h = dend.literal 5 : i64 as !dend.fx<8, 0>
  %f = dend.literal 9 : i64 as !dend.fx<8, 0>
  %5 = dend.clamp %f, %l, %h : (!dend.fx<8, 0>, !dend.fx<8, 0>, !dend.fx<8, 0>) -> !dend.fx<8, 0>
  "use"(%1, %2, %3, %4, %5) : (f64, f64, f64, f64, !dend.fx<8, 0>) -> ()
}) : () -> ()
