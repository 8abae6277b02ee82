// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaky integrate-and-fire: v' = keep v + I; a spike above theta sets v to 0.
dend.network @lif {
  dend.clock @step
  dend.input @x on @step : tensor<4xf64> as !dend.spike<binary>
  dend.neuron @lif ports(%I : !dend.fx<24, 0>)
      params(%keep : !dend.fx<16, -12>, %theta : !dend.fx<24, 0> per_neuron)
      states(%v : !dend.fx<24, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    %kept = dend.mul %v, %keep : (!dend.fx<24, 0>, !dend.fx<16, -12>) -> !dend.fx<40, -12>
    %leaked = dend.rescale %kept round floor overflow wrap : (!dend.fx<40, -12>) -> !dend.fx<24, 0>
    %v1 = dend.add %leaked, %I : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %s, %v2 = dend.fire %v1, %theta reset value : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> (i1, !dend.fx<24, 0>)
    dend.yield states(%v2 : !dend.fx<24, 0>) emit(%s : i1)
  }
  dend.constant @keep : tensor<i16> = dense<3686> : tensor<i16> // 0.9
  dend.constant @theta : tensor<3xi32> = dense<[1000, 1500, 2500]> : tensor<3xi32>
  dend.constant @W : tensor<3x4xi8> = dense<[[100, 60, 90, -40], [50, 120, -30, 80], [127, 127, 90, 110]]> : tensor<3x4xi8>
  dend.population @n : @lif[3] on @step bind {keep = @keep, theta = @theta}
  dend.project @x -> @n["I"] #dend.dense weight @W delay 0 shift 2
  dend.output @spikes = @n["s"]
  dend.output @v = probe @n["v"]
}
