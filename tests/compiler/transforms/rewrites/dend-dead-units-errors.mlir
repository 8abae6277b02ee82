// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-dead-units --split-input-file --verify-diagnostics

!v = !dend.fx<24, 0>

// Silent are: an output of the network, which stays as the user knows it, a
// neuron that is alone, and neurons whose initial values are told one by one.
// expected-error@+1 {{rewrite 'dead-units' applies nowhere in '@n': it looks for neurons that emit nothing, of populations that no output of the network reads; '@alone' has one neuron; '@each' has initial values of each neuron; leave it out}}
dend.network @n {
  dend.clock @t
  dend.input @x on @t : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @sum ports(%I : !v) outputs(y : !dend.spike<int, -8, 7>) {
    dend.yield emit(%I : !v)
  }
  dend.constant @start : tensor<2xi32> = dense<0> : tensor<2xi32>
  dend.neuron @state ports(%I : !v) states(%v : !v reset sample init @start)
      outputs(y : !dend.spike<int, -8, 7>) {
    dend.yield states(%v : !v) emit(%v : !v)
  }
  dend.population @seen : @sum[2] on @t
  dend.population @alone : @sum[1] on @t
  dend.population @each : @state[2] on @t
  dend.output @y = @seen["y"]
}
