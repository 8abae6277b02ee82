// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-fold-readout --split-input-file --verify-diagnostics

// A bias would arrive before the first message does; a slower clock's message
// would be delayed by ticks it does not have; 4 synapses would become 9.
// expected-error@+1 {{rewrite 'fold-readout' applies nowhere in '@n': it looks for a population that only emits its port (a linear read-out layer) and feeds one other on its clock; '@early' sends its bias on with a delay or into a held port; '@late' delays what a slower clock sends it; '@narrow' is a bottleneck: 6 synapses would become 9; '@other' is on another clock than what it feeds; '@twice' feeds more than one projection; '@seen' is an output of the network; '@held' holds its port over several updates; leave it out}}
dend.network @n {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.input @x on @token : tensor<1xf64> as !dend.spike<graded>
  dend.input @three on @token : tensor<3xf64> as !dend.spike<graded>
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.neuron @holding ports(%I : f64 hold @token) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.neuron @sum ports(%I : f64) states(%v : f64 reset sample) outputs(y : !dend.spike<graded>) {
    %w = dend.add %v, %I : (f64, f64) -> f64
    dend.yield states(%w : f64) emit(%v : f64)
  }
  dend.constant @W : tensor<1x1xf64> = dense<2.0> : tensor<1x1xf64>
  dend.constant @In : tensor<1x3xf64> = dense<1.0> : tensor<1x3xf64>
  dend.constant @Out : tensor<3x1xf64> = dense<1.0> : tensor<3x1xf64>
  dend.constant @b : tensor<1xf64> = dense<1.0> : tensor<1xf64>
  dend.population @end : @sum[1] on @token
  dend.population @fast : @sum[1] on @micro
  dend.population @wide : @sum[3] on @token
  dend.population @early : @linear[1] on @token
  dend.project @x -> @early["I"] #dend.dense weight @W bias @b delay 0
  dend.project @early -> @end["I"] #dend.dense weight @W delay 1
  dend.population @late : @linear[1] on @micro
  dend.project @x -> @late["I"] #dend.dense weight @W delay 0
  dend.project @late -> @fast["I"] #dend.dense weight @W delay 1
  dend.population @narrow : @linear[1] on @token
  dend.project @three -> @narrow["I"] #dend.dense weight @In delay 0
  dend.project @narrow -> @wide["I"] #dend.dense weight @Out delay 0
  dend.population @other : @linear[1] on @micro
  dend.project @x -> @other["I"] #dend.dense weight @W delay 0
  dend.project @other -> @end["I"] #dend.dense weight @W delay 0
  dend.population @twice : @linear[1] on @token
  dend.project @x -> @twice["I"] #dend.dense weight @W delay 0
  dend.project @twice -> @end["I"] #dend.dense weight @W delay 0
  dend.project @twice -> @end["I"] #dend.dense weight @W delay 1
  dend.population @seen : @linear[1] on @token
  dend.project @x -> @seen["I"] #dend.dense weight @W delay 0
  dend.project @seen -> @end["I"] #dend.dense weight @W delay 0
  dend.output @y = @seen["y"]
  dend.population @held : @holding[1] on @micro
  dend.project @x -> @held["I"] #dend.dense weight @W delay 0
  dend.project @held -> @fast["I"] #dend.dense weight @W delay 0
}

// -----

// expected-error@+1 {{'@mid' has projections without weights at hand}}
dend.network @unbound {
  dend.clock @t
  dend.input @x on @t : tensor<1xf64> as !dend.spike<graded>
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.constant @W : tensor<1x1xf64> extern "W"
  dend.population @mid : @linear[1] on @t
  dend.population @out : @linear[1] on @t
  dend.project @x -> @mid["I"] #dend.dense weight @W delay 0
  dend.project @mid -> @out["I"] #dend.dense weight @W delay 0
  dend.output @y = @out["y"]
}
