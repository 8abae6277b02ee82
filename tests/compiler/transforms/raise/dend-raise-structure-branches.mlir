// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/raise/RaiseBranches.cpp.
// RUN: dendrolith-opt %s --dend-raise-structure --split-input-file | FileCheck %s

// Branches with inputs and times of their own, as DH-SNN writes them; the sum
// reads the compartments.
// CHECK-LABEL: dend.network @branches
dend.network @branches {
  dend.clock @step
  // CHECK: %[[D:.*]] = dend.compartment %d drive %in keep %a gain %g
  // CHECK: dend.reduce sum %[[D]]
  // CHECK: %[[V:.*]] = dend.compartment %v drive
  // CHECK: dend.fire %[[V]]
  dend.neuron @dh ports(%in : tensor<2xf64>)
      params(%a : tensor<2xf64> per_neuron, %g : tensor<2xf64> per_neuron)
      states(%d : tensor<2xf64>, %v) outputs(s) {
    %half = dend.literal 0.5
    %one = dend.literal 1.0
    %ad = dend.mul %a, %d
    %gi = dend.mul %g, %in
    %d1 = dend.add %ad, %gi
    %sum = dend.reduce sum %d1
    %kv = dend.mul %half, %v
    %hs = dend.mul %half, %sum
    %v1 = dend.add %kv, %hs
    %s = dend.cmp gt %v1, %one
    %z = dend.to_real %s : (i1) -> f64
    %v2 = dend.sub %v1, %z
    dend.yield states(%d1, %v2) emit(%s)
  }
  dend.constant @a = [[0.5, 0.75], [0.25, 0.875]]
  dend.constant @g = [[0.5, 0.25], [0.75, 0.125]]
  dend.population @n : @dh[2] on @step bind {a = @a, g = @g}
}

// -----

// One input at several times, read by a weighted sum, is a branch.
// CHECK-LABEL: dend.network @scales
dend.network @scales {
  dend.clock @step
  // CHECK: %[[N:.*]], %[[Y:.*]] = dend.branch %h, %x A %a C %c act identity
  // CHECK-NEXT: dend.yield states(%[[N]] : tensor<2xf64>) emit(%[[Y]] : f64)
  dend.neuron @modes ports(%x)
      params(%a : tensor<2xf64> per_neuron, %c : tensor<2xf64> per_neuron)
      states(%h : tensor<2xf64>) outputs(y) {
    %kept = dend.mul %h, %a
    %h1 = dend.add %kept, %x
    %read = dend.mul %h1, %c
    %y = dend.reduce sum %read
    dend.yield states(%h1) emit(%y)
  }
  dend.constant @a = [[0.5, 0.75], [0.25, 0.875]]
  dend.constant @c = [[1.0, -0.5], [2.0, 0.25]]
  dend.population @n : @modes[2] on @step bind {a = @a, c = @c}
}

// -----

// Complex states as halves of a vector turn into each other: two vectors of
// compartments, which share what turns them.
// CHECK-LABEL: dend.network @resonators
dend.network @resonators {
  dend.clock @step
  // CHECK-DAG: %[[RE:.*]] = dend.slice %h[0, 2]
  // CHECK-DAG: %[[IM:.*]] = dend.slice %h[2, 2]
  // CHECK: %[[BACK:.*]] = dend.mul %[[IM]], %s
  // CHECK: %[[IN:.*]] = dend.sub %x, %[[BACK]]
  // CHECK: %[[R:.*]] = dend.compartment %[[RE]] drive %[[IN]] keep %c
  // CHECK: %[[I:.*]] = dend.compartment %[[IM]] drive %[[RE]] keep %c gain %s
  // CHECK: dend.concat %[[R]], %[[I]]
  dend.neuron @s4d ports(%x)
      params(%c : tensor<2xf64> per_neuron, %s : tensor<2xf64> per_neuron)
      states(%h : tensor<4xf64>) outputs(y) {
    %re = dend.slice %h[0, 2]
    %im = dend.slice %h[2, 2]
    %cr = dend.mul %c, %re
    %si = dend.mul %s, %im
    %turned = dend.sub %cr, %si
    %re1 = dend.add %turned, %x
    %sr = dend.mul %s, %re
    %ci = dend.mul %c, %im
    %im1 = dend.add %sr, %ci
    %y = dend.reduce sum %im1
    %h1 = dend.concat %re1, %im1
    dend.yield states(%h1) emit(%y)
  }
  dend.constant @c = [[0.5, 0.75], [0.25, 0.875]]
  dend.constant @s = [[0.5, -0.25], [0.75, 0.125]]
  dend.population @n : @s4d[2] on @step bind {c = @c, s = @s}
}

// -----

// A resonator that fires where its second coordinate rises above a threshold.
// CHECK-LABEL: dend.network @resonate_and_fire
dend.network @resonate_and_fire {
  dend.clock @step
  // CHECK: %[[Y:.*]] = dend.compartment %y drive %x keep
  // CHECK: dend.compartment %x drive
  // CHECK: dend.fire %[[Y]], %{{.*}} reset none
  dend.neuron @rf ports(%in) states(%x, %y) outputs(s) {
    %c = dend.literal 0.875
    %d = dend.literal 0.375
    %one = dend.literal 1.0
    %cx = dend.mul %c, %x
    %dy = dend.mul %d, %y
    %turned = dend.sub %cx, %dy
    %x1 = dend.add %turned, %in
    %dx = dend.mul %d, %x
    %cy = dend.mul %c, %y
    %y1 = dend.add %dx, %cy
    %s = dend.cmp gt %y1, %one
    dend.yield states(%x1, %y1) emit(%s)
  }
  dend.population @n : @rf[2] on @step
}

// -----

// Two compartments of which the second reads the first one's new value, with
// resets of the step before (TC-LIF).
// CHECK-LABEL: dend.network @two_compartments
dend.network @two_compartments {
  dend.clock @step
  // CHECK: %[[D:.*]] = dend.compartment %d drive
  // CHECK: %[[V:.*]] = dend.compartment %v drive
  // CHECK: dend.fire %[[V]], %{{.*}} reset none
  dend.neuron @tc ports(%in) states(%d, %v, %z) outputs(s) {
    %b = dend.literal 0.5
    %g = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %bv = dend.mul %b, %v
    %less = dend.sub %d, %bv
    %more = dend.add %less, %in
    %bz = dend.mul %z, %b
    %d1 = dend.sub %more, %bz
    %gd = dend.mul %g, %d1
    %up = dend.add %v, %gd
    %v1 = dend.sub %up, %z
    %over = dend.sub %v1, %one
    %s = dend.cmp gt %over, %zero
    %z1 = dend.select %s, %one, %zero
    dend.yield states(%d1, %v1, %z1) emit(%s)
  }
  dend.population @n : @tc[2] on @step
}

// -----

// A trace that no threshold reads, beside a state that is no affine function.
// CHECK-LABEL: dend.network @trace
dend.network @trace {
  dend.clock @step
  // CHECK: %[[T:.*]] = dend.compartment %t drive %in keep
  // CHECK: dend.math tanh %[[T]]
  dend.neuron @slow ports(%in) states(%t, %w) outputs(y) {
    %keep = dend.literal 0.875
    %kt = dend.mul %keep, %t
    %t1 = dend.add %kt, %in
    %bent = dend.math tanh %t1
    %w1 = dend.mul %w, %bent
    %y = dend.add %w1, %bent
    dend.yield states(%t1, %w1) emit(%y)
  }
  dend.population @n : @slow[2] on @step
}

// -----

// spike > 0 is the spike: a count of silent steps from a number of 0 or 1.
// CHECK-LABEL: dend.network @count
dend.network @count {
  dend.clock @step
  // CHECK: %[[V:.*]] = dend.compartment %v drive %in keep
  // CHECK: %[[HELD:.*]] = dend.select %{{.*}}, %{{.*}}, %[[V]]
  // CHECK: dend.fire %[[HELD]], %{{.*}} reset value
  dend.neuron @lif ports(%in) states(%v, %r) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %steps = dend.literal 3.0
    %k = dend.mul %keep, %v
    %v1 = dend.add %k, %in
    %on = dend.cmp gt %r, %zero
    %held = dend.select %on, %zero, %v1
    %s = dend.cmp gt %held, %one
    %z = dend.select %s, %one, %zero
    %not = dend.sub %one, %z
    %v2 = dend.mul %held, %not
    %fired = dend.cmp gt %z, %zero
    %less = dend.sub %r, %one
    %left = dend.max %less, %zero
    %r2 = dend.select %fired, %steps, %left
    dend.yield states(%v2, %r2) emit(%s)
  }
  dend.population @n : @lif[2] on @step
}

// -----

// A potential that passes a non-linearity before its threshold is a
// compartment still.
// CHECK-LABEL: dend.network @rectified
dend.network @rectified {
  dend.clock @step
  // CHECK: %[[V:.*]] = dend.compartment %v drive %x keep %{{.*}} gain %
  // CHECK: dend.max %[[V]]
  dend.neuron @klif ports(%x) states(%v) outputs(s) {
    %half = dend.literal 0.5
    %zero = dend.literal 0.0
    %one = dend.literal 1.0
    %in = dend.sub %x, %v
    %by = dend.mul %in, %half
    %v1 = dend.add %v, %by
    %up = dend.max %v1, %zero
    %s = dend.cmp gt %up, %one
    %v2 = dend.select %s, %zero, %up
    dend.yield states(%v2) emit(%s)
  }
  dend.population @n : @klif[2] on @step
}

// -----

// One that stays as it was while a count runs, too; its current and the input
// share a gain.
// CHECK-LABEL: dend.network @silent
dend.network @silent {
  dend.clock @step
  // CHECK: %[[I:.*]] = dend.add %i, %x
  // CHECK: %[[V:.*]] = dend.compartment %v drive %{{.*}} keep %{{.*}} gain %
  // CHECK: dend.cmp gt %[[V]]
  dend.neuron @refractory ports(%x) states(%v, %i, %left) outputs(s) {
    %zero = dend.literal 0.0
    %one = dend.literal 1.0
    %five = dend.literal 5.0
    %tenth = dend.literal 0.1
    %down = dend.literal -0.2
    %rests = dend.cmp gt %left, %zero
    %i1 = dend.add %i, %x
    %leak = dend.neg %v
    %flow = dend.add %leak, %i1
    %dv = dend.mul %flow, %tenth
    %v1 = dend.add %v, %dv
    %di = dend.mul %i1, %down
    %i2 = dend.add %i1, %di
    %over = dend.cmp gt %v1, %one
    %reset = dend.select %over, %zero, %v1
    %v2 = dend.select %rests, %v, %reset
    %s = dend.select %rests, %zero, %one
    %less = dend.sub %left, %one
    %count = dend.max %less, %zero
    %left1 = dend.select %over, %five, %count
    dend.yield states(%v2, %i2, %left1) emit(%over)
  }
  dend.population @n : @refractory[2] on @step
}
