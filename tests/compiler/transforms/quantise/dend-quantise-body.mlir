// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step body value by value: the port's unit is a power of two, what is added
// shares a format, products are rounded to it, a real output becomes a state.
// RUN: dendrolith-opt %s --split-input-file --dend-quantise=target=loihi2 | FileCheck %s

// The largest weight, 0.75, makes 96 of 127 mantissa units of 2^-7; biases are
// 2^6 times finer: the port counts in 2^-14. 2 x 127 x (0.75 + 0.25) + 0.3, twice
// for rounded weights, fits 23 bits. v was seen up to 3: 24 bits of 2^-19 reach 16.
// CHECK-LABEL: dend.network @n
// CHECK-SAME: port I: 23 bits of 2^-14; states of 24 bits, unit (largest seen): v 2^-19 (3), y 2^-19 (3)
dend.network @n {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<int, -127, 127>
  // CHECK: dend.neuron @m ports(%I : !dend.fx<23, -14>) params(%keep : !dend.fx<16, -15>, %theta : !dend.fx<24, -19>) states(%v : !dend.fx<24, -19> reset sample, %y : !dend.fx<24, -19> reset sample) outputs(s : !dend.spike<binary>)
  dend.neuron @m ports(%I : f64) params(%keep : f64, %theta : f64)
      states(%v : f64 reset sample)
      outputs(s : !dend.spike<binary>, y : !dend.spike<graded>) {
    // CHECK: %[[P:.*]] = dend.mul %keep, %v : (!dend.fx<16, -15>, !dend.fx<24, -19>) -> !dend.fx<40, -34>
    // CHECK: %[[K:.*]] = dend.rescale %[[P]] round nearest_even overflow saturate : (!dend.fx<40, -34>) -> !dend.fx<24, -19>
    %k = dend.mul %keep, %v {dend.calibration = [array<f64: -1.0, 1.0>]} : (f64, f64) -> f64
    // CHECK: %[[I:.*]] = dend.rescale %I round nearest_even overflow saturate : (!dend.fx<23, -14>) -> !dend.fx<24, -19>
    // CHECK: %[[W:.*]] = dend.add %[[K]], %[[I]] overflow saturate
    %w = dend.add %k, %I {dend.calibration = [array<f64: -3.0, 2.0>]} : (f64, f64) -> f64
    // CHECK: dend.cmp gt %[[W]], %theta
    %s = dend.cmp gt %w, %theta : (f64, f64) -> i1
    // CHECK: dend.yield states(%[[W]], %[[W]] : !dend.fx<24, -19>, !dend.fx<24, -19>) emit(
    dend.yield states(%w : f64) emit(%s, %w : i1, f64)
  }
  // CHECK: dend.constant @a.x.w : tensor<2x2xi16> = dense<{{\[\[}}96, -32], [0, 64]]>
  // CHECK: dend.constant @a.x.b : tensor<2xi64> = dense<[4915, 0]>
  // CHECK: dend.constant @a.keep : tensor<i32> = dense<29491>
  // CHECK: dend.constant @a.theta : tensor<i32> = dense<1048576>
  dend.constant @keep : tensor<f64> = dense<0.9> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<2.0> : tensor<f64>
  dend.constant @W : tensor<2x2xf64> = dense<[[0.75, -0.25], [0.0, 0.5]]> : tensor<2x2xf64>
  dend.constant @b : tensor<2xf64> = dense<[0.3, 0.0]> : tensor<2xf64>
  dend.population @a : @m[2] on @step bind {keep = @keep, theta = @theta}
      {calibration = {I = array<f64: -2.0, 2.0>, v = array<f64: -3.0, 2.0>}}
  dend.project @x -> @a["I"] #dend.dense weight @W bias @b delay 0
  // CHECK: dend.output @spikes = @a["s"]
  // CHECK: dend.output @y = probe @a["y"]
  dend.output @spikes = @a["s"]
  dend.output @y = @a["y"]
}
