// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Leaky integrate-and-fire in reals: v' = keep v + I; above theta a spike takes theta off.
dend.network @lif_real {
  dend.clock @step
  dend.input @x[4] on @step as binary
  dend.neuron @lif ports(%I) params(%keep, %theta per_neuron) states(%v) outputs(s) {
    %v1 = dend.compartment %v drive %I keep %keep
    %s, %v2 = dend.fire %v1, %theta reset subtract
    dend.yield states(%v2) emit(%s)
  }
  dend.constant @keep = 0.9
  dend.constant @theta = [1.0, 1.5, 2.5]
  dend.constant @W = [[0.4, 0.25, 0.35, -0.15], [0.2, 0.5, -0.1, 0.3], [0.5, 0.5, 0.35, 0.45]]
  dend.population @n : @lif[3] on @step bind {keep = @keep, theta = @theta}
  dend.project @x -> @n["I"] weight @W
  dend.output @spikes = @n["s"]
  dend.output @v = probe @n["v"]
}
