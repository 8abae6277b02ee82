// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/raise/RaiseNeuron.cpp.
// RUN: dendrolith-opt %s --dend-raise-structure --split-input-file | FileCheck %s

// v + (I - v) / 2, v - 1 >= 0, 0 s + (1 - s) v, as SpikingJelly writes it.
// CHECK-LABEL: dend.network @leaky_integrator
dend.network @leaky_integrator {
  dend.clock @step
  // CHECK: dend.neuron @lif ports(%I : f64) states(%v : f64 reset sample)
  // CHECK-DAG: %[[KEEP:.*]] = dend.literal 5.000000e-01
  // CHECK-DAG: %[[GAIN:.*]] = dend.literal 5.000000e-01
  // CHECK: %[[V:.*]] = dend.compartment %v drive %I keep %[[KEEP]] gain %[[GAIN]]
  // CHECK: %[[THETA:.*]] = dend.literal 1.000000e+00
  // CHECK: %[[S:.*]], %[[N:.*]] = dend.fire %[[V]], %[[THETA]] reset value inclusive
  // CHECK-NEXT: dend.yield states(%[[N]] : f64) emit(%[[S]] : i1)
  dend.neuron @lif ports(%I) states(%v) outputs(s) {
    %tau = dend.literal 2.0
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %d = dend.sub %I, %v
    %q = dend.div %d, %tau
    %v1 = dend.add %v, %q
    %above = dend.sub %v1, %one
    %s = dend.cmp ge %above, %zero
    %z = dend.select %s, %one, %zero
    %not = dend.sub %one, %z
    %kept = dend.mul %not, %v1
    %to = dend.select %s, %zero, %zero
    %v2 = dend.add %to, %kept
    dend.yield states(%v2) emit(%s)
  }
  dend.population @a : @lif[2] on @step
}

// -----

// A reset value, written the other way round: v < theta keeps v.
// CHECK-LABEL: dend.network @reset_value
dend.network @reset_value {
  dend.clock @step
  // CHECK: %[[V:.*]] = dend.compartment %v drive %I keep %[[KEEP:.*]] offset %{{.*}} :
  // CHECK-DAG: %[[THETA:.*]] = dend.literal 2.000000e+00
  // CHECK-DAG: %[[TO:.*]] = dend.literal -5.000000e-01
  // CHECK: dend.fire %[[V]], %[[THETA]] reset value to %[[TO]] inclusive
  dend.neuron @lif ports(%I) states(%v) outputs(s) {
    %keep = dend.literal 0.75
    %rest = dend.literal 0.125
    %theta = dend.literal 2.0
    %to = dend.literal -0.5
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %k = dend.mul %keep, %v
    %i = dend.add %I, %rest
    %v1 = dend.add %k, %i
    %below = dend.cmp lt %v1, %theta
    %v2 = dend.select %below, %v1, %to
    %s = dend.cmp le %theta, %v1
    dend.yield states(%v2) emit(%s)
  }
  dend.population @a : @lif[2] on @step
}

// -----

// Subtraction of the threshold, which is a parameter of each neuron.
// CHECK-LABEL: dend.network @reset_by_subtraction
dend.network @reset_by_subtraction {
  dend.clock @step
  // CHECK: params(%[[THETA:.*]] : f64 per_neuron)
  // CHECK: %[[V:.*]] = dend.compartment %v{{.*}} drive %I keep
  // CHECK: dend.fire %[[V]], %[[THETA]] reset subtract :
  // CHECK: @a.v{{.*}} : tensor<2xf64> = dense<[1.000000e+00, 2.000000e+00]>
  dend.neuron @lif ports(%I) params(%theta per_neuron) states(%v) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %k = dend.mul %keep, %v
    %v1 = dend.add %k, %I
    %s = dend.cmp gt %v1, %theta
    %z = dend.select %s, %one, %zero
    %off = dend.mul %theta, %z
    %v2 = dend.sub %v1, %off
    dend.yield states(%v2) emit(%s)
  }
  dend.constant @theta = [1.0, 2.0]
  dend.population @a : @lif[2] on @step bind {theta = @theta}
}

// -----

// A synapse: the membrane reads the current that came in, which then decays, as
// Norse writes it.
// CHECK-LABEL: dend.network @current
dend.network @current {
  dend.clock @step
  // CHECK: %[[I:.*]] = dend.compartment %i drive %x keep %{{.*}} gain
  // CHECK: %[[V:.*]] = dend.compartment %v drive %[[I]] keep %{{.*}} gain
  // CHECK: %[[S:.*]], %[[N:.*]] = dend.fire %[[V]], %{{.*}} reset value :
  // CHECK-NEXT: dend.yield states(%[[N]], %[[I]] : f64, f64) emit(%[[S]] : i1)
  dend.neuron @lif ports(%x) states(%v, %i) outputs(s) {
    %dt = dend.literal 0.125
    %loss = dend.literal -0.25
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %minus = dend.sub %zero, %v
    %jump = dend.add %i, %x
    %in = dend.add %minus, %jump
    %dv = dend.mul %dt, %in
    %v1 = dend.add %v, %dv
    %di = dend.mul %loss, %jump
    %i1 = dend.add %jump, %di
    %s = dend.cmp gt %v1, %one
    %v2 = dend.select %s, %zero, %v1
    dend.yield states(%v2, %i1) emit(%s)
  }
  dend.population @a : @lif[2] on @step
}

// -----

// A read-out is a compartment alone.
// CHECK-LABEL: dend.network @readout
dend.network @readout {
  dend.clock @step
  // CHECK: %[[V:.*]] = dend.compartment %v drive %I keep %{{.*}} :
  // CHECK-NEXT: dend.yield states(%[[V]] : f64) emit(%[[V]] : f64)
  dend.neuron @li ports(%I) states(%v) outputs(y) {
    %keep = dend.literal 0.75
    %k = dend.mul %keep, %v
    %v1 = dend.add %I, %k
    dend.yield states(%v1) emit(%v1)
  }
  dend.population @a : @li[2] on @step
}

// -----

// A threshold that adapts is one value more; the spike that raises it drives a
// compartment of its own.
// CHECK-LABEL: dend.network @adaptation
dend.network @adaptation {
  dend.clock @step
  // CHECK: %[[V:.*]] = dend.compartment %v drive %I keep
  // CHECK: %[[S:.*]], %[[N:.*]] = dend.fire %[[V]], %{{.*}} reset subtract
  // CHECK: dend.yield states(%[[N]], %{{.*}} : f64, f64) emit(%[[S]] : i1)
  dend.neuron @alif ports(%I) states(%v, %a) outputs(s) {
    %keep = dend.literal 0.75
    %slow = dend.literal 0.875
    %beta = dend.literal 0.5
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %k = dend.mul %keep, %v
    %v1 = dend.add %k, %I
    %ba = dend.mul %beta, %a
    %theta = dend.add %ba, %one
    %over = dend.sub %v1, %theta
    %s = dend.cmp gt %over, %zero
    %z = dend.select %s, %one, %zero
    %off = dend.mul %z, %theta
    %v2 = dend.sub %v1, %off
    %ka = dend.mul %slow, %a
    %a1 = dend.add %ka, %z
    dend.yield states(%v2, %a1) emit(%s)
  }
  dend.population @a : @alif[2] on @step
}

// -----

// What is no affine function stays: a quadratic neuron.
// CHECK-LABEL: dend.network @quadratic
dend.network @quadratic {
  dend.clock @step
  // CHECK-NOT: dend.compartment
  dend.neuron @qif ports(%I) states(%v) outputs(s) {
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %d = dend.sub %v, %one
    %q = dend.mul %v, %d
    %v1 = dend.add %q, %I
    %s = dend.cmp gt %v1, %one
    %v2 = dend.select %s, %zero, %v1
    dend.yield states(%v2) emit(%s)
  }
  dend.population @a : @qif[2] on @step
}

// -----

// A count of silent steps, in which v is held where a spike sets it.
// CHECK-LABEL: dend.network @refractory
dend.network @refractory {
  dend.clock @step
  // CHECK: %[[V:.*]] = dend.compartment %v drive %I keep
  // CHECK: %[[ON:.*]] = dend.cmp gt %r, %{{.*}}
  // CHECK: %[[HELD:.*]] = dend.select %[[ON]], %{{.*}}, %[[V]]
  // CHECK: %[[S:.*]], %[[N:.*]] = dend.fire %[[HELD]], %{{.*}} reset value
  // CHECK: %[[R:.*]] = dend.select %[[S]], %{{.*}}, %{{.*}} :
  // CHECK: dend.yield states(%[[N]], %[[R]] : f64, f64) emit(%[[S]] : i1)
  dend.neuron @lif ports(%I) states(%v, %r) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %steps = dend.literal 3.0
    %k = dend.mul %keep, %v
    %v1 = dend.add %k, %I
    %on = dend.cmp gt %r, %zero
    %held = dend.select %on, %zero, %v1
    %s = dend.cmp gt %held, %one
    %z = dend.select %s, %one, %zero
    %not = dend.sub %one, %z
    %v2 = dend.mul %held, %not
    %less = dend.sub %r, %one
    %left = dend.max %less, %zero
    %r2 = dend.select %s, %steps, %left
    dend.yield states(%v2, %r2) emit(%s)
  }
  dend.population @a : @lif[2] on @step
}

// -----

// A spike that is masked while v goes on is another neuron.
// CHECK-LABEL: dend.network @masked
dend.network @masked {
  dend.clock @step
  // CHECK-NOT: dend.fire
  dend.neuron @lif ports(%I) states(%v, %r) outputs(s) {
    %keep = dend.literal 0.75
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %steps = dend.literal 3.0
    %k = dend.mul %keep, %v
    %v1 = dend.add %k, %I
    %above = dend.cmp gt %v1, %one
    %free = dend.cmp le %r, %zero
    %s = dend.min %above, %free
    %v2 = dend.select %s, %zero, %v1
    %less = dend.sub %r, %one
    %left = dend.max %less, %zero
    %r2 = dend.select %s, %steps, %left
    dend.yield states(%v2, %r2) emit(%s)
  }
  dend.population @a : @lif[2] on @step
}
