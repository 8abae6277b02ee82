// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/raise/RaiseNeuron.cpp.
// RUN: dendrolith-opt %s --dend-prepare | FileCheck %s --check-prefix=BODY
// RUN: dendrolith-opt %s --dend-prepare --dend-raise-structure | FileCheck %s
// RUN: dendrolith-opt %s --dend-prepare --dend-raise-structure --dend-quantise=target=loihi1 | FileCheck %s --check-prefix=LOIHI1

// A neuron that fires at its threshold is prepared as a program; a chip without
// programs gets it back.
// BODY: not_cuba = "population 'a' fires at v >= theta"
// BODY-NOT: dend.fire
// CHECK-NOT: not_cuba
// CHECK: %[[V:.*]] = dend.compartment %v drive %I keep
// CHECK: dend.fire %[[V]], %{{.*}} reset value inclusive
// LOIHI1: dend.cuba
dend.network @prepared {
  dend.clock @step
  dend.neuron @lif ports(%I) states(%v) outputs(s) {
    %keep = dend.literal 0.5
    %theta = dend.literal 1.0
    %v1 = dend.compartment %v drive %I keep %keep
    %s, %v2 = dend.fire %v1, %theta reset value inclusive
    dend.yield states(%v2) emit(%s)
  }
  dend.population @a : @lif[2] on @step
}
