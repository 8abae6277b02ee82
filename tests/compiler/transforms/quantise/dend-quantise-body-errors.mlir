// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --split-input-file --dend-quantise=target=loihi2 --verify-diagnostics

dend.network @norange {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) states(%v : f64 reset sample) {
    %w = dend.add %v, %I : (f64, f64) -> f64
    dend.yield states(%w : f64)
  }
  // expected-error@+1 {{the values of '@a' ('@m') have no known ranges; give samples of the input with --calibrate}}
  dend.population @a : @m[1] on @step
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}

// -----
dend.network @noform {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) states(%v : f64 reset sample) {
    // expected-error@+1 {{has no recipe for log in fixed point}}
    %w = dend.math log %v : (f64) -> f64
    dend.yield states(%w : f64)
  }
  dend.population @a : @m[1] on @step {calibration = {I = array<f64: 0.0, 1.0>}}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}

// -----
// 19660.51 and 26214.51 of 2^-15, inside the unit circle; 19661 and 26215 are
// not.
dend.network @pole {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) params(%re : f64, %im : f64)
      states(%v : f64 reset sample, %w : f64 reset sample) attributes {poles = [["re", "im"]]} {
    %vv = dend.mul %v, %re : (f64, f64) -> f64
    %vw = dend.mul %w, %im : (f64, f64) -> f64
    %v1 = dend.sub %vv, %vw : (f64, f64) -> f64
    %v2 = dend.add %v1, %I : (f64, f64) -> f64
    %wv = dend.mul %v, %im : (f64, f64) -> f64
    %ww = dend.mul %w, %re : (f64, f64) -> f64
    %w1 = dend.add %wv, %ww : (f64, f64) -> f64
    dend.yield states(%v2, %w1 : f64, f64)
  }
  dend.constant @re : tensor<f64> = dense<0.5999911499> : tensor<f64>
  dend.constant @im : tensor<f64> = dense<0.80000335693> : tensor<f64>
  // expected-error@+1 {{layer '@a': pole 0 of 're' has magnitude}}
  dend.population @a : @m[1] on @step bind {re = @re, im = @im} {calibration = {I = array<f64: 0.0, 1.0>}}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}

// -----
dend.network @ladder {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) params(%scale : f64) states(%v : f64 reset sample)
      outputs(s : !dend.spike<int, -1, 1>) {
    %zero = dend.literal 0.0 : f64 as f64
    %w = dend.add %v, %I {dend.calibration = [array<f64: 0.0, 1000.0>]} : (f64, f64) -> f64
    %s = dend.ssf %w shift %zero scale %scale vth 1.0 u 1.0 : (f64, f64, f64) -> i32
    dend.yield states(%w : f64) emit(%s : i32)
  }
  dend.constant @scale : tensor<f64> = dense<0.0001> : tensor<f64>
  // expected-error@+1 {{layer '@a': the SSF scale 'scale' is 1.000000e-04 and rounds to 0}}
  dend.population @a : @m[1] on @step bind {scale = @scale} {calibration = {I = array<f64: 0.0, 1.0>}}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}

// -----
dend.network @mixed {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    %w = dend.add %v, %I : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    // expected-error@+1 {{neuron model '@m' computes in fixed point and in real values}}
    %r = dend.to_real %w : (!dend.fx<24, 0>) -> f64
    %s = dend.cmp gt %r, %r : (f64, f64) -> i1
    dend.yield states(%w : !dend.fx<24, 0>) emit(%s : i1)
  }
  dend.population @a : @m[1] on @step
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}

// -----
dend.network @infinite {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) states(%v : f64 reset sample) {
    // expected-error@+1 {{is infinite or no number on the calibration samples in '@a'; bound its operands}}
    %w = dend.math reciprocal %I {dend.calibration = [array<f64: 0.5, 0x7FF0000000000000>]} : (f64) -> f64
    dend.yield states(%w : f64)
  }
  dend.population @a : @m[1] on @step {calibration = {I = array<f64: 0.0, 1.0>}}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}

// -----
dend.network @shared {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @m ports(%I : f64) states(%v : f64 reset sample) {
    %w = dend.add %v, %I : (f64, f64) -> f64
    dend.yield states(%w : f64)
  }
  // expected-error@+1 {{'@a' and '@b' share the model '@m'; run --dend-prepare first}}
  dend.population @a : @m[1] on @step {calibration = {I = array<f64: 0.0, 1.0>}}
  dend.population @b : @m[1] on @step {calibration = {I = array<f64: 0.0, 1.0>}}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
}
