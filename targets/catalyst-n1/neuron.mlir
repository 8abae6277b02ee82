// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catalyst N1's leaky neuron, which loader files can say; it has others. %r counts the
// steps of rest behind a spike, and a sum that the leak takes up leads to %rest.
dend.network @n1 {
  dend.clock @step
  dend.neuron @neuron ports(%I : !dend.fx<24, 0>)
      params(%threshold : !dend.fx<24, 0> per_neuron, %leak : !dend.fx<24, 0> per_neuron,
             %rest : !dend.fx<24, 0> per_neuron, %period : !dend.fx<24, 0> per_neuron,
             %low : !dend.fx<24, 0> per_neuron, %high : !dend.fx<24, 0> per_neuron)
      states(%v : !dend.fx<24, 0> reset sample, %r : !dend.fx<24, 0> reset sample)
      outputs(s : !dend.spike<binary>) {
    %zero = dend.literal 0 : i64 as !dend.fx<24, 0>
    %one = dend.literal 1 : i64 as !dend.fx<24, 0>
    %held = dend.cmp gt %r, %zero : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> i1
    %less = dend.sub %r, %one overflow wrap : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %sum = dend.add %v, %I overflow wrap : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %x = dend.sub %sum, %leak overflow wrap : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %over = dend.cmp ge %x, %threshold : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> i1
    %fires = dend.select %over, %one, %zero : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %above = dend.cmp gt %sum, %leak : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> i1
    %free = dend.select %above, %x, %rest : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %keep = dend.select %held, %rest, %free : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %armed = dend.select %held, %zero, %fires : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %s = dend.cmp gt %armed, %zero : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> i1
    %v1 = dend.select %s, %rest, %keep : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %r0 = dend.select %held, %less, %r : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %r1 = dend.select %s, %period, %r0 : (i1, !dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %v2 = dend.max %v1, %low : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    %v3 = dend.min %v2, %high : (!dend.fx<24, 0>, !dend.fx<24, 0>) -> !dend.fx<24, 0>
    dend.yield states(%v3, %r1 : !dend.fx<24, 0>, !dend.fx<24, 0>) emit(%s : i1)
  }
  dend.constant @threshold : tensor<1xi32> = dense<20> : tensor<1xi32>
  dend.constant @leak : tensor<1xi32> = dense<1> : tensor<1xi32>
  dend.constant @zero : tensor<1xi32> = dense<0> : tensor<1xi32>
  dend.constant @low : tensor<1xi32> = dense<-32768> : tensor<1xi32>
  dend.constant @high : tensor<1xi32> = dense<32767> : tensor<1xi32>
  dend.constant @weight : tensor<1x1xi32> = dense<7> : tensor<1x1xi32>
  dend.input @x on @step : tensor<1xf64> as !dend.spike<binary>
  dend.population @n : @neuron[1] on @step bind {threshold = @threshold, leak = @leak,
      rest = @zero, period = @zero, low = @low, high = @high}
  dend.project @x -> @n["I"] #dend.dense weight @weight delay 0
  dend.output @s = @n["s"]
}
