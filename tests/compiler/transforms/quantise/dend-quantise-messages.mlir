// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Real numbers between neurons: integers of 16 bits with a power of two as unit,
// one bit above the range seen; weights and ports count in that unit. What the
// host reads as well is probed as a state. A held port has room for what adds up
// until its clock ticks.
// RUN: dendrolith-opt %s --dend-prepare --dend-quantise=target=loihi2 | FileCheck %s

// y was seen up to 3: 16 bits of 2^-13 reach 4, and with one more bit of room it
// is 2^-12.
// CHECK-LABEL: dend.network @n
dend.network @n {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.input @x on @token : tensor<1xf64> as !dend.spike<binary>
  // CHECK: dend.neuron @source ports(%I : !dend.fx<{{.*}}>) states(%y : !dend.fx<{{.*}}> reset sample) outputs(y : !dend.spike<int, -32767, 32767>)
  // CHECK: %[[Y:.*]] = dend.rescale %I round nearest_even overflow saturate : ({{.*}}) -> !dend.fx<16, -12>
  // CHECK: dend.yield states({{.*}}) emit(%[[Y]] : !dend.fx<16, -12>)
  dend.neuron @source ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  // A weight of 1, that is 2^-12 per unit of payload, is 128 mantissa units of
  // 2^-19, 6 bits above the port's 2^-25. Twice 32767 of them fit 30 bits; four
  // micro ticks of them take 2 bits more.
  // CHECK: dend.neuron @once ports(%I : !dend.fx<30, -25>)
  // CHECK: dend.neuron @held ports(%I : !dend.fx<32, -25> hold @token)
  dend.neuron @once ports(%I : f64) states(%v : f64 reset sample) {
    %w = dend.add %I, %I {dend.calibration = [array<f64: 0.0, 1.0>]} : (f64, f64) -> f64
    dend.yield states(%w : f64)
  }
  dend.neuron @held ports(%I : f64 hold @token) states(%v : f64 reset sample) {
    %w = dend.add %I, %I {dend.calibration = [array<f64: 0.0, 1.0>]} : (f64, f64) -> f64
    dend.yield states(%w : f64)
  }
  dend.population @a : @source[1] on @micro {calibration = {I = array<f64: -3.0, 1.0>}}
  dend.population @b : @once[1] on @micro {calibration = {I = array<f64: -3.0, 1.0>}}
  dend.population @c : @held[1] on @micro {calibration = {I = array<f64: -3.0, 1.0>}}
  // CHECK: dend.project @x -> @a["I"]
  // CHECK: dend.project @a["y"] -> @b["I"] #dend.diagonal weight @b.a.w shift 6
  // CHECK: dend.output @y = probe @a["y"]
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  dend.project @a["y"] -> @b["I"] #dend.diagonal delay 0
  dend.project @a["y"] -> @c["I"] #dend.diagonal delay 0
  dend.output @y = @a["y"]
}
