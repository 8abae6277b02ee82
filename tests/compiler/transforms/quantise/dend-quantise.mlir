// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-quantise=target=loihi1 --split-input-file | FileCheck %s

// Weights on a grid are exact; the reset value moves into the threshold and the
// initial potential; a bias of the synaptic current moves into the membrane.
// CHECK-LABEL: dend.network @exact
// CHECK-SAME: lossless = true
dend.network @exact {
  dend.clock @step
  // CHECK: dend.input @x {{.*}} as !dend.spike<binary>
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @cuba ports(%I : f64)
      params(%ki : f64, %kv : f64, %theta : f64, %to : f64)
      states(%i : f64 reset sample, %v : f64 reset sample)
      outputs(s : !dend.spike<binary>) {
    %i1 = dend.compartment %i drive %I keep %ki : (f64, f64, f64) -> f64
    %v1 = dend.compartment %v drive %i1 keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value to %to : (f64, f64, f64) -> (i1, f64)
    dend.yield states(%i1, %v2 : f64, f64) emit(%s : i1)
  }
  dend.constant @ki : tensor<f64> = dense<0.75> : tensor<f64>
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.constant @to : tensor<f64> = dense<-1.0> : tensor<f64>
  // u = 4096 * (1 - 0.75) - 1, v = 4096 * (1 - 0.5).
  // CHECK-DAG: @a.decay_u : tensor<i32> = dense<1023>
  // CHECK-DAG: @a.decay_v : tensor<i32> = dense<2048>
  // One unit of v is 32768: threshold 1 - (-1) = 2; the current settles at
  // 0.25 / (1 - 0.75) = 1, so the bias is 1 + (0.5 - 1) (-1) = 1.5 and 0.5, the
  // current starts 1 below its rest and the potential 1 above its reset value.
  // CHECK-DAG: @a.threshold : tensor<i32> = dense<65536>
  // CHECK-DAG: @a.bias : tensor<2xi32> = dense<[49152, 16384]>
  // CHECK-DAG: @a.start_v : tensor<2xi32> = dense<32768>
  // CHECK-DAG: @a.start_u : tensor<2xi32> = dense<[-32768, 0]>
  // CHECK: dend.cuba
  // CHECK: @a.x.w : tensor<2x2xi16> = dense<{{\[\[}}16, -32], [64, 0]]>
  // CHECK: dend.population @a : @a.cuba[2]
  dend.population @a : @cuba[2] on @step
      bind {ki = @ki, kv = @kv, theta = @theta, to = @to}
  dend.constant @w : tensor<2x2xf64> = dense<[[0.5, -1.0], [2.0, 0.0]]> : tensor<2x2xf64>
  dend.constant @b : tensor<2xf64> = dense<[0.25, 0.0]> : tensor<2xf64>
  // CHECK: dend.project @x -> @a["I"] #dend.dense weight @a.x.w shift 10{{$}}
  dend.project @x -> @a["I"] #dend.dense weight @w bias @b delay 0
  // CHECK: dend.output @y = @a["s"]
  dend.output @y = @a["s"]
}

// -----

// A read-out never fires and is probed.
// CHECK-LABEL: dend.network @read
dend.network @read {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @li ports(%I : f64) params(%kv : f64) states(%v : f64 reset sample)
      outputs(v : !dend.spike<graded>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    dend.yield states(%v1 : f64) emit(%v1 : f64)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  // CHECK: silent
  dend.population @r : @li[2] on @step bind {kv = @kv}
  dend.project @x -> @r["I"] #dend.diagonal delay 0
  // CHECK: dend.output @y = probe @r["v"]
  dend.output @y = @r["v"]
}
