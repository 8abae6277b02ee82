// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a chip's limits do to a schedule. 'tiny' has connection delays up to 7;
// the second chip is the same without gating, the third with delays up to 1.
// RUN: not dendrolith-opt %s --dend-schedule=target=tiny --split-input-file 2> %t.err | FileCheck %s --check-prefix=TINY
// RUN: FileCheck %s --input-file=%t.err --check-prefix=TINY-ERROR
// RUN: sed 's/group_gating: {value: true/group_gating: {value: false/' %source/targets/tiny/chip.yaml > %t.yaml
// RUN: not dendrolith-opt %s --dend-schedule=target=%t.yaml --split-input-file 2> %t.err | FileCheck %s --check-prefix=FREE
// RUN: FileCheck %s --input-file=%t.err --check-prefix=FREE-ERROR
// RUN: sed 's/max_delay: {value: 7/max_delay: {value: 1/' %source/targets/tiny/chip.yaml > %t.short.yaml
// RUN: not dendrolith-opt %s --dend-schedule=target=%t.short.yaml --split-input-file 2> %t.err | FileCheck %s --check-prefix=SHORT
// RUN: FileCheck %s --input-file=%t.err --check-prefix=SHORT-ERROR

// A loop needs two steps per tick, so groups must sit out every other step.
// TINY: dend.network @loop {{.*}}period = 2
// FREE-ERROR: error: no schedule: the cycle a -> b -> a needs more than one step per tick, and the target cannot gate groups; give one of its projections a larger delay or choose a target with gating
dend.network @loop {
  dend.clock @step
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @a : @relay[2] on @step
  dend.population @b : @relay[2] on @step
  dend.project @a -> @b["I"] #dend.diagonal delay 0
  dend.project @b -> @a["I"] #dend.diagonal delay 1
}

// -----

// A skip over three layers waits three steps in its connection; where it may
// wait one only, a tick takes three steps and the rest of the wait is inside it.
// TINY: dend.network @skip {{.*}}period = 1
// TINY: @x -> @d{{.*}}steps = 3
// FREE: dend.network @skip {{.*}}period = 1
// SHORT: dend.network @skip {{.*}}period = 3
// SHORT: @x -> @d{{.*}}steps = 1
dend.network @skip {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @a : @relay[2] on @step
  dend.population @b : @relay[2] on @step
  dend.population @c : @relay[2] on @step
  dend.population @d : @relay[2] on @step
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  dend.project @a -> @b["I"] #dend.diagonal delay 0
  dend.project @b -> @c["I"] #dend.diagonal delay 0
  dend.project @c -> @d["I"] #dend.diagonal delay 0
  dend.project @x -> @d["I"] #dend.diagonal delay 0
}

// -----

// Two paths of one source whose delays differ by more than a connection holds.
// TINY-ERROR: error: no schedule: {{.*}}limit of 7 steps
// SHORT-ERROR: error: no schedule: {{.*}}limit of 1 steps
dend.network @far {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @a : @relay[2] on @step
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  dend.project @x -> @a["I"] #dend.diagonal delay 9
}
