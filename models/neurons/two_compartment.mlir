// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dendrite beside its soma: both leak, each is drawn towards the other, the
// dendrite passes on only what is above zero.
//   d' = kd d + g (v - d) + Id;  v' = kv v + g max(d', 0) + Is;  reset to 0
dend.network @two_compartment {
  dend.clock @step
  dend.input @x on @step : tensor<3xf64> as !dend.spike<binary>
  dend.neuron @two ports(%Id : !dend.fx<24, 0>, %Is : !dend.fx<24, 0>)
      params(%k : tensor<3x!dend.fx<16, -12>>, %theta : !dend.fx<24, 0>)
      states(%d : !dend.fx<24, 0> reset sample, %v : !dend.fx<24, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    // d' = [kd - g, g] . [d, v] + Id
    %dv = dend.concat %d, %v : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> tensor<2x!dend.fx<24, 0>>
    %kd = dend.slice %k[0, 2] : (tensor<3x!dend.fx<16, -12>>) -> tensor<2x!dend.fx<16, -12>>
    %mix = dend.dot %dv, %kd : (tensor<2x!dend.fx<24, 0>>, tensor<2x!dend.fx<16, -12>>) -> !dend.fx<24, 0>
    %d1 = dend.add %mix, %Id : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %zero = dend.literal 0 : i64 as !dend.fx<24, 0>
    %up = dend.max %d1, %zero : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %vu = dend.concat %up, %v : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> tensor<2x!dend.fx<24, 0>>
    %kv = dend.slice %k[1, 2] : (tensor<3x!dend.fx<16, -12>>) -> tensor<2x!dend.fx<16, -12>>
    %sum = dend.dot %vu, %kv : (tensor<2x!dend.fx<24, 0>>, tensor<2x!dend.fx<16, -12>>) -> !dend.fx<24, 0>
    %v1 = dend.add %sum, %Is : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %s, %v2 = dend.fire %v1, %theta reset value : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> (i1, !dend.fx<24, 0>)
    dend.yield states(%d1, %v2 : !dend.fx<24, 0>, !dend.fx<24, 0>) emit(%s : i1)
  }
  dend.constant @k : tensor<3xi16> = dense<[3400, 410, 3800]> : tensor<3xi16> // kd - g, g, kv
  dend.constant @theta : tensor<i32> = dense<700> : tensor<i32>
  dend.constant @Wd : tensor<2x3xi8> = dense<[[90, 40, -60], [-20, 100, 70]]> : tensor<2x3xi8>
  dend.population @n : @two[2] on @step bind {k = @k, theta = @theta}
  dend.project @x -> @n["Id"] #dend.dense weight @Wd delay 0 shift 2
  dend.project @x -> @n["Is"] #dend.dense weight @Wd delay 1
  dend.output @spikes = @n["s"]
  dend.output @d = probe @n["d"]
}
