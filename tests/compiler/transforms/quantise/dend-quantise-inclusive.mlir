// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-quantise=target=loihi1 | FileCheck %s
// RUN: dendrolith-opt %s --dend-quantise=target=truenorth | FileCheck %s --check-prefix=TRUENORTH

// One is 256 units on TrueNorth, whose thresholds have the unit of v: v > 255.
// It is 16384 units on Loihi 1, whose thresholds are multiples of 64: v > 16320.
// CHECK-LABEL: dend.network @at_its_threshold
// CHECK: @a.threshold : tensor<i32> = dense<16320>
// TRUENORTH-LABEL: dend.network @at_its_threshold
// TRUENORTH: @a.threshold : tensor<i32> = dense<255>
dend.network @at_its_threshold {
  dend.clock @step
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @lif ports(%I) states(%v) outputs(s) {
    %keep = dend.literal 1.0
    %theta = dend.literal 1.0
    %v1 = dend.compartment %v drive %I keep %keep
    %s, %v2 = dend.fire %v1, %theta reset value inclusive
    dend.yield states(%v2) emit(%s)
  }
  dend.population @a : @lif[1] on @step
  dend.constant @w = [[0.5]]
  dend.project @x -> @a["I"] #dend.dense weight @w delay 0
}
