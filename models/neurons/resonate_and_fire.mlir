// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resonate-and-fire (Izhikevich 2001): z' = lambda z + I with complex z = x + iy,
// lambda = 0.97 exp(i pi/8). A spike where y rises above 1; z goes on
// (there it is put to i).
//   x' = c x - d y + I;  y' = d x + c y;  spike if y' > theta >= y
dend.network @resonate_and_fire {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<int, -3, 3>
  dend.neuron @rf ports(%I : !dend.fx<24, -10>)
      params(%cd : tensor<2x!dend.fx<16, -14>>, %dc : tensor<2x!dend.fx<16, -14>>, %theta : !dend.fx<24, -10>)
      states(%z : tensor<2x!dend.fx<24, -10>> reset sample)
      outputs(s : !dend.spike<binary>) {
    %turn = dend.dot %z, %cd round nearest_even : (tensor<2x!dend.fx<24, -10>>, tensor<2x!dend.fx<16, -14>>) -> !dend.fx<24, -10>
    %x1 = dend.add %turn, %I : (!dend.fx<24, -10>, !dend.fx<24, -10>) -> !dend.fx<24, -10>
    %y1 = dend.dot %z, %dc round nearest_even : (tensor<2x!dend.fx<24, -10>>, tensor<2x!dend.fx<16, -14>>) -> !dend.fx<24, -10>
    %y = dend.element %z[1] : (tensor<2x!dend.fx<24, -10>>) -> !dend.fx<24, -10>
    %above = dend.cmp gt %y1, %theta : (!dend.fx<24, -10>, !dend.fx<24, -10>) -> i1
    %below = dend.cmp le %y, %theta : (!dend.fx<24, -10>, !dend.fx<24, -10>) -> i1
    %s = dend.min %above, %below : (i1, i1) -> i1
    %z1 = dend.concat %x1, %y1 : (!dend.fx<24, -10>, !dend.fx<24, -10>) -> tensor<2x!dend.fx<24, -10>>
    dend.yield states(%z1 : tensor<2x!dend.fx<24, -10>>) emit(%s : i1)
  }
  dend.constant @cd : tensor<2xi16> = dense<[14683, -6082]> : tensor<2xi16> // 0.97 cos, -0.97 sin
  dend.constant @dc : tensor<2xi16> = dense<[6082, 14683]> : tensor<2xi16>
  dend.constant @theta : tensor<i32> = dense<1024> : tensor<i32> // 1.0
  dend.constant @W : tensor<2x2xi8> = dense<[[100, 30], [-50, 110]]> : tensor<2x2xi8>
  dend.population @n : @rf[2] on @step bind {cd = @cd, dc = @dc, theta = @theta}
  dend.project @x -> @n["I"] #dend.dense weight @W delay 0 shift 2
  dend.output @spikes = @n["s"]
  dend.output @z = probe @n["z"]
}
