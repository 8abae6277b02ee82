// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: neurite-opt %s --dend-schedule=target=loihi1 --split-input-file --verify-diagnostics

// expected-error@+1 {{satisfies the cycle a -> b -> a}}
dend.network @zero {
  dend.clock @step
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @a : @relay[2] on @step
  dend.population @b : @relay[2] on @step
  dend.project @a -> @b["I"] #dend.diagonal delay 0
  dend.project @b -> @a["I"] #dend.diagonal delay 0
}

// -----

dend.network @clocks {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  // expected-error@+1 {{only the root clock can be scheduled}}
  dend.population @a : @relay[2] on @micro
}
