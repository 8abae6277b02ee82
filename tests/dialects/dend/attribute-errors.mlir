// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/DendDialect.cpp, dialects/DeclaredAttributes.h.
// Attributes that passes leave for each other: a misspelt name and a value of
// another type are errors, wherever the attribute stands.
// RUN: dendrolith-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{has no attribute 'perod'; it has 'critical', 'depth', 'layers', 'period'}}
dend.network @n attributes {perod = 1 : i64} {
  dend.clock @t
}

// -----
// expected-error@+1 {{attribute 'period' failed to satisfy constraint: 64-bit signless integer attribute}}
dend.network @n attributes {period = "one"} {
  dend.clock @t
}

// -----
// Rows of one report are none of another.
// expected-error@+1 {{attribute 'quantisation' failed to satisfy constraint: rows of `quantisation`}}
dend.network @n attributes {quantisation = [#report.note<key = "k", value = "v">]} {
  dend.clock @t
}

// -----
// expected-error@+1 {{attribute 'statistics' failed to satisfy constraint}}
dend.network @n attributes {statistics = {parameters = 1 : i64}} {
  dend.clock @t
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  // expected-error@+1 {{has no attribute 'corse'; it has 'activity'}}
  dend.population @p : @m[2] on @t {corse = dense<0> : tensor<2xi32>}
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  // expected-error@+1 {{attribute 'calibration' failed to satisfy constraint}}
  dend.population @p : @m[2] on @t {calibration = {I = array<f64: 1.0>}}
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  // expected-error@+1 {{attribute 'emission' failed to satisfy constraint: emissions by output}}
  dend.population @p : @m[2] on @t {emission = ["graded"]}
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  // expected-error@+1 {{has calibration of "i", which is no port or state of its model}}
  dend.population @p : @m[2] on @t {calibration = {i = array<f64: 0.0, 1.0>}}
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  // expected-error@+1 {{has emissions of 1 outputs, its model has 0}}
  dend.population @p : @m[2] on @t {emission = [#dend.emission<binary, 1>]}
}

// -----
dend.network @n {
  dend.clock @t
  // expected-error@+1 {{attribute 'calibration' failed to satisfy constraint}}
  dend.input @x on @t : tensor<2xf64> as !dend.spike<graded> {calibration = {range = array<f64: 0.0, 1.0>}}
}

// -----
dend.network @n {
  dend.clock @t
  // expected-error@+1 {{attribute 'poles' failed to satisfy constraint: arrays of parameter names}}
  dend.neuron @m ports(%I : f64) attributes {poles = ["keep"]} {
    dend.yield
  }
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    // expected-error@+1 {{has no attribute 'calibration'; it has 'overflow'}}
    %a = dend.add %I, %I {calibration = [array<f64: 0.0, 1.0>]} : (f64, f64) -> f64
    dend.yield
  }
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    // expected-error@+1 {{has no attribute 'dend.calibraton' of dialect 'dend', which has 'dend.calibration'}}
    %a = dend.add %I, %I {dend.calibraton = [array<f64: 0.0, 1.0>]} : (f64, f64) -> f64
    dend.yield
  }
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    // expected-error@+1 {{'dend.calibration' is [], expected for each of its 1 results array<f64: low, high> or array<f64>}}
    %a = dend.add %I, %I {dend.calibration = []} : (f64, f64) -> f64
    dend.yield
  }
}

// -----
dend.network @n {
  dend.clock @t
  dend.input @x on @t : tensor<1xf64> as !dend.spike<graded>
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  dend.population @a : @m[1] on @t
  dend.constant @w : tensor<1x1xf64> = dense<1.0> : tensor<1x1xf64>
  // expected-error@+1 {{'dend.weight_bits' is 0 : i64, expected 1 to 64}}
  dend.project @x -> @a["I"] #dend.dense weight @w {dend.weight_bits = 0 : i64}
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  // expected-error@+1 {{has no attribute 'dend.weight_bits' of dialect 'dend', which has 'dend.calibration', 'dend.weight_bits' of projections, 'dend.state_bits', 'dend.port_units', 'dend.state_units' and 'dend.output_units' of populations, 'dend.input_bits' of inputs and 'dend.queue' of the root clock}}
  dend.population @a : @m[1] on @t {dend.weight_bits = 8 : i64}
}

// -----
dend.network @n {
  dend.clock @t
  dend.neuron @m ports(%I : f64) {
    dend.yield
  }
  // expected-error@+1 {{'dend.state_units' is {v = -1.000000e+00 : f64}, expected numbers of f64 above 0 by name}}
  dend.population @a : @m[1] on @t {dend.state_units = {v = -1.0 : f64}}
}
// -----
dend.network @n {
  // expected-error@+1 {{'dend.queue' is 0 : i64, expected 1 or more}}
  dend.clock @t {dend.queue = 0 : i64}
}
// -----
dend.network @n {
  dend.clock @t
  // expected-error@+1 {{'dend.queue' is of the root clock alone}}
  dend.clock @u divides @t by 2 {dend.queue = 32 : i64}
}
