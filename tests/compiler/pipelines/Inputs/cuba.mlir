// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A float network that every target runs: what the pipelines are tried on.
dend.network @n {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @cuba ports(%I : f64)
      params(%ki : f64, %kv : f64, %theta : f64, %to : f64)
      states(%i : f64 reset sample, %v : f64 reset sample)
      outputs(s : !dend.spike<binary>) {
    %i1 = dend.compartment %i drive %I keep %ki : (f64, f64, f64) -> f64
    %v1 = dend.compartment %v drive %i1 keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value to %to : (f64, f64, f64) -> (i1, f64)
    dend.yield states(%i1, %v2 : f64, f64) emit(%s : i1)
  }
  dend.constant @ki : tensor<f64> = dense<0.75> : tensor<f64>
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.constant @to : tensor<f64> = dense<-1.0> : tensor<f64>
  dend.population @a : @cuba[2] on @step
      bind {ki = @ki, kv = @kv, theta = @theta, to = @to}
  dend.constant @w : tensor<2x2xf64> = dense<[[0.5, -1.0], [2.0, 0.0]]> : tensor<2x2xf64>
  dend.project @x -> @a["I"] #dend.dense weight @w delay 0
  dend.output @y = @a["s"]
}
