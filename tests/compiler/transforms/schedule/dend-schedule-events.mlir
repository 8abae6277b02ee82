// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A chip with a queue takes events one by one: each population sees each in a step of
// its own, and the clock says how many wait. What has a time of its own is refused, and
// so is a queue that the chip does not have.
// RUN: not dendrolith-opt %s --dend-schedule=target=odin --split-input-file 2> %t.err | FileCheck %s
// RUN: FileCheck %s --input-file=%t.err --check-prefix=ERROR
// RUN: not dendrolith-opt %s --dend-schedule=target=loihi2 --split-input-file 2> %t.err | FileCheck %s --check-prefix=STEPS
// RUN: FileCheck %s --input-file=%t.err --check-prefix=STEPS-ERROR

// CHECK: dend.network @layers {{.*}}depth = 2 : i64, period = 1
// CHECK: dend.clock @event {dend.queue = 32 : i64}
// CHECK: dend.population @a {{.*}}phase = 1
// CHECK: dend.population @b {{.*}}phase = 1
// STEPS: dend.network @layers {{.*}}depth = 2
// STEPS: dend.clock @event{{$}}
// STEPS: dend.population @b {{.*}}phase = 1
dend.network @layers {
  dend.clock @event
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<binary>) {
    %zero = dend.literal 0.0 as f64
    %fires = dend.cmp gt %I, %zero : (f64, f64) -> i1
    dend.yield emit(%fires : i1)
  }
  dend.population @a : @relay[2] on @event
  dend.population @b : @relay[2] on @event
  dend.project @a -> @b["I"] #dend.diagonal delay 0
  dend.project @b -> @a["I"] #dend.diagonal delay 1
}

// -----

// ERROR: error: layer 'a': the delay from 'a' is 2 ticks, and target 'odin' has no time but the order of events; take a delay of 0, or scheduling.queue=0 to run by steps
dend.network @late {
  dend.clock @event
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<binary>) {
    %zero = dend.literal 0.0 as f64
    %fires = dend.cmp gt %I, %zero : (f64, f64) -> i1
    dend.yield emit(%fires : i1)
  }
  dend.population @a : @relay[2] on @event
  dend.project @a -> @a["I"] #dend.diagonal delay 2
}

// -----

// ERROR: error: it ticks several times in a tick, and target 'odin' has no time but the order of events
dend.network @clocks {
  dend.clock @event
  dend.clock @micro divides @event by 4
}

// -----

// ERROR: error: its events come through a queue of 8 places, and target 'odin' has one of 32 (scheduling.queue)
// STEPS-ERROR: error: its events come through a queue of 8 places, and target 'loihi2' has none (scheduling.queue); leave 'dend.queue' away: the target sets it
dend.network @wanted {
  dend.clock @event {dend.queue = 8 : i64}
}
