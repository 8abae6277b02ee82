// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ELM network (models/elm/README.md) at the size of elm_relu: 32 recurrent neurons
// of 10 branches with 5 memories and their own MLP, 19 read-out neurons, a linear
// layer.
dend.network @elm_relu {
  dend.clock @step
  dend.input @u on @step : tensor<140xf64> as !dend.spike<graded>

  dend.neuron @recurrent ports(%b : tensor<10xf64>)
      params(%W1 : tensor<10x15xf64> per_neuron, %b1 : tensor<10xf64> per_neuron,
          %W2 : tensor<5x10xf64> per_neuron, %b2 : tensor<5xf64> per_neuron,
          %wr : tensor<5xf64> per_neuron, %bias : f64 per_neuron,
          %km : tensor<5xf64>, %gain : tensor<5xf64>, %kr : f64, %gain_r : f64)
      states(%m : tensor<5xf64> reset sample, %r : f64 reset sample)
      outputs(a : !dend.spike<graded>) {
    // (ii) proposal of the MLP
    %kept = dend.mul %km, %m : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
    %z = dend.concat %b, %kept : (tensor<10xf64>, tensor<5xf64>) -> tensor<15xf64>
    %h0 = dend.matvec %W1, %z : (tensor<10x15xf64>, tensor<15xf64>) -> tensor<10xf64>
    %h1 = dend.add %h0, %b1 : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xf64>
    %zeros = dend.literal dense<0.0> : tensor<10xf64> as tensor<10xf64>
    %h2 = dend.max %h1, %zeros : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xf64>
    %h3 = dend.mul %h2, %h2 : (tensor<10xf64>, tensor<10xf64>) -> tensor<10xf64>
    %d0 = dend.matvec %W2, %h3 : (tensor<5x10xf64>, tensor<10xf64>) -> tensor<5xf64>
    %d1 = dend.add %d0, %b2 : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
    %dm = dend.math tanh %d1 : (tensor<5xf64>) -> tensor<5xf64>
    // (iii) memory
    %new = dend.mul %gain, %dm : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
    %mn = dend.add %kept, %new : (tensor<5xf64>, tensor<5xf64>) -> tensor<5xf64>
    // (iv) high-pass, (v) output
    %p = dend.dot %wr, %mn : (tensor<5xf64>, tensor<5xf64>) -> f64
    %rn = dend.compartment %r drive %p keep %kr gain %gain_r
        : (f64, f64, f64, f64) -> f64
    %q = dend.add %bias, %p : (f64, f64) -> f64
    %above = dend.sub %q, %rn : (f64, f64) -> f64
    %zero = dend.literal 0.0 : f64 as f64
    %a = dend.max %above, %zero : (f64, f64) -> f64
    dend.yield states(%mn, %rn : tensor<5xf64>, f64) emit(%a : f64)
  }
  dend.neuron @readout ports(%b : tensor<8xf64>)
      params(%W1 : tensor<3x11xf64> per_neuron, %b1 : tensor<3xf64> per_neuron,
          %wr : tensor<3xf64> per_neuron, %bias : f64 per_neuron,
          %km : tensor<3xf64>, %gain : tensor<3xf64>)
      states(%m : tensor<3xf64> reset sample)
      outputs(y : !dend.spike<graded>) {
    %kept = dend.mul %km, %m : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %z = dend.concat %b, %kept : (tensor<8xf64>, tensor<3xf64>) -> tensor<11xf64>
    %d0 = dend.matvec %W1, %z : (tensor<3x11xf64>, tensor<11xf64>) -> tensor<3xf64>
    %d1 = dend.add %d0, %b1 : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %dm = dend.math tanh %d1 : (tensor<3xf64>) -> tensor<3xf64>
    %new = dend.mul %gain, %dm : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %mn = dend.add %kept, %new : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %p = dend.dot %wr, %mn : (tensor<3xf64>, tensor<3xf64>) -> f64
    %y = dend.add %bias, %p : (f64, f64) -> f64
    dend.yield states(%mn : tensor<3xf64>) emit(%y : f64)
  }
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }

  dend.constant @rec_Win : tensor<320x140xf64> extern "rec_Win"
  dend.constant @rec_Wrec : tensor<320x32xf64> extern "rec_Wrec"
  dend.constant @rec_W1 : tensor<32x10x15xf64> extern "rec_W1"
  dend.constant @rec_b1 : tensor<32x10xf64> extern "rec_b1"
  dend.constant @rec_W2 : tensor<32x5x10xf64> extern "rec_W2"
  dend.constant @rec_b2 : tensor<32x5xf64> extern "rec_b2"
  dend.constant @rec_wr : tensor<32x5xf64> extern "rec_wr"
  dend.constant @rec_b : tensor<32xf64> extern "rec_b"
  dend.constant @rec_km : tensor<5xf64> extern "rec_km"
  dend.constant @rec_gain : tensor<5xf64> extern "rec_gain"
  dend.constant @rec_kr : tensor<f64> extern "rec_kr"
  dend.constant @rec_gain_r : tensor<f64> extern "rec_gain_r"
  dend.constant @ro_Win : tensor<152x32xf64> extern "ro_Win"
  dend.constant @ro_W1 : tensor<19x3x11xf64> extern "ro_W1"
  dend.constant @ro_b1 : tensor<19x3xf64> extern "ro_b1"
  dend.constant @ro_wr : tensor<19x3xf64> extern "ro_wr"
  dend.constant @ro_b : tensor<19xf64> extern "ro_b"
  dend.constant @ro_km : tensor<3xf64> extern "ro_km"
  dend.constant @ro_gain : tensor<3xf64> extern "ro_gain"
  dend.constant @lin_W : tensor<19x19xf64> extern "lin_W"
  dend.constant @lin_b : tensor<19xf64> extern "lin_b"

  dend.population @rec : @recurrent[32] on @step bind {
      W1 = @rec_W1, b1 = @rec_b1, W2 = @rec_W2, b2 = @rec_b2, wr = @rec_wr,
      bias = @rec_b, km = @rec_km, gain = @rec_gain, kr = @rec_kr,
      gain_r = @rec_gain_r}
  dend.population @ro : @readout[19] on @step bind {
      W1 = @ro_W1, b1 = @ro_b1, wr = @ro_wr, bias = @ro_b, km = @ro_km,
      gain = @ro_gain}
  dend.population @out : @linear[19] on @step

  dend.project @u -> @rec["b"] #dend.dense weight @rec_Win delay 0
  dend.project @rec["a"] -> @rec["b"] #dend.dense weight @rec_Wrec delay 1
  dend.project @rec["a"] -> @ro["b"] #dend.dense weight @ro_Win delay 0
  dend.project @ro["y"] -> @out["I"] #dend.dense weight @lin_W bias @lin_b delay 0
  dend.output @scores = @out["y"] decode "last=1"
}
