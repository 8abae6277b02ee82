// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/BodyVerify.cpp.
// What the arithmetic of step bodies refuses.
// RUN: dendrolith-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

"test.body"() ({
^bb0(%k : index):
  // expected-error@+1 {{operand #0 has type 'index', expected a float, complex, fixed-point, i1 or i32 value}}
  %r = dend.add %k, %k : (index, index) -> index
}) : () -> ()

// -----
"test.body"() ({
^bb0(%d : tensor<?xf64>):
  // expected-error@+1 {{operand #0 has type 'tensor<?xf64>'}}
  %r = dend.neg %d : (tensor<?xf64>) -> tensor<?xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%z : tensor<f64>):
  // expected-error@+1 {{operand #0 has type 'tensor<f64>'}}
  %r = dend.abs %z : (tensor<f64>) -> tensor<f64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%h : tensor<65536x65536xf64>):
  // expected-error@+1 {{operand #0 has type 'tensor<65536x65536xf64>'}}
  %r = dend.abs %h : (tensor<65536x65536xf64>) -> tensor<65536x65536xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{result #0 has type 'index'}}
  %r = dend.add %f, %f : (f64, f64) -> index
}) : () -> ()

// -----
"test.body"() ({
^bb0(%b : i1):
  // expected-error@+1 {{takes real or fixed-point or i32 values, found 'i1'}}
  %r = dend.add %b, %b : (i1, i1) -> i1
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>):
  // expected-error@+1 {{takes real or fixed-point or i32 values, found 'complex<f64>'}}
  %r = dend.sub %c, %c : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %g : f32):
  // expected-error@+1 {{needs values of one element type, found 'f64' and 'f32'}}
  %r = dend.add %f, %g : (f64, f32) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{needs values of one element type, found '!dend.fx<16, -8>' and '!dend.fx<17, -8>'}}
  %r = dend.add %x, %x : (!dend.fx<16, -8>, !dend.fx<16, -8>) -> !dend.fx<17, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %u : tensor<2xf64>):
  // expected-error@+1 {{operand #1 has shape (2,), another has (3,); only scalars are broadcast}}
  %r = dend.add %v, %u : (tensor<3xf64>, tensor<2xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{result has type 'f64', expected shape (3,)}}
  %r = dend.add %v, %f : (tensor<3xf64>, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{result has type 'tensor<3xf64>', expected shape ()}}
  %r = dend.add %f, %f : (f64, f64) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>, %f : f64):
  // expected-error@+1 {{multiplies a fixed-point value by 'f64'; both must be fixed point or both real}}
  %r = dend.mul %x, %f : (!dend.fx<16, -8>, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>, %w : !dend.fx<56, 0>):
  // expected-error@+1 {{has a product of 16 + 56 = 72 bits, at most 64 fit; rescale an operand first}}
  %r = dend.mul %x, %w : (!dend.fx<16, -8>, !dend.fx<56, 0>) -> !dend.fx<64, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{result has element type '!dend.fx<16, -8>', the exact product is !dend.fx<32, -16>}}
  %r = dend.mul %x, %x : (!dend.fx<16, -8>, !dend.fx<16, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{result has element type 'f64', the exact product is !dend.fx<32, -16>}}
  %r = dend.mul %x, %x : (!dend.fx<16, -8>, !dend.fx<16, -8>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%i : i32):
  // expected-error@+1 {{takes real values, found 'i32'}}
  %r = dend.mul %i, %i : (i32, i32) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{takes real values, found '!dend.fx<16, -8>'}}
  %r = dend.div %x, %x : (!dend.fx<16, -8>, !dend.fx<16, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>):
  // expected-error@+1 {{takes real or fixed-point or i32 or i1 values, found 'complex<f64>'}}
  %r = dend.min %c, %c : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>):
  // expected-error@+1 {{takes real or fixed-point or i32 or i1 values, found 'complex<f64>'}}
  %r = dend.max %c, %c : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{takes and gives fixed-point values, found 'f64'}}
  %r = dend.rescale %f round floor overflow wrap : (f64) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{takes and gives fixed-point values, found 'f64'}}
  %r = dend.rescale %x round floor overflow wrap : (!dend.fx<16, -8>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%y : tensor<3x!dend.fx<16, -8>>):
  // expected-error@+1 {{result has type '!dend.fx<16, -8>', expected shape (3,)}}
  %r = dend.rescale %y round floor overflow wrap : (tensor<3x!dend.fx<16, -8>>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{takes fixed-point or i32 or i1 values, found 'f64'}}
  %r = dend.to_real %f : (f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%i : i32):
  // expected-error@+1 {{gives a real value, found 'i32'}}
  %r = dend.to_real %i : (i32) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%b : i1):
  // expected-error@+1 {{takes real or fixed-point or i32 values, found 'i1'}}
  %r = dend.cmp lt %b, %b : (i1, i1) -> i1
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{result has type 'f64', expected element type 'i1'}}
  %r = dend.cmp lt %f, %f : (f64, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%i : i32, %f : f64):
  // expected-error@+1 {{condition has type 'i32', expected element type 'i1'}}
  %r = dend.select %i, %f, %f : (i32, f64, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%b : i1, %f : f64, %x : !dend.fx<16, -8>):
  // expected-error@+1 {{needs values of one element type, found 'f64' and '!dend.fx<16, -8>'}}
  %r = dend.select %b, %f, %x : (i1, f64, !dend.fx<16, -8>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %x : !dend.fx<16, -8>):
  // expected-error@+1 {{needs values of one element type}}
  %r = dend.clamp %f, %x, %f : (f64, !dend.fx<16, -8>, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{amount has type '!dend.fx<16, -8>', expected element type 'i32'}}
  %r = dend.shift %x by %x round floor : (!dend.fx<16, -8>, !dend.fx<16, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>, %i : i32):
  // expected-error@+1 {{needs values of one element type}}
  %r = dend.shift %x by %i round floor : (!dend.fx<16, -8>, i32) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{takes fixed-point values, found 'f64'}}
  %r = dend.clz %f : (f64) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{result has type '!dend.fx<16, -8>', expected element type 'i32'}}
  %r = dend.clz %x : (!dend.fx<16, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{has no recipe for log in fixed point, expected exp, tanh, sigmoid, sqrt, rsqrt, reciprocal or softplus}}
  %r = dend.math log %x : (!dend.fx<16, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<33, -8>):
  // expected-error@+1 {{has an input of type '!dend.fx<33, -8>', expected 2 to 32 bits and an exponent of -64 to 64; rescale it}}
  %r = dend.math tanh %x : (!dend.fx<33, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{has a result of type '!dend.fx<16, 33>', expected 2 to 31 bits and an exponent of -32 to 32; rescale it}}
  %r = dend.math exp %x : (!dend.fx<16, -8>) -> !dend.fx<16, 33>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{maps '!dend.fx<16, -8>' to 'f64'; both must be fixed point or both real}}
  %r = dend.math exp %x : (!dend.fx<16, -8>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : tensor<3x!dend.fx<16, -8>>):
  // expected-error@+1 {{result has type '!dend.fx<16, -8>', expected shape (3,)}}
  %r = dend.math exp %x : (tensor<3x!dend.fx<16, -8>>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs a vector of at least 2 knots, found 'f64'}}
  %r = dend.table %f in %f from 0.0 step 1.0 : (f64, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %v : tensor<3xf64>):
  // expected-error@+1 {{needs a finite start and a positive step, found 0.000000e+00 and 0.000000e+00}}
  %r = dend.table %f in %v from 0.0 step 0.0 : (f64, tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>, %v : tensor<3xf64>):
  // expected-error@+1 {{looks up '!dend.fx<16, -8>' among knots of 'f64'; both must be fixed point or both real}}
  %r = dend.table %x in %v from 0.0 step 1.0 : (!dend.fx<16, -8>, tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>, %y : tensor<3x!dend.fx<16, -8>>):
  // expected-error@+1 {{which is no multiple of the unit of '!dend.fx<16, -8>'}}
  %r = dend.table %x in %y from 0.0001 step 1.0 : (!dend.fx<16, -8>, tensor<3x!dend.fx<16, -8>>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>, %y : tensor<3x!dend.fx<16, -8>>):
  // expected-error@+1 {{expected a power of two times the unit of '!dend.fx<16, -8>'}}
  %r = dend.table %x in %y from 0.0 step 0.75 : (!dend.fx<16, -8>, tensor<3x!dend.fx<16, -8>>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{result has type 'f64', expected shape (3,)}}
  %r = dend.table %v in %v from 0.0 step 1.0 : (tensor<3xf64>, tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{needs a finite float value for 'f64', found 1 : i64}}
  %r = dend.literal 1 : i64 as f64
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{needs a finite float value for 'f64'}}
  %r = dend.literal 0x7FF0000000000000 : f64 as f64
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{needs an integer value for 'i32'}}
  %r = dend.literal 0.5 : f64 as i32
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{holds 128 : i64, outside the range of '!dend.fx<8, 0>'}}
  %r = dend.literal 128 : i64 as !dend.fx<8, 0>
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{holds 2 : i64, outside the range of 'i1'}}
  %r = dend.literal 2 : i64 as i1
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{needs a dense value of shape (3,) for 'tensor<3xf64>'}}
  %r = dend.literal 0.5 : f64 as tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{needs a dense value of shape (3,) for 'tensor<3xf64>'}}
  %r = dend.literal dense<0.5> : tensor<2xf64> as tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{has a value of 'i64' for 'tensor<3xf64>'}}
  %r = dend.literal dense<1> : tensor<3xi64> as tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{has value 'f64', expected integers for 'tensor<3xi32>'}}
  %r = dend.literal dense<0.5> : tensor<3xf64> as tensor<3xi32>
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{holds an integer outside the range of '!dend.fx<8, 0>'}}
  %r = dend.literal dense<[1, 2, 300]> : tensor<3xi64> as tensor<3x!dend.fx<8, 0>>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %u : tensor<2xf64>):
  // expected-error@+1 {{rhs has type 'tensor<2xf64>', expected shape (3,)}}
  %r = dend.dot %v, %u : (tensor<3xf64>, tensor<2xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{lhs has type 'f64', expected rank 1}}
  %r = dend.dot %f, %f : (f64, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %y : tensor<3x!dend.fx<16, -8>>):
  // expected-error@+1 {{has a fixed-point result and an operand of 'f64'}}
  %r = dend.dot %v, %y : (tensor<3xf64>, tensor<3x!dend.fx<16, -8>>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %y : tensor<3x!dend.fx<16, -8>>):
  // expected-error@+1 {{needs values of one element type}}
  %r = dend.dot %v, %y : (tensor<3xf64>, tensor<3x!dend.fx<16, -8>>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{result has type 'tensor<3xf64>', expected shape ()}}
  %r = dend.dot %v, %v : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %u : tensor<2xf64>):
  // expected-error@+1 {{rhs has type 'tensor<2xf64>', expected shape (3,)}}
  %r = dend.matvec %m, %u : (tensor<2x3xf64>, tensor<2xf64>) -> tensor<2xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %v : tensor<3xf64>):
  // expected-error@+1 {{result has type 'tensor<3xf64>', expected shape (2,)}}
  %r = dend.matvec %m, %v : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{lhs has type 'tensor<3xf64>', expected rank 2}}
  %r = dend.matvec %v, %v : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %m : tensor<2x3xf64>):
  // expected-error@+1 {{lhs has type 'tensor<3xf64>', expected shape (2,)}}
  %r = dend.vecmat %v, %m : (tensor<3xf64>, tensor<2x3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{rhs has type 'tensor<3xf64>', expected rank 2}}
  %r = dend.vecmat %v, %v : (tensor<3xf64>, tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %v : tensor<3xf64>, %u : tensor<2xf64>):
  // expected-error@+1 {{result has type 'tensor<2x3xf64>', expected shape (3, 2)}}
  %r = dend.outer_add %m, %v, %u : (tensor<2x3xf64>, tensor<3xf64>, tensor<2xf64>) -> tensor<2x3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %u : tensor<2xf64>, %v : tensor<3xf64>):
  // expected-error@+1 {{accumulator has type 'f64', the result 'tensor<2x3xf64>'}}
  %r = dend.outer_add %f, %u, %v : (f64, tensor<2xf64>, tensor<3xf64>) -> tensor<2x3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{result has type 'tensor<3xf64>', expected shape ()}}
  %r = dend.reduce sum %v : (tensor<3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{marks 4 of 3 elements, expected 1 to 3}}
  %r = dend.topk %v, 4 : (tensor<3xf64>) -> tensor<3xi1>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{marks 0 of 3 elements, expected 1 to 3}}
  %r = dend.topk %v, 0 : (tensor<3xf64>) -> tensor<3xi1>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{result has type 'tensor<3xf64>', expected element type 'i1'}}
  %r = dend.topk %v, 1 : (tensor<3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>):
  // expected-error@+1 {{input has type 'tensor<2x3xf64>', expected rank 1}}
  %r = dend.topk %m, 1 : (tensor<2x3xf64>) -> tensor<2x3xi1>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs a tensor, found 'f64'}}
  %r = dend.slice %f[0, 1] : (f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{takes 2 elements from 2 of an axis of 3}}
  %r = dend.slice %v[2, 2] : (tensor<3xf64>) -> tensor<2xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{takes 2 elements from 9223372036854775807 of an axis of 3}}
  %r = dend.slice %v[9223372036854775807, 2] : (tensor<3xf64>) -> tensor<2xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{result has type 'tensor<3xf64>', expected shape (2,)}}
  %r = dend.slice %v[0, 2] : (tensor<3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{takes element 3 of an axis of 3}}
  %r = dend.element %v[3] : (tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{takes element -1 of an axis of 3}}
  %r = dend.element %v[-1] : (tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>):
  // expected-error@+1 {{result has type 'f64', expected shape (3,)}}
  %r = dend.element %m[0] : (tensor<2x3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs a tensor, found 'f64'}}
  %r = dend.roll %f by 1 : (f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>):
  // expected-error@+1 {{input has type 'tensor<3xf64>', expected shape ()}}
  %r = dend.splat %v : (tensor<3xf64>) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{gives a tensor, found 'f64'}}
  %r = dend.splat %f : (f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{needs at least one input}}
  %r = dend.concat : () -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{gives a tensor, found 'f64'}}
  %r = dend.concat %f : (f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %v : tensor<3xf64>):
  // expected-error@+1 {{input #1 has type 'tensor<3xf64>', which cannot be joined into 'tensor<3x3xf64>'}}
  %r = dend.concat %m, %v : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<3x3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{joins 4 elements into an axis of 5}}
  %r = dend.concat %v, %f : (tensor<3xf64>, f64) -> tensor<5xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : i1, %x : f64):
  // expected-error@+1 {{keeps 1 values ('f64') for 1 results ('f32'); they must have the same types}}
  %r = dend.when %c keep(%x : f64) -> (f32) {
    dend.give %x : f64
  }
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : i1, %x : f64):
  // expected-error@+1 {{is given 0 values () for 1 results ('f64'); they must have the same types}}
  %r = dend.when %c keep(%x : f64) -> (f64) {
    // expected-note@+1 {{given here}}
    dend.give
  }
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : i1, %x : f64):
  // expected-error@+1 {{must end with dend.give}}
  dend.when %c {
    %y = dend.neg %x : (f64) -> f64
  }
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : i1):
  // expected-error@+1 {{region with 1 blocks}}
  "dend.when"(%c) ({}) : (i1) -> ()
}) : () -> ()

// -----
// expected-error@+1 {{expects parent op 'dend.when'}}
dend.give

// The type constraints of the definitions say which kinds an operand can hold.
// -----
"test.body"() ({
^bb0(%b : i1):
  // expected-error@+1 {{operand #0 must be a real, fixed-point or i32 value or a static tensor of them, but got 'i1'}}
  %r = dend.mul %b, %b : (i1, i1) -> i1
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{result #0 must be a real, fixed-point or i32 value or a static tensor of them, but got 'i1'}}
  %r = dend.mul %f, %f : (f64, f64) -> i1
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : complex<f64>):
  // expected-error@+1 {{operand #0 must be a real, fixed-point, i32 or i1 value or a static tensor of them, but got 'complex<f64>'}}
  %r = dend.cmp eq %c, %c : (complex<f64>, complex<f64>) -> i1
}) : () -> ()

// -----
"test.body"() ({
^bb0(%b : i1, %i : i32):
  // expected-error@+1 {{operand #0 must be a real, fixed-point or i32 value or a static tensor of them, but got 'i1'}}
  %r = dend.shift %b by %i round floor : (i1, i32) -> i1
}) : () -> ()

// -----
"test.body"() ({
^bb0(%i : i32, %v : tensor<3xf64>):
  // expected-error@+1 {{operand #0 must be a real or fixed-point value}}
  %r = dend.table %i in %v from 0.0 step 1.0 : (i32, tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xi32>):
  // expected-error@+1 {{operand #0 must be a real or fixed-point value or a static tensor of them, but got 'tensor<3xi32>'}}
  %r = dend.dot %v, %v : (tensor<3xi32>, tensor<3xi32>) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%b : tensor<3xi1>):
  // expected-error@+1 {{operand #0 must be a real, fixed-point or i32 value}}
  %r = dend.topk %b, 1 : (tensor<3xi1>) -> tensor<3xi1>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%i : i32):
  // expected-error@+1 {{operand #0 must be a real or fixed-point value or a static tensor of them, but got 'i32'}}
  %r = dend.math exp %i : (i32) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : i1, %f : f64):
  %k = "test.index"() : () -> index
  // expected-error@+1 {{operand #1 has type 'index', expected a float, complex, fixed-point, i1 or i32 value}}
  %r = dend.when %c keep(%k : index) -> (index) { dend.give %k : index }
}) : () -> ()
