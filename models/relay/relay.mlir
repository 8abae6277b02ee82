// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two neurons in a row: b repeats what a repeats, in the same tick.
dend.network @relay {
  dend.clock @tick
  dend.input @x on @tick : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @lif ports(%I : f64) params(%keep : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @half : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @one : tensor<1x1xf64> = dense<1.0> : tensor<1x1xf64>
  dend.population @a : @lif[1] on @tick bind {keep = @half, theta = @half}
  dend.population @b : @lif[1] on @tick bind {keep = @half, theta = @half}
  dend.project @x -> @a["I"] #dend.dense weight @one delay 0
  dend.project @a -> @b["I"] #dend.dense weight @one delay 0
  dend.output @spikes = @b["s"]
}
