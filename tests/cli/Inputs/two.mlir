// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop of two populations; the tests break it in several ways.
dend.network @two {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @lif ports(%I : f64) params(%keep : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @keep : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @a : @lif[2] on @step bind {keep = @keep, theta = @theta}
  dend.population @b : @lif[2] on @step bind {keep = @keep, theta = @theta}
  dend.project @x -> @a["I"] #dend.diagonal delay 0
  dend.project @a["s"] -> @b["I"] #dend.diagonal delay 0
  dend.project @b["s"] -> @a["I"] #dend.diagonal delay 1
  dend.output @y = @b["s"]
}
