// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adaptive LIF (Bellec et al. 2018, LSNN): the threshold rises with each spike.
//   v' = keep v + I;  spike if v' > theta + beta a;  v' -= that threshold
//   a' = rho a + spike
dend.network @adaptive_lif {
  dend.clock @step
  dend.input @x on @step : tensor<4xf64> as !dend.spike<binary>
  dend.neuron @alif ports(%I : !dend.fx<24, 0>)
      params(%keep : !dend.fx<16, -12>, %rho : !dend.fx<16, -12>, %theta : !dend.fx<24, 0>)
      states(%v : !dend.fx<24, 0> reset sample, %a : !dend.fx<24, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    %vk = dend.mul %v, %keep : (!dend.fx<24, 0>, !dend.fx<16, -12>) -> !dend.fx<40, -12>
    %leaked = dend.rescale %vk round floor overflow wrap : (!dend.fx<40, -12>) -> !dend.fx<24, 0>
    %v1 = dend.add %leaked, %I overflow saturate : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %limit = dend.add %theta, %a overflow saturate : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %s, %v2 = dend.fire %v1, %limit reset subtract : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> (i1, !dend.fx<24, 0>)
    // a is held in units of beta: one spike adds beta = 300.
    %ak = dend.mul %a, %rho : (!dend.fx<24, 0>, !dend.fx<16, -12>) -> !dend.fx<40, -12>
    %a1 = dend.rescale %ak round floor overflow wrap : (!dend.fx<40, -12>) -> !dend.fx<24, 0>
    %beta = dend.literal 300 : i64 as !dend.fx<24, 0>
    %more = dend.add %a1, %beta overflow saturate : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %a2 = dend.select %s, %more, %a1 : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    dend.yield states(%v2, %a2 : !dend.fx<24, 0>, !dend.fx<24, 0>) emit(%s : i1)
  }
  dend.constant @keep : tensor<i16> = dense<3686> : tensor<i16> // 0.9
  dend.constant @rho : tensor<i16> = dense<3973> : tensor<i16> // 0.97
  dend.constant @theta : tensor<i32> = dense<600> : tensor<i32>
  dend.constant @W : tensor<2x4xi8> = dense<[[100, 60, 90, -40], [50, 120, -30, 80]]> : tensor<2x4xi8>
  dend.population @n : @alif[2] on @step bind {keep = @keep, rho = @rho, theta = @theta}
  dend.project @x -> @n["I"] #dend.dense weight @W delay 0 shift 2
  dend.output @spikes = @n["s"]
  dend.output @a = probe @n["a"]
}
