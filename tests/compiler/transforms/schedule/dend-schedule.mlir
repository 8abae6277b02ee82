// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-schedule=target=loihi1 --split-input-file | FileCheck %s

// A skip over a layer waits in its connection; a logical delay adds to it.
// CHECK-LABEL: dend.network @skip
// CHECK-SAME: critical = "", depth = 3 : i64, period = 1 : i64
dend.network @skip {
  dend.clock @step
  // CHECK: dend.input @x {{.*}}phase = 0
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  // CHECK: @a : {{.*}}phase = 1
  dend.population @a : @relay[2] on @step
  // CHECK: @b : {{.*}}phase = 2
  dend.population @b : @relay[2] on @step
  // CHECK: @x -> @a{{.*}}steps = 0
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  // CHECK: @a -> @b{{.*}}steps = 0
  dend.project @a -> @b["I"] #dend.diagonal delay 0
  // CHECK: @x -> @b{{.*}}steps = 1
  dend.project @x -> @b["I"] #dend.diagonal delay 0
  // CHECK: @x -> @b{{.*}}steps = 4
  dend.project @x -> @b["I"] #dend.diagonal delay 3
}

// -----

// Two populations in a loop of one tick need two steps per tick.
// CHECK-LABEL: dend.network @loop
// CHECK-SAME: critical = "a -> b -> a", depth = 3 : i64, period = 2 : i64
dend.network @loop {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @a : @relay[2] on @step
  dend.population @b : @relay[2] on @step
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  dend.project @a -> @b["I"] #dend.diagonal delay 0
  dend.project @b -> @a["I"] #dend.diagonal delay 1
}
