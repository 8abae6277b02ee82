// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DendriCL (models/dendricl/README.md) at the size of d5_tiny: an apical
// compartment that learns in context, a soma and a block with 4 micro ticks per
// token. Soma and read-out see the apical state before its update.
dend.network @d5_tiny {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.input @tok on @token : tensor<7xf64> as !dend.spike<graded>
      query 6 masks 5

  dend.neuron @apical ports(%a : tensor<16xf64>, %y : f64, %flag : f64)
      params(%alpha : f64, %gamma : f64)
      states(%u : tensor<16xf64> reset sample)
      outputs(u[16] : !dend.spike<graded>) {
    %yhat = dend.dot %u, %a : (tensor<16xf64>, tensor<16xf64>) -> f64
    %one = dend.literal 1.0 : f64 as f64
    %open = dend.sub %one, %flag : (f64, f64) -> f64
    %rate = dend.mul %gamma, %open : (f64, f64) -> f64
    %un = dend.delta_rule %u key %a target %y prediction %yhat keep %alpha rate %rate
        : (tensor<16xf64>, tensor<16xf64>, f64, f64, f64, f64) -> tensor<16xf64>
    dend.yield states(%un : tensor<16xf64>) emit(%u : tensor<16xf64>)
  }
  dend.neuron @soma ports(%I : f64 hold @token)
      params(%decay : f64, %theta : f64)
      states(%v : f64 reset @token) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %decay : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.neuron @block ports(%I : f64)
      params(%decay : f64, %theta : f64)
      states(%v : f64 reset @token) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %decay : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }

  dend.constant @alpha : tensor<f64> extern "alpha"
  dend.constant @gamma : tensor<f64> extern "gamma"
  dend.constant @decay : tensor<f64> extern "decay"
  dend.constant @th1 : tensor<f64> extern "th1"
  dend.constant @th2 : tensor<f64> extern "th2"
  dend.constant @WA_token : tensor<16x7xf64> extern "WA_token"
  dend.constant @y_token : tensor<1x7xf64> extern "y_token"
  dend.constant @flag_token : tensor<1x7xf64> extern "flag_token"
  dend.constant @WB : tensor<32x7xf64> extern "WB"
  dend.constant @bB : tensor<32xf64> extern "bB"
  dend.constant @WO : tensor<32x16xf64> extern "WO"
  dend.constant @F1 : tensor<64x32xf64> extern "F1"
  dend.constant @b1 : tensor<64xf64> extern "b1"
  dend.constant @RF2 : tensor<1x64xf64> extern "RF2"
  dend.constant @bRF2 : tensor<1xf64> extern "bRF2"

  dend.population @A : @apical[1] on @token bind {alpha = @alpha, gamma = @gamma}
  dend.population @S : @soma[32] on @micro bind {decay = @decay, theta = @th1}
  dend.population @B : @block[64] on @micro bind {decay = @decay, theta = @th2}
  dend.population @out : @linear[1] on @token

  dend.project @tok -> @A["a"] #dend.dense weight @WA_token delay 0
  dend.project @tok -> @A["y"] #dend.dense weight @y_token delay 0
  dend.project @tok -> @A["flag"] #dend.dense weight @flag_token delay 0
  dend.project @tok -> @S["I"] #dend.dense weight @WB bias @bB delay 0
  dend.project @A["u"] -> @S["I"] #dend.dense weight @WO delay 0
  dend.project @S["s"] -> @B["I"] #dend.dense weight @F1 bias @b1 delay 0
  dend.project @B["s"] -> @out["I"] #dend.dense weight @RF2 bias @bRF2 delay 0
  dend.output @prediction = @out["y"] decode "last=1"
}
