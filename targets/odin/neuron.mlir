// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ODIN's LIF neuron at one event. %I is the weight of the event's synapse, %T is 1 where
// the event is a time reference. A potential lies between 0 and 255, and nothing of it is
// kept after a spike.
dend.network @odin {
  dend.clock @event
  dend.neuron @neuron ports(%I : !dend.fx<12, 0>, %T : !dend.fx<12, 0>)
      params(%threshold : !dend.fx<12, 0> per_neuron, %leak : !dend.fx<12, 0> per_neuron)
      states(%v : !dend.fx<12, 0> reset sample) outputs(s : !dend.spike<binary>) {
    %zero = dend.literal 0 : i64 as !dend.fx<12, 0>
    %top = dend.literal 255 : i64 as !dend.fx<12, 0>
    %timed = dend.cmp gt %T, %zero : (!dend.fx<12, 0>, !dend.fx<12, 0>) -> i1
    %less = dend.select %timed, %leak, %zero : (i1, !dend.fx<12, 0>, !dend.fx<12, 0>) -> !dend.fx<12, 0>
    %sum = dend.add %v, %I : (!dend.fx<12, 0>, !dend.fx<12, 0>) -> !dend.fx<12, 0>
    %rest = dend.sub %sum, %less : (!dend.fx<12, 0>, !dend.fx<12, 0>) -> !dend.fx<12, 0>
    %floor = dend.max %rest, %zero : (!dend.fx<12, 0>, !dend.fx<12, 0>) -> !dend.fx<12, 0>
    %new = dend.min %floor, %top : (!dend.fx<12, 0>, !dend.fx<12, 0>) -> !dend.fx<12, 0>
    %fires = dend.cmp ge %new, %threshold : (!dend.fx<12, 0>, !dend.fx<12, 0>) -> i1
    %kept = dend.select %fires, %zero, %new : (i1, !dend.fx<12, 0>, !dend.fx<12, 0>) -> !dend.fx<12, 0>
    dend.yield states(%kept : !dend.fx<12, 0>) emit(%fires : i1)
  }
  dend.constant @threshold : tensor<1xi32> = dense<20> : tensor<1xi32>
  dend.constant @leak : tensor<1xi32> = dense<1> : tensor<1xi32>
  dend.constant @weight : tensor<1x1xi32> = dense<7> : tensor<1x1xi32>
  dend.constant @one : tensor<1x1xi32> = dense<1> : tensor<1x1xi32>
  dend.input @x on @event : tensor<1xf64> as !dend.spike<binary>
  dend.input @time on @event : tensor<1xf64> as !dend.spike<binary>
  dend.population @n : @neuron[1] on @event bind {threshold = @threshold, leak = @leak}
  dend.project @x -> @n["I"] #dend.dense weight @weight delay 0
  dend.project @time -> @n["T"] #dend.dense weight @one delay 0
  dend.output @s = @n["s"]
}
