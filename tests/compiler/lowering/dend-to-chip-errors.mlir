// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-to-chip=target=tiny --split-input-file --verify-diagnostics

dend.network @float {
  dend.clock @step
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    // expected-note@+1 {{this step has no place in it}}
    %two = dend.literal 2.0 : f64 as f64
    %y = dend.mul %I, %two : (f64, f64) -> f64
    dend.yield emit(%y : f64)
  }
  // expected-error@+1 {{target 'tiny' has only the fixed-function neuron}}
  dend.population @a : @relay[2] on @step
}

// -----

dend.network @unscheduled {
  dend.clock @step
  dend.neuron @cuba ports(%I : !dend.fx<64, 0>)
      params(%du : i32, %dv : i32, %theta : i32, %bias : i32)
      states(%u : !dend.fx<32, 0> reset sample, %v : !dend.fx<32, 0> reset sample,
          %r : i32 reset sample)
      outputs(s : !dend.spike<binary>) {
    %s, %un, %vn, %rn = dend.cuba %I, %u, %v, %r decay %du, %dv threshold %theta bias %bias
        : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32)
        -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
    dend.yield states(%un, %vn, %rn : !dend.fx<32, 0>, !dend.fx<32, 0>, i32) emit(%s : i1)
  }
  dend.constant @c : tensor<i32> = dense<64> : tensor<i32>
  // expected-error@+1 {{has no 'phase'; run --dend-schedule first}}
  dend.population @a : @cuba[2] on @step
      bind {du = @c, dv = @c, theta = @c, bias = @c}
}
