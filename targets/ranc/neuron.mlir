// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RANC's neuron in a tick. Everything wraps at 9 bits. %linear is 1 where a threshold is
// subtracted (mode 1), else the potential is set to %reset, or -%reset below.
dend.network @ranc {
  dend.clock @tick
  dend.neuron @neuron ports(%I : !dend.fx<9, 0>)
      params(%leak : !dend.fx<9, 0> per_neuron, %positive : !dend.fx<9, 0> per_neuron,
             %negative : !dend.fx<9, 0> per_neuron, %reset : !dend.fx<9, 0> per_neuron,
             %linear : !dend.fx<9, 0> per_neuron)
      states(%v : !dend.fx<9, 0> reset sample) outputs(s : !dend.spike<binary>) {
    %zero = dend.literal 0 : i64 as !dend.fx<9, 0>
    %sum = dend.add %v, %I overflow wrap : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %u = dend.add %sum, %leak overflow wrap : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %above = dend.sub %u, %positive overflow wrap : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %below = dend.sub %u, %negative overflow wrap : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %minus = dend.sub %zero, %reset overflow wrap : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %subtracts = dend.cmp gt %linear, %zero : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> i1
    %high = dend.select %subtracts, %above, %reset : (i1, !dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %low = dend.select %subtracts, %below, %minus : (i1, !dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %fires = dend.cmp ge %u, %positive : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> i1
    %sinks = dend.cmp lt %u, %negative : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> i1
    %held = dend.select %sinks, %low, %u : (i1, !dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %new = dend.select %fires, %high, %held : (i1, !dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    dend.yield states(%new : !dend.fx<9, 0>) emit(%fires : i1)
  }
  dend.constant @leak : tensor<1xi32> = dense<-1> : tensor<1xi32>
  dend.constant @positive : tensor<1xi32> = dense<20> : tensor<1xi32>
  dend.constant @negative : tensor<1xi32> = dense<-20> : tensor<1xi32>
  dend.constant @reset : tensor<1xi32> = dense<0> : tensor<1xi32>
  dend.constant @linear : tensor<1xi32> = dense<0> : tensor<1xi32>
  dend.constant @weight : tensor<1x1xi32> = dense<7> : tensor<1x1xi32>
  dend.input @x on @tick : tensor<1xf64> as !dend.spike<binary>
  dend.population @n : @neuron[1] on @tick bind {leak = @leak, positive = @positive,
      negative = @negative, reset = @reset, linear = @linear}
  dend.project @x -> @n["I"] #dend.dense weight @weight delay 0
  dend.output @s = @n["s"]
}
