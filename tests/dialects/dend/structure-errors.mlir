// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What structure operations refuse (dialects/dend/StructureVerify.cpp).
// RUN: dendrolith-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{takes real values, found '!dend.fx<16, -8>'}}
  %r = dend.compartment %x drive %x keep %x : (!dend.fx<16, -8>, !dend.fx<16, -8>, !dend.fx<16, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %v : tensor<3xf64>):
  // expected-error@+1 {{gives 'tensor<3xf64>' for a state of type 'f64'}}
  %r = dend.compartment %f drive %v keep %f : (f64, tensor<3xf64>, f64) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %v : tensor<3xf64>):
  // expected-error@+1 {{gives 'tensor<3xf64>' for a state of type 'f64'}}
  %r = dend.soma %f, %v, %f keep %f gain %f feed %f : (f64, tensor<3xf64>, f64, f64, f64, f64) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3x2xf64>, %f : f64):
  // expected-error@+1 {{needs a state tensor<K x complex> or tensor<K x real>, found 'tensor<3x2xf64>'}}
  %r:2 = dend.branch %v, %f A %v G %v C %v act relu : (tensor<3x2xf64>, f64, tensor<3x2xf64>, tensor<3x2xf64>, tensor<3x2xf64>) -> (tensor<3x2xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>, %f : f64, %v : tensor<3xf64>):
  // expected-error@+1 {{C has type 'tensor<3xcomplex<f64>>', expected that of the state, 'tensor<3xf64>'}}
  %r:2 = dend.branch %v, %f A %v C %c act relu : (tensor<3xf64>, f64, tensor<3xf64>, tensor<3xcomplex<f64>>) -> (tensor<3xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>, %f : f64):
  // expected-error@+1 {{needs a state tensor<K x real>, found 'tensor<3xcomplex<f64>>'}}
  %r:2 = dend.cable %c, %f diag %c lower %c upper %c gamma %c dt %f act relu : (tensor<3xcomplex<f64>>, f64, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, f64) -> (tensor<3xcomplex<f64>>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %l : tensor<2xf64>, %f : f64):
  // expected-error@+1 {{needs upper}}
  %r:2 = dend.cable %v, %f diag %v lower %l gamma %v dt %f act relu : (tensor<3xf64>, f64, tensor<3xf64>, tensor<2xf64>, tensor<3xf64>, f64) -> (tensor<3xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<1xf64>, %f : f64):
  // expected-error@+1 {{of one compartment has no lower}}
  %r:2 = dend.cable %v, %f diag %v lower %v upper %v gamma %v dt %f act relu : (tensor<1xf64>, f64, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>, f64) -> (tensor<1xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{lower has type 'tensor<3xf64>', expected 'tensor<2xf64>'}}
  %r:2 = dend.cable %v, %f diag %v lower %v upper %v gamma %v dt %f act relu : (tensor<3xf64>, f64, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, f64) -> (tensor<3xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %l : tensor<2xf64>, %f : f64):
  // expected-error@+1 {{gamma has type 'tensor<2xf64>', expected 'tensor<3xf64>'}}
  %r:2 = dend.cable %v, %f diag %v lower %l upper %l gamma %l dt %f act relu : (tensor<3xf64>, f64, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, f64) -> (tensor<3xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<1xf64>, %f : f64):
  // expected-error@+1 {{dt has type 'tensor<1xf64>', expected 'f64'}}
  %r:2 = dend.cable %v, %f diag %v gamma %v dt %v act relu : (tensor<1xf64>, f64, tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> (tensor<1xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<1xf64>, %f : f64):
  // expected-error@+1 {{range [3, 2) is empty or negative}}
  %r:2 = dend.cable %v, %f diag %v gamma %v dt %f act relu for [3, 2] : (tensor<1xf64>, f64, tensor<1xf64>, tensor<1xf64>, f64) -> (tensor<1xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>, %f : f64, %v : tensor<3xf64>):
  // expected-error@+1 {{G has type 'tensor<3xf64>', expected that of the state, 'tensor<3xcomplex<f64>>'}}
  %r:2 = dend.branch %c, %f A %c G %v C %c act relu : (tensor<3xcomplex<f64>>, f64, tensor<3xcomplex<f64>>, tensor<3xf64>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>, %v : tensor<3xf64>):
  // expected-error@+1 {{input has type 'tensor<3xf64>', expected 'f64'}}
  %r:2 = dend.branch %c, %v A %c G %c C %c act relu : (tensor<3xcomplex<f64>>, tensor<3xf64>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>, %f : f64):
  // expected-error@+1 {{gives 'tensor<3xf64>' for a state of type 'tensor<3xcomplex<f64>>'}}
  %r:2 = dend.branch %c, %f A %c G %c C %c act relu : (tensor<3xcomplex<f64>>, f64, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>, %f : f64):
  // expected-error@+1 {{range has 1 entries, expected the first neuron and the one after the last}}
  %r:2 = dend.branch %c, %f A %c G %c C %c act relu for [3] : (tensor<3xcomplex<f64>>, f64, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : tensor<3xcomplex<f64>>, %f : f64):
  // expected-error@+1 {{range [3, 3) is empty or negative}}
  %r:2 = dend.branch %c, %f A %c G %c C %c act relu for [3, 3] : (tensor<3xcomplex<f64>>, f64, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, f64)
}) : () -> ()

// -----
"test.body"() ({
  // expected-error@+1 {{needs at least one branch}}
  %r = dend.join sum () : () -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%b : i1):
  // expected-error@+1 {{takes real or fixed-point or i32 values, found 'i1'}}
  %r = dend.join sum (%b) : (i1) -> i1
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %u : tensor<2xf64>):
  // expected-error@+1 {{only a real sum can be weighted}}
  %r = dend.join max (%f, %f) weights %u : (f64, f64, tensor<2xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %v : tensor<3xf64>):
  // expected-error@+1 {{weights has type 'tensor<3xf64>', expected shape (2,)}}
  %r = dend.join sum (%f, %f) weights %v : (f64, f64, tensor<3xf64>) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{has a value to reset to, but reset subtract; use reset value}}
  %r:2 = dend.fire %f, %f reset subtract to %f : (f64, f64, f64) -> (i1, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{spike has type 'f64', expected element type 'i1'}}
  %r:2 = dend.fire %f, %f reset value : (f64, f64) -> (f64, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %x : !dend.fx<16, -8>):
  // expected-error@+1 {{needs values of one element type}}
  %r:2 = dend.fire %f, %x reset value : (f64, !dend.fx<16, -8>) -> (i1, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{spike has type 'i1', expected shape (3,)}}
  %r:2 = dend.fire %v, %f reset value : (tensor<3xf64>, f64) -> (i1, tensor<3xf64>)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64, %v : tensor<3xf64>):
  // expected-error@+1 {{result has type 'f64', expected shape (3,)}}
  %r:2 = dend.fire %f, %v reset value : (f64, tensor<3xf64>) -> (i1, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs vth > 0, found 0.000000e+00}}
  %r = dend.ssf %f shift %f scale %f vth 0.0 u 4.0 : (f64, f64, f64) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs u > 0, found -4.000000e+00}}
  %r = dend.ssf %f shift %f scale %f vth 1.0 u -4.0 : (f64, f64, f64) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs u / vth to be an integer, found 4.000000e+00 / 1.500000e+00}}
  %r = dend.ssf %f shift %f scale %f vth 1.5 u 4.0 : (f64, f64, f64) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs u / vth to be an integer}}
  %r = dend.ssf %f shift %f scale %f vth 1.0e-10 u 4.0e3 : (f64, f64, f64) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{result has type 'i32', expected shape (3,)}}
  %r = dend.ssf %v shift %f scale %f vth 1.0 u 4.0 : (tensor<3xf64>, f64, f64) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-note@+1 {{scale is set here}}
  %q = dend.literal 0.0 : f64 as f64
  // expected-error@+1 {{needs scale > 0}}
  %r = dend.ssf %f shift %f scale %q vth 1.0 u 4.0 : (f64, f64, f64) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%f : f64):
  // expected-error@+1 {{needs a vector or matrix state, found 'f64'}}
  %r = dend.delta_rule %f key %f target %f prediction %f keep %f rate %f : (f64, f64, f64, f64, f64, f64) -> f64
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %u : tensor<2xf64>, %f : f64):
  // expected-error@+1 {{key has type 'tensor<2xf64>', expected shape (3,)}}
  %r = dend.delta_rule %v key %u target %f prediction %f keep %f rate %f : (tensor<3xf64>, tensor<2xf64>, f64, f64, f64, f64) -> tensor<3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %u : tensor<2xf64>, %f : f64):
  // expected-error@+1 {{target has type 'f64', expected shape (3,)}}
  %r = dend.delta_rule %m key %u target %f prediction %f keep %f rate %f : (tensor<2x3xf64>, tensor<2xf64>, f64, f64, f64, f64) -> tensor<2x3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %u : tensor<2xf64>, %v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{prediction has type 'f64', expected shape (3,)}}
  %r = dend.delta_rule %m key %u target %v prediction %f keep %f rate %f : (tensor<2x3xf64>, tensor<2xf64>, tensor<3xf64>, f64, f64, f64) -> tensor<2x3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %u : tensor<2xf64>, %v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{keep has type 'tensor<3xf64>', expected shape ()}}
  %r = dend.delta_rule %m key %u target %v prediction %v keep %v rate %f : (tensor<2x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, f64) -> tensor<2x3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%m : tensor<2x3xf64>, %u : tensor<2xf64>, %v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{rate has type 'tensor<3xf64>', expected shape ()}}
  %r = dend.delta_rule %m key %u target %v prediction %v keep %f rate %v : (tensor<2x3xf64>, tensor<2xf64>, tensor<3xf64>, tensor<3xf64>, f64, tensor<3xf64>) -> tensor<2x3xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %f : f64):
  // expected-error@+1 {{gives 'tensor<2xf64>' for a state of type 'tensor<3xf64>'}}
  %r = dend.delta_rule %v key %v target %f prediction %f keep %f rate %f : (tensor<3xf64>, tensor<3xf64>, f64, f64, f64, f64) -> tensor<2xf64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{input has type '!dend.fx<16, -8>', expected '!dend.fx<64, 0>'}}
  %r:4 = dend.cuba %x, %s, %s, %i decay %i, %i threshold %i bias %i : (!dend.fx<16, -8>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32, %f : f64):
  // expected-error@+1 {{decay_v has type 'f64', expected 'i32'}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %f threshold %i bias %i : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, f64, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{next r has type 'f64', expected 'i32'}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %i threshold %i bias %i : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{input_wrap_bits is 63, expected 0 to 62}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %i threshold %i bias %i {input_wrap_bits = 63 : i64} : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{vmin is 1, expected -2147483648 to 0}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %i threshold %i bias %i {vmin = 1 : i64} : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{vmax is -1, expected 0 to 2147483647}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %i threshold %i bias %i {vmax = -1 : i64} : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{refractory is -1, expected 0 to 2147483647}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %i threshold %i bias %i {refractory = -1 : i64} : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{current_bits is 33, expected 2 to 32}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %i threshold %i bias %i {current_bits = 33 : i64} : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{a current of 32 bits has no room for the upper end of open_low, expected wrap open_high}}
  %r:4 = dend.cuba %I, %s, %s, %i decay %i, %i threshold %i bias %i {current_bits = 32 : i64} : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()

// The type constraints of the definitions say which kinds an operand can hold.
// -----
"test.body"() ({
^bb0(%b : i1):
  // expected-error@+1 {{operand #0 must be a real, fixed-point or i32 value or a static tensor of them, but got 'i1'}}
  %s, %n = dend.fire %b, %b reset none : (i1, i1) -> (i1, i1)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3xf64>, %i : i32):
  // expected-error@+1 {{operand #1 must be a real value or a static tensor of them, but got 'i32'}}
  %r:2 = dend.branch %v, %i A %v C %v act relu : (tensor<3xf64>, i32, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%v : tensor<3x!dend.fx<16, -8>>, %f : f64):
  // expected-error@+1 {{operand #0 must be a real or complex value or a static tensor of them, but got 'tensor<3x!dend.fx<16, -8>>'}}
  %r:2 = dend.branch %v, %f A %v C %v act relu : (tensor<3x!dend.fx<16, -8>>, f64, tensor<3x!dend.fx<16, -8>>, tensor<3x!dend.fx<16, -8>>) -> (tensor<3x!dend.fx<16, -8>>, f64)
}) : () -> ()

// -----
"test.body"() ({
^bb0(%c : complex<f64>):
  // expected-error@+1 {{operand #0 must be}}
  %r = dend.join sum(%c, %c) : (complex<f64>, complex<f64>) -> complex<f64>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%i : i32):
  // expected-error@+1 {{operand #0 must be a real or fixed-point value or a static tensor of them, but got 'i32'}}
  %r = dend.ssf %i shift %i scale %i vth 1.0 u 4.0 : (i32, i32, i32) -> i32
}) : () -> ()

// -----
"test.body"() ({
^bb0(%x : !dend.fx<16, -8>):
  // expected-error@+1 {{takes real values, found '!dend.fx<16, -8>'}}
  %r = dend.soma %x, %x, %x keep %x gain %x feed %x : (!dend.fx<16, -8>, !dend.fx<16, -8>, !dend.fx<16, -8>, !dend.fx<16, -8>, !dend.fx<16, -8>, !dend.fx<16, -8>) -> !dend.fx<16, -8>
}) : () -> ()

// -----
"test.body"() ({
^bb0(%I : !dend.fx<64, 0>, %f : f64, %s : !dend.fx<32, 0>, %i : i32):
  // expected-error@+1 {{operand #1 must be a fixed-point value or a static tensor of them, but got 'f64'}}
  %r:4 = dend.cuba %I, %f, %s, %i decay %i, %i threshold %i bias %i : (!dend.fx<64, 0>, f64, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
}) : () -> ()
