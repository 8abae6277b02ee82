// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-quantise{target=tiny},dend-schedule{target=tiny}),dend-to-chip{target=tiny})' 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-quantise{target=tiny},dend-schedule{target=tiny}),dend-to-chip{target=tiny override-limit=compartments_per_core})' | FileCheck %s --check-prefix=LIFTED
// RUN: not dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-quantise{target=tiny},dend-schedule{target=tiny}),dend-to-chip{target=tiny override-limit=compartments})' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// Population, resource, used, available, and what would make it fit.
// FULL: error: population 'a' does not fit target 'tiny': the network needs 80 neurons, 80 of them for this population, and 4 cores with 16 each have 64
// FULL-SAME: --override-limit compartments_per_core
// A lifted limit is recorded with the chip's own number and what is used of it.
// LIFTED: resource = "neurons", {{[^>]*}}used = [[USED:[0-9]+]],
// LIFTED-SAME: overridden_limits = [#report.overridden_limit<name = "compartments_per_core", limit = 16, used = [[USED]]>]
// UNKNOWN: error: target 'tiny' has no limit 'compartments', expected one of compartments_per_core,
dend.network @full {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<graded>
  dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @a : @lif[80] on @step bind {kv = @kv, theta = @theta}
  dend.constant @w : tensor<80x1xf64> = dense<0.5> : tensor<80x1xf64>
  dend.project @x -> @a["I"] #dend.dense weight @w delay 0
  dend.output @y = @a["s"]
}
