// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/NetworkOps.cpp, dialects/dend/Bindings.cpp.
// What networks, clocks, constants and neuron models refuse.
// RUN: dendrolith-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{needs a root clock: one dend.clock without 'divides'}}
dend.network @n {
}

// -----
dend.network @n {
  // expected-note@+1 {{the first root clock is here}}
  dend.clock @a
  // expected-error@+1 {{is a second root clock; a network has exactly one without 'divides'}}
  dend.clock @b
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{names clock @c, which the network does not have}}
  dend.clock @b divides @c by 2
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{declared here}}
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-error@+1 {{names clock @k, which is no clock}}
  dend.clock @b divides @k by 2
}

// -----
dend.network @n {
  dend.clock @root
  // expected-error@+1 {{divides itself through other clocks}}
  dend.clock @a divides @b by 2
  dend.clock @b divides @a by 1
}

// -----
dend.network @n {
  dend.clock @root
  // expected-error@+1 {{divides by 0, expected 1 to 2147483647}}
  dend.clock @a divides @root by 0
}

// -----
dend.network @n {
  dend.clock @root
  dend.clock @a divides @root by 65536
  // expected-error@+1 {{ticks more than 2147483647 times per tick of the root clock}}
  dend.clock @b divides @a by 65536
}

// -----
dend.network @n {
  dend.clock @root
  // expected-error@+1 {{needs both 'divides' and 'by', or neither}}
  "dend.clock"() {sym_name = "a", by = 3 : i64} : () -> ()
}

// -----
// expected-error@+1 {{cannot hold 'dend.literal'}}
dend.network @n {
  dend.clock @root
  // expected-note@+1 {{found here}}
  %a = dend.literal 1.0 : f64 as f64
}

// -----
// expected-error@+1 {{expects parent op 'dend.network'}}
dend.clock @a

// -----
dend.network @n {
  // expected-note@+1 {{see existing symbol definition here}}
  dend.clock @a
  // expected-error@+1 {{redefinition of symbol named 'a'}}
  dend.constant @a : tensor<f64> = dense<1.0> : tensor<f64>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{needs either elements or a key to bind, found neither}}
  dend.constant @k : tensor<f64>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{needs either elements or a key to bind, found both}}
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64> extern "k"
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has type 'f64', expected a static tensor of}}
  dend.constant @k : f64 extern "k"
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has type 'tensor<?xf64>', expected a static tensor of}}
  dend.constant @k : tensor<?xf64> extern "k"
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has type 'tensor<3xf16>', expected a static tensor of}}
  dend.constant @k : tensor<3xf16> extern "k"
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has type 'tensor<65536x65536xf32>', expected a static tensor of}}
  dend.constant @k : tensor<65536x65536xf32> extern "k"
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has elements of type 'tensor<2xf32>', expected 'tensor<2xf64>'}}
  dend.constant @k : tensor<2xf64> = dense<1.0> : tensor<2xf32>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has elements of type 'tensor<2xf64>', expected raw integers for 'tensor<2x!dend.fx<8, 0>>'}}
  dend.constant @k : tensor<2x!dend.fx<8, 0>> = dense<1.0> : tensor<2xf64>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{holds 128, outside the range of '!dend.fx<8, 0>'}}
  dend.constant @k : tensor<2x!dend.fx<8, 0>> = dense<[1, 128]> : tensor<2xi32>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{needs dense or dense_resource elements}}
  dend.constant @k : tensor<2xf64> = sparse<[[0]], [1.0]> : tensor<2xf64>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{holds a number that is not finite, at 1 of 2}}
  dend.constant @k : tensor<2xf64> = dense<[1.0, 0x7FF0000000000000]> : tensor<2xf64>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{refers to resource 'missing', which has no data}}
  dend.constant @k : tensor<2xf32> = dense_resource<missing> : tensor<2xf32>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{refers to resource 'short' of 8 bytes, expected 16 for 'tensor<4xf32>'}}
  dend.constant @k : tensor<4xf32> = dense_resource<short> : tensor<4xf32>
}
{-#
  dialect_resources: { builtin: { short: "0x040000000000803F00000040" } }
#-}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{needs i1 elements in place, not a resource}}
  dend.constant @k : tensor<8xi1> = dense_resource<bits> : tensor<8xi1>
}
{-#
  dialect_resources: { builtin: { bits: "0x040000000000803F00000040" } }
#-}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has indices 'at' without a key}}
  "dend.constant"() {sym_name = "k", type = tensor<f64>, value = dense<1.0> : tensor<f64>, at = array<i64: 0>} : () -> ()
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has index -1 in 'at', expected 0 or more}}
  dend.constant @k : tensor<f64> extern "k" at [-1]
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{needs a key that is not empty}}
  dend.constant @k : tensor<f64> extern ""
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{names clock @b, which the network does not have}}
  dend.input @x on @b : tensor<3xf64> as !dend.spike<binary>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has type 'tensor<0xf64>', expected a static tensor with 1 to 2147483647 elements}}
  dend.input @x on @a : tensor<0xf64> as !dend.spike<binary>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has elements of type 'complex<f64>', expected floats or integers}}
  dend.input @x on @a : tensor<3xcomplex<f64>> as !dend.spike<binary>
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{scale must be a positive finite number, found 0.000000e+00}}
  dend.input @x on @a : tensor<3xf64> as !dend.spike<int, 0, 9> scale 0.0
}
