// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the quantiser takes value by value: a model of its own per population,
// expanded, with its poles named; a current-based neuron stays as it is.
// RUN: dendrolith-opt %s --dend-prepare | FileCheck %s

// CHECK-LABEL: dend.network @n
dend.network @n {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  // CHECK: dend.neuron @a.soma {{.*}} attributes
  // CHECK-SAME: not_cuba = "population 'a' does not fit {{.*}}its step computes more than leaks
  // CHECK-SAME: poles = {{\[\[}}"keep"]]
  // CHECK: dend.ssf
  // CHECK: dend.neuron @b.soma
  // CHECK-NOT: dend.neuron @soma
  dend.neuron @soma ports(%I : f64) params(%keep : f64, %gain : f64, %feed : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<int, -2, 2>) {
    %zero = dend.literal 0.0 : f64 as f64
    %one = dend.literal 1.0 : f64 as f64
    // CHECK: %[[R:.*]] = dend.math reciprocal %keep
    // CHECK: dend.mul %gain, %[[R]]
    %q = dend.div %gain, %keep : (f64, f64) -> f64
    %w = dend.soma %v, %zero, %I keep %keep gain %q feed %feed
        : (f64, f64, f64, f64, f64, f64) -> f64
    %s = dend.ssf %w shift %zero scale %one vth 1.0 u 2.0 : (f64, f64, f64) -> i32
    dend.yield states(%w : f64) emit(%s : i32)
  }
  // CHECK: dend.neuron @li
  // CHECK: dend.compartment
  dend.neuron @li ports(%I : f64) params(%keep : f64) states(%v : f64 reset sample)
      outputs(v : !dend.spike<graded>) {
    %w = dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
    dend.yield states(%w : f64) emit(%w : f64)
  }
  dend.constant @k : tensor<f64> = dense<0.5> : tensor<f64>
  // CHECK: dend.population @a : @a.soma[2]
  // CHECK: dend.population @b : @b.soma[2]
  // CHECK: dend.population @r : @li[2]
  dend.population @a : @soma[2] on @step bind {keep = @k, gain = @k, feed = @k}
  dend.population @b : @soma[2] on @step bind {keep = @k, gain = @k, feed = @k}
  dend.population @r : @li[2] on @step bind {keep = @k}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  dend.project @a["s"] -> @b["I"] #dend.diagonal delay 0
  dend.project @b["s"] -> @r["I"] #dend.diagonal delay 0
  dend.output @y = @r["v"]
}
