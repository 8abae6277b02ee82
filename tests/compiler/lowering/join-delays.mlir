// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/lowering/JoinDelays.cpp.
// RUN: dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-quantise{target=loihi1},dend-schedule{target=loihi1}),dend-to-chip{target=loihi1 map-for=cores})' | FileCheck %s
// RUN: dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-quantise{target=ideal},dend-schedule{target=ideal}),dend-to-chip{target=ideal map-for=cores})' | FileCheck %s --check-prefix=BYDELAY

// x reaches neurons 0 and 1 at once, neuron 2 two steps later, and neuron 0 once
// more. Words of loihi1 have delays: one list has the three neurons, and another
// one the second synapse of neuron 0.
// CHECK: chip.core 0
// CHECK: chip.synapses shapes dense<{{\[\[}}3, 1, 0, {{[0-9]+}}, 8, 0], [1, 1, 0, {{[0-9]+}}, 8, 0]]>
// CHECK-SAME: lists dense<[0, 1]>
// CHECK-SAME: delays dense<[0, 0, 2, 0]> : tensor<4xi16>
// CHECK: chip.in_axons dense<{{\[\[}}0, 0, 0, 0], [1, 0, 0, 1]]>

// Elsewhere there is a list for each delay.
// BYDELAY: chip.synapses
// BYDELAY-SAME: lists dense<[0, 1, 1]>
// BYDELAY-NOT: delays
// BYDELAY: chip.in_axons dense<{{\[\[}}0, 0, 0, 0], [1, 2, 0, 2], [2, 0, 0, 1]]>
dend.network @one {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @a : @lif[3] on @step bind {kv = @kv, theta = @theta}
  dend.constant @w : tensor<3x1xf64> = dense<[[1.0], [0.5], [0.0]]> : tensor<3x1xf64>
  dend.constant @v : tensor<3x1xf64> = dense<[[0.0], [0.0], [1.0]]> : tensor<3x1xf64>
  dend.constant @u : tensor<3x1xf64> = dense<[[1.0], [0.0], [0.0]]> : tensor<3x1xf64>
  dend.project @x -> @a["I"] #dend.dense weight @w delay 0
  dend.project @x -> @a["I"] #dend.dense weight @v delay 2
  dend.project @x -> @a["I"] #dend.dense weight @u delay 1
  dend.output @y = @a["s"]
}
