// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/NeuronVerify.cpp.
// What neuron models refuse.
// RUN: dendrolith-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

dend.network @n {
  // expected-error@+1 {{has two ports called "I"}}
  dend.neuron @m ports(%a "I" : f64, %b "I" : f64) {
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{has two parameters called "p"}}
  dend.neuron @m params(%a "p" : f64, %b "p" : f64) {
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{has two states called "v"}}
  dend.neuron @m states(%a "v" : f64 reset sample, %b "v" : f64 reset sample) {
    dend.yield states(%a, %b : f64, f64)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{has two outputs called "s"}}
  dend.neuron @m ports(%a : f64) outputs(s : !dend.spike<graded>, s : !dend.spike<graded>) {
    dend.yield emit(%a, %a : f64, f64)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{has a port without a name}}
  dend.neuron @m ports(%a "" : f64) {
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{has 0 block arguments for 1 ports, 0 parameters and 0 states}}
  "dend.neuron"() ({
    "dend.yield"() {operandSegmentSizes = array<i32: 0, 0>} : () -> ()
  }) {sym_name = "m", ports = [#dend.port<"I">], params = [], states = [], outputs = []} : () -> ()
}

// -----
dend.network @n {
  // expected-error@+1 {{argument #0 has type 'index', expected a float, complex, fixed-point, i1 or i32 value}}
  dend.neuron @m ports(%a : index) {
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{port "a" has type 'i32', expected real or fixed point}}
  dend.neuron @m ports(%a : i32) {
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{expected 'sample', 'never' or a clock after 'reset', found 'often'}}
  dend.neuron @m states(%v : f64 reset often) {
    dend.yield states(%v : f64)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{state "v" has reset "often", expected sample, never or a clock}}
  "dend.neuron"() ({
  ^bb0(%v : f64):
    "dend.yield"(%v) {operandSegmentSizes = array<i32: 1, 0>} : (f64) -> ()
  }) {sym_name = "m", ports = [], params = [], states = [#dend.state<"v", "often">], outputs = []} : () -> ()
}

// -----
dend.network @n {
  // expected-error@+1 {{state "v" of type 'i32' starts at 5.000000e-01 : f64, expected an integer (raw units)}}
  dend.neuron @m states(%v : i32 reset sample init 0.5) {
    dend.yield states(%v : i32)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{state "v" of type 'f64' starts at 1 : i64, expected a float}}
  dend.neuron @m states(%v : f64 reset sample init 1) {
    dend.yield states(%v : f64)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{state "v" starts at 0x7FF0000000000000 : f64, expected a finite number}}
  dend.neuron @m states(%v : f64 reset sample init 0x7FF0000000000000 : f64) {
    dend.yield states(%v : f64)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{state "v" starts at 128 : i64, outside the range of '!dend.fx<8, 0>'}}
  dend.neuron @m states(%v : !dend.fx<8, 0> reset sample init 128) {
    dend.yield states(%v : !dend.fx<8, 0>)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{state "v" has initial value "zero", expected a number or a constant's symbol}}
  dend.neuron @m states(%v : f64 reset sample init "zero") {
    dend.yield states(%v : f64)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{output "s" has 0 elements, expected 1 to 2147483647}}
  dend.neuron @m ports(%a : f64) outputs(s[0] : !dend.spike<graded>) {
    dend.yield emit(%a : f64)
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the states are declared here}}
  dend.neuron @m states(%v : f64 reset sample) {
    // expected-error@+1 {{gives 0 states, the model has 1}}
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the outputs are declared here}}
  dend.neuron @m ports(%a : f64) outputs(s : !dend.spike<graded>) {
    // expected-error@+1 {{emits 0 values, the model has 1 outputs}}
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the state is declared here}}
  dend.neuron @m ports(%a : f32) states(%v : f64 reset sample) {
    // expected-error@+1 {{gives state "v" a value of type 'f32', expected 'f64'}}
    dend.yield states(%a : f32)
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the output is declared here}}
  dend.neuron @m ports(%a : f64) outputs(s : !dend.spike<binary>) {
    // expected-error@+1 {{gives output "s" a value of type 'f64', expected i1 for '!dend.spike<binary>'}}
    dend.yield emit(%a : f64)
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the output is declared here}}
  dend.neuron @m ports(%a : f64) outputs(s : !dend.spike<int, 0, 3>) {
    // expected-error@+1 {{gives output "s" a value of type 'f64', expected i32 or fixed point for '!dend.spike<int, 0, 3>'}}
    dend.yield emit(%a : f64)
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the output is declared here}}
  dend.neuron @m states(%n : i32 reset sample) outputs(s : !dend.spike<graded>) {
    // expected-error@+1 {{gives output "s" a value of type 'i32', expected a real or fixed-point value for '!dend.spike<graded>'}}
    dend.yield states(%n : i32) emit(%n : i32)
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the output is declared here}}
  dend.neuron @m ports(%a : f64) outputs(s[2] : !dend.spike<graded>) {
    // expected-error@+1 {{gives output "s" a value of type 'f64', expected 2 elements}}
    dend.yield emit(%a : f64)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{body must end with dend.yield}}
  dend.neuron @m ports(%a : f64) {
    "test.end"(%a) : (f64) -> ()
  }
}

// -----
dend.network @n {
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m {
    // expected-error@+1 {{cannot stand in a step body}}
    builtin.module {
    }
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{region with 1 blocks}}
  "dend.neuron"() ({}) {sym_name = "m", ports = [], params = [], states = [], outputs = []} : () -> ()
}

// -----
dend.network @n {
  // expected-error@+1 {{requires one region}}
  "dend.neuron"() {sym_name = "m", ports = [], params = [], states = [], outputs = []} : () -> ()
}

// -----
dend.network @n {
  // expected-error@+1 {{failed to satisfy constraint: ports}}
  "dend.neuron"() ({
    "dend.yield"() {operandSegmentSizes = array<i32: 0, 0>} : () -> ()
  }) {sym_name = "m", ports = [3 : i32], params = [], states = [], outputs = []} : () -> ()
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{names clock @b, which the network does not have}}
  dend.neuron @m ports(%I : f64 hold @b) {
    dend.yield
  }
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{names clock @b, which the network does not have}}
  dend.neuron @m states(%v : f64 reset @b) {
    dend.yield states(%v : f64)
  }
}
