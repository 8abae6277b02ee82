// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sliding parallel spiking neuron (Fang et al. 2023): a spike where the last 16
// inputs, weighted, are above theta. The inputs are a delay line.
//   line' = [I, line[0..14]];  spike if h . line' >= theta
dend.network @shift_register16 {
  dend.clock @step
  dend.input @x on @step : tensor<4xf64> as !dend.spike<binary>
  dend.neuron @psn ports(%I : !dend.fx<16, 0>)
      params(%h : tensor<16x!dend.fx<8, -7>>, %theta : !dend.fx<24, -7>)
      states(%line : tensor<16x!dend.fx<16, 0>> reset sample)
      outputs(s : !dend.spike<binary>) {
    %old = dend.slice %line[0, 15] : (tensor<16x!dend.fx<16, 0>>) -> tensor<15x!dend.fx<16, 0>>
    %next = dend.concat %I, %old : (!dend.fx<16, 0>, tensor<15x!dend.fx<16, 0>>) -> tensor<16x!dend.fx<16, 0>>
    %y = dend.dot %next, %h : (tensor<16x!dend.fx<16, 0>>, tensor<16x!dend.fx<8, -7>>) -> !dend.fx<24, -7>
    %s = dend.cmp ge %y, %theta : (!dend.fx<24, -7>, !dend.fx<24, -7>) -> i1
    dend.yield states(%next : tensor<16x!dend.fx<16, 0>>) emit(%s : i1)
  }
  dend.constant @h : tensor<16xi8> = dense<[127, 90, 64, 45, 32, 23, 16, 11, 8, 6, 4, 3, 2, 1, 1, 1]> : tensor<16xi8>
  dend.constant @theta : tensor<i32> = dense<25600> : tensor<i32> // 200
  dend.constant @W : tensor<3x4xi8> = dense<[[100, 60, 90, -40], [50, 120, -30, 80], [-90, 70, 20, 110]]> : tensor<3x4xi8>
  dend.population @n : @psn[3] on @step bind {h = @h, theta = @theta}
  dend.project @x -> @n["I"] #dend.dense weight @W delay 0
  dend.output @spikes = @n["s"]
  dend.output @line = probe @n["line"]
}
