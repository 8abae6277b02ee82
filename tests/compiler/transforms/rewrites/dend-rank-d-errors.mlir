// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-rank-d --verify-diagnostics

// expected-error@+1 {{rewrite 'rank-d' applies nowhere in '@n': it looks for one neuron with a vector 'delta_rule' whose key is a port fed by one dense projection, whose prediction is the dot product of state and key, and which emits its state; '@biased' has a key that is not fed by exactly one dense projection without bias; '@square' has a state of 2 elements, not more than the 2 inputs of its key; '@shown' shows its state as an output of the network; '@charged' does not start at zero; '@two' has 2 neurons; '@elsewhere' predicts something else than state . key; leave it out}}
dend.network @n {
  dend.clock @t
  dend.input @x on @t : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @rule ports(%a : tensor<2xf64>, %y : f64) params(%keep : f64)
      states(%u : tensor<2xf64> reset sample) outputs(u[2] : !dend.spike<graded>) {
    %p = dend.dot %a, %u : (tensor<2xf64>, tensor<2xf64>) -> f64
    %n = dend.delta_rule %u key %a target %y prediction %p keep %keep rate %keep
        : (tensor<2xf64>, tensor<2xf64>, f64, f64, f64, f64) -> tensor<2xf64>
    dend.yield states(%n : tensor<2xf64>) emit(%u : tensor<2xf64>)
  }
  dend.neuron @full ports(%a : tensor<2xf64>, %y : f64) params(%keep : f64)
      states(%u : tensor<2xf64> reset sample init 0.5) outputs(u[2] : !dend.spike<graded>) {
    %p = dend.dot %a, %u : (tensor<2xf64>, tensor<2xf64>) -> f64
    %n = dend.delta_rule %u key %a target %y prediction %p keep %keep rate %keep
        : (tensor<2xf64>, tensor<2xf64>, f64, f64, f64, f64) -> tensor<2xf64>
    dend.yield states(%n : tensor<2xf64>) emit(%u : tensor<2xf64>)
  }
  dend.neuron @other ports(%a : tensor<2xf64>, %y : f64) params(%keep : f64)
      states(%u : tensor<2xf64> reset sample) outputs(u[2] : !dend.spike<graded>) {
    %n = dend.delta_rule %u key %a target %y prediction %y keep %keep rate %keep
        : (tensor<2xf64>, tensor<2xf64>, f64, f64, f64, f64) -> tensor<2xf64>
    dend.yield states(%n : tensor<2xf64>) emit(%u : tensor<2xf64>)
  }
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.constant @k : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @W : tensor<2x2xf64> = dense<[[1.0, 0.0], [0.0, 1.0]]> : tensor<2x2xf64>
  dend.constant @b : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  dend.constant @V : tensor<1x2xf64> = dense<1.0> : tensor<1x2xf64>
  dend.constant @V4 : tensor<1x4xf64> = dense<1.0> : tensor<1x4xf64>
  dend.population @out : @linear[1] on @t
  dend.population @biased : @rule[1] on @t bind {keep = @k}
  dend.project @x -> @biased["a"] #dend.dense weight @W bias @b delay 0
  dend.project @biased["u"] -> @out["I"] #dend.dense weight @V delay 0
  dend.population @square : @rule[1] on @t bind {keep = @k}
  dend.project @x -> @square["a"] #dend.dense weight @W delay 0
  dend.project @square["u"] -> @out["I"] #dend.dense weight @V delay 0
  dend.population @shown : @rule[1] on @t bind {keep = @k}
  dend.output @u = probe @shown["u"]
  dend.population @charged : @full[1] on @t bind {keep = @k}
  dend.population @two : @rule[2] on @t bind {keep = @k}
  dend.project @two["u"] -> @out["I"] #dend.dense weight @V4 delay 0
  dend.population @elsewhere : @other[1] on @t bind {keep = @k}
  dend.output @y = @out["y"]
}
