// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-quantise{target=loihi1},dend-schedule{target=loihi1}),dend-to-chip{target=loihi1 map-for=cores})' -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: dendrolith-opt %t.mlir --emit-bytecode | dendrolith-opt | FileCheck %s

// One op per table; x has two elements that both reach neuron 0, and the zero
// weight of the second into neuron 1 leaves its list one entry long.
// CHECK: chip.program_image @one target "loihi1" period 1 depth 2
// CHECK: chip.population "a" : "a.cuba"
// CHECK: chip.input "x"
// CHECK: chip.output "y" {{.*}} = spikes "a"
// CHECK: chip.core 0
// CHECK: chip.group "a" neurons 0 + 2 base 0 phase 1
// CHECK: chip.synapses shapes dense<{{\[\[}}2, 1, 0, {{[0-9]+}}, 8, 0], [1, 1, 0, {{[0-9]+}}, 8, 0]]> : tensor<2x6xi32> lists dense<[0, 1]>
// CHECK-SAME: weights dense<[16, 64, -32]>
// CHECK: chip.in_axons dense<{{\[\[}}0, 0, 0, 0], [1, 0, 0, 0]]>
dend.network @one {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @a : @lif[2] on @step bind {kv = @kv, theta = @theta}
  dend.constant @w : tensor<2x2xf64> = dense<[[0.5, -1.0], [2.0, 0.0]]> : tensor<2x2xf64>
  dend.project @x -> @a["I"] #dend.dense weight @w delay 0
  dend.output @y = @a["s"]
}
