// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two LIF neurons joined by one synapse, in Lava's integers: a bias alone drives `a` over its
// threshold in every 20th step, and `b` follows each of its spikes.
dend.network @pair {
  dend.clock @step
  dend.neuron @lif ports(%I : !dend.fx<64, 0>) params(%keep : !dend.fx<32, 0>, %bias : !dend.fx<32, 0>)
      states(%v : !dend.fx<32, 0> reset sample) outputs(s : !dend.spike<binary>) {
    %threshold = dend.literal 4096 : i64 as !dend.fx<32, 0>
    %places = dend.literal -12 : i32 as i32
    %product = dend.mul %v, %keep : (!dend.fx<32, 0>, !dend.fx<32, 0>) -> !dend.fx<64, 0>
    %leaked = dend.shift %product by %places round toward_zero : (!dend.fx<64, 0>, i32) -> !dend.fx<64, 0>
    %more = dend.rescale %bias round floor overflow wrap : (!dend.fx<32, 0>) -> !dend.fx<64, 0>
    %driven = dend.add %leaked, %more : (!dend.fx<64, 0>, !dend.fx<64, 0>) -> !dend.fx<64, 0>
    %sum = dend.add %driven, %I : (!dend.fx<64, 0>, !dend.fx<64, 0>) -> !dend.fx<64, 0>
    %v1 = dend.rescale %sum round floor overflow wrap : (!dend.fx<64, 0>) -> !dend.fx<32, 0>
    %s, %v2 = dend.fire %v1, %threshold reset value : (!dend.fx<32, 0>, !dend.fx<32, 0>) -> (i1, !dend.fx<32, 0>)
    dend.yield states(%v2 : !dend.fx<32, 0>) emit(%s : i1)
  }
  dend.constant @keep : tensor<i32> = dense<3686> : tensor<i32> // 4096 - 410
  dend.constant @none : tensor<i32> = dense<0> : tensor<i32>
  dend.constant @bias : tensor<i32> = dense<470> : tensor<i32> // 50 Hz at steps of 1 ms
  dend.constant @weight : tensor<1x1xi16> = dense<128> : tensor<1x1xi16>
  dend.population @a : @lif[1] on @step bind {keep = @keep, bias = @bias} {cores = dense<0> : tensor<1xi32>}
  dend.population @b : @lif[1] on @step bind {keep = @keep, bias = @none} {cores = dense<1> : tensor<1xi32>}
  dend.project @a["s"] -> @b["I"] #dend.dense weight @weight delay 1 shift 6
}
