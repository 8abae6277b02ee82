// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-schedule=target=loihi1 --split-input-file --verify-diagnostics

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

// A loop from the token to its micro ticks and back within the token.
// expected-error@+1 {{satisfies the cycle a -> b -> a}}
dend.network @clocks {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.neuron @relay ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @a : @relay[2] on @token
  dend.population @b : @relay[2] on @micro
  dend.project @a -> @b["I"] #dend.diagonal delay 0
  dend.project @b -> @a["I"] #dend.diagonal delay 0
}

// -----

dend.network @fast {
  dend.clock @token
  dend.clock @micro divides @token by 64
  // expected-error@+1 {{ticks more than 4096 times}}
  dend.clock @nano divides @micro by 128
}

// -----

// Loihi 1's spikes are binary; an integer beyond 64 unit spikes is refused.
dend.network @wide {
  dend.clock @step
  dend.neuron @count ports(%I : !dend.fx<16, 0>)
      outputs(n : !dend.spike<int, -100, 100>) {
    dend.yield emit(%I : !dend.fx<16, 0>)
  }
  // expected-error@+1 {{output 'n' of '@a' sends -100 to 100}}
  dend.population @a : @count[2] on @step
}
