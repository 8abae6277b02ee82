// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adaptive LIF (Bellec et al. 2018, LSNN) in reals: the threshold rises with each spike.
//   v' = keep v + I;  spike if v' > theta + beta a;  v' -= that threshold
//   a' = rho a + spike
dend.network @adaptive_lif_real {
  dend.clock @step
  dend.input @x[4] on @step as binary
  dend.neuron @alif ports(%I) params(%keep, %rho, %theta, %beta) states(%v, %a) outputs(s) {
    %v1 = dend.compartment %v drive %I keep %keep
    %rise = dend.mul %beta, %a
    %limit = dend.add %theta, %rise
    %s, %v2 = dend.fire %v1, %limit reset subtract
    %one = dend.literal 1.0
    %zero = dend.literal 0.0
    %spike = dend.select %s, %one, %zero
    %a1 = dend.compartment %a drive %spike keep %rho
    dend.yield states(%v2, %a1) emit(%s)
  }
  dend.constant @keep = 0.9
  dend.constant @rho = 0.97
  dend.constant @theta = 1.0
  dend.constant @beta = 0.5
  dend.constant @W = [[0.4, 0.25, 0.35, -0.15], [0.2, 0.5, -0.1, 0.3]]
  dend.population @n : @alif[2] on @step bind {keep = @keep, rho = @rho, theta = @theta, beta = @beta}
  dend.project @x -> @n["I"] weight @W
  dend.output @spikes = @n["s"]
  dend.output @a = probe @n["a"]
}
