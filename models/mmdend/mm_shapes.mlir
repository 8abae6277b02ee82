// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MMDEND (models/mmdend/README.md): two layers of 128 channels, 4 branches of 8
// complex compartments over overlapping channel ranges, integer spikes.
dend.network @mm_shapes {
  dend.clock @step
  dend.input @x on @step : tensor<32xf64> as !dend.spike<graded>

  dend.neuron @mmdend ports(%I : f64)
      params(%A0 : tensor<8xcomplex<f64>>, %G0 : tensor<8xcomplex<f64>>,
          %C0 : tensor<8xcomplex<f64>>, %go0 : f64,
          %A1 : tensor<8xcomplex<f64>>, %G1 : tensor<8xcomplex<f64>>,
          %C1 : tensor<8xcomplex<f64>>, %go1 : f64,
          %A2 : tensor<8xcomplex<f64>>, %G2 : tensor<8xcomplex<f64>>,
          %C2 : tensor<8xcomplex<f64>>, %go2 : f64,
          %A3 : tensor<8xcomplex<f64>>, %G3 : tensor<8xcomplex<f64>>,
          %C3 : tensor<8xcomplex<f64>>, %go3 : f64,
          %join : tensor<4xf64>, %beta : f64, %alpha : f64, %gs : f64,
          %phi_p : f64, %phi_s : f64)
      states(%V0 : tensor<8xcomplex<f64>> reset sample,
          %V1 : tensor<8xcomplex<f64>> reset sample,
          %V2 : tensor<8xcomplex<f64>> reset sample,
          %V3 : tensor<8xcomplex<f64>> reset sample,
          %Vs : f64 reset sample)
      outputs(s : !dend.spike<int, -4, 4>) {
    %V0n, %d0 = dend.branch %V0, %I A %A0 G %G0 C %C0 direct %go0
        act relu for [0, 56]
        : (tensor<8xcomplex<f64>>, f64, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, f64) -> (tensor<8xcomplex<f64>>, f64)
    %V1n, %d1 = dend.branch %V1, %I A %A1 G %G1 C %C1 direct %go1
        act relu for [24, 80]
        : (tensor<8xcomplex<f64>>, f64, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, f64) -> (tensor<8xcomplex<f64>>, f64)
    %V2n, %d2 = dend.branch %V2, %I A %A2 G %G2 C %C2 direct %go2
        act relu for [48, 104]
        : (tensor<8xcomplex<f64>>, f64, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, f64) -> (tensor<8xcomplex<f64>>, f64)
    %V3n, %d3 = dend.branch %V3, %I A %A3 G %G3 C %C3 direct %go3
        act relu for [72, 128]
        : (tensor<8xcomplex<f64>>, f64, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, f64) -> (tensor<8xcomplex<f64>>, f64)
    %d = dend.join sum(%d0, %d1, %d2, %d3) weights %join
        : (f64, f64, f64, f64, tensor<4xf64>) -> f64
    %Vsn = dend.soma %Vs, %d, %I keep %beta gain %alpha feed %gs
        : (f64, f64, f64, f64, f64, f64) -> f64
    %s = dend.ssf %Vsn shift %phi_p scale %phi_s vth 1.0 u 4.0
        : (f64, f64, f64) -> i32
    dend.yield states(%V0n, %V1n, %V2n, %V3n, %Vsn
        : tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>,
          tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, f64) emit(%s : i32)
  }
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }

  dend.constant @L0.A0 : tensor<8xcomplex<f64>> extern "A0" at [0]
  dend.constant @L0.G0 : tensor<8xcomplex<f64>> extern "G0" at [0]
  dend.constant @L0.C0 : tensor<8xcomplex<f64>> extern "C0" at [0]
  dend.constant @L0.go0 : tensor<f64> extern "go0" at [0]
  dend.constant @L0.A1 : tensor<8xcomplex<f64>> extern "A0" at [1]
  dend.constant @L0.G1 : tensor<8xcomplex<f64>> extern "G0" at [1]
  dend.constant @L0.C1 : tensor<8xcomplex<f64>> extern "C0" at [1]
  dend.constant @L0.go1 : tensor<f64> extern "go0" at [1]
  dend.constant @L0.A2 : tensor<8xcomplex<f64>> extern "A0" at [2]
  dend.constant @L0.G2 : tensor<8xcomplex<f64>> extern "G0" at [2]
  dend.constant @L0.C2 : tensor<8xcomplex<f64>> extern "C0" at [2]
  dend.constant @L0.go2 : tensor<f64> extern "go0" at [2]
  dend.constant @L0.A3 : tensor<8xcomplex<f64>> extern "A0" at [3]
  dend.constant @L0.G3 : tensor<8xcomplex<f64>> extern "G0" at [3]
  dend.constant @L0.C3 : tensor<8xcomplex<f64>> extern "C0" at [3]
  dend.constant @L0.go3 : tensor<f64> extern "go0" at [3]
  dend.constant @L0.join : tensor<4xf64> extern "join0"
  dend.constant @L0.beta : tensor<f64> extern "beta0"
  dend.constant @L0.alpha : tensor<f64> extern "alpha0"
  dend.constant @L0.gs : tensor<f64> extern "gs0"
  dend.constant @L0.phi_p : tensor<f64> extern "phi_p0"
  dend.constant @L0.phi_s : tensor<f64> extern "phi_s0"
  dend.population @L0 : @mmdend[128] on @step bind {
      A0 = @L0.A0, G0 = @L0.G0, C0 = @L0.C0, go0 = @L0.go0,
      A1 = @L0.A1, G1 = @L0.G1, C1 = @L0.C1, go1 = @L0.go1,
      A2 = @L0.A2, G2 = @L0.G2, C2 = @L0.C2, go2 = @L0.go2,
      A3 = @L0.A3, G3 = @L0.G3, C3 = @L0.C3, go3 = @L0.go3,
      join = @L0.join, beta = @L0.beta, alpha = @L0.alpha, gs = @L0.gs,
      phi_p = @L0.phi_p, phi_s = @L0.phi_s}

  dend.constant @L1.A0 : tensor<8xcomplex<f64>> extern "A1" at [0]
  dend.constant @L1.G0 : tensor<8xcomplex<f64>> extern "G1" at [0]
  dend.constant @L1.C0 : tensor<8xcomplex<f64>> extern "C1" at [0]
  dend.constant @L1.go0 : tensor<f64> extern "go1" at [0]
  dend.constant @L1.A1 : tensor<8xcomplex<f64>> extern "A1" at [1]
  dend.constant @L1.G1 : tensor<8xcomplex<f64>> extern "G1" at [1]
  dend.constant @L1.C1 : tensor<8xcomplex<f64>> extern "C1" at [1]
  dend.constant @L1.go1 : tensor<f64> extern "go1" at [1]
  dend.constant @L1.A2 : tensor<8xcomplex<f64>> extern "A1" at [2]
  dend.constant @L1.G2 : tensor<8xcomplex<f64>> extern "G1" at [2]
  dend.constant @L1.C2 : tensor<8xcomplex<f64>> extern "C1" at [2]
  dend.constant @L1.go2 : tensor<f64> extern "go1" at [2]
  dend.constant @L1.A3 : tensor<8xcomplex<f64>> extern "A1" at [3]
  dend.constant @L1.G3 : tensor<8xcomplex<f64>> extern "G1" at [3]
  dend.constant @L1.C3 : tensor<8xcomplex<f64>> extern "C1" at [3]
  dend.constant @L1.go3 : tensor<f64> extern "go1" at [3]
  dend.constant @L1.join : tensor<4xf64> extern "join1"
  dend.constant @L1.beta : tensor<f64> extern "beta1"
  dend.constant @L1.alpha : tensor<f64> extern "alpha1"
  dend.constant @L1.gs : tensor<f64> extern "gs1"
  dend.constant @L1.phi_p : tensor<f64> extern "phi_p1"
  dend.constant @L1.phi_s : tensor<f64> extern "phi_s1"
  dend.population @L1 : @mmdend[128] on @step bind {
      A0 = @L1.A0, G0 = @L1.G0, C0 = @L1.C0, go0 = @L1.go0,
      A1 = @L1.A1, G1 = @L1.G1, C1 = @L1.C1, go1 = @L1.go1,
      A2 = @L1.A2, G2 = @L1.G2, C2 = @L1.C2, go2 = @L1.go2,
      A3 = @L1.A3, G3 = @L1.G3, C3 = @L1.C3, go3 = @L1.go3,
      join = @L1.join, beta = @L1.beta, alpha = @L1.alpha, gs = @L1.gs,
      phi_p = @L1.phi_p, phi_s = @L1.phi_s}

  dend.constant @W0 : tensor<128x32xf64> extern "W0"
  dend.constant @b0 : tensor<128xf64> extern "b0"
  dend.constant @W1 : tensor<128x128xf64> extern "W1"
  dend.constant @b1 : tensor<128xf64> extern "b1"
  dend.constant @Wout : tensor<10x128xf64> extern "Wout"
  dend.constant @bout : tensor<10xf64> extern "bout"
  dend.population @out : @linear[10] on @step
  dend.project @x -> @L0["I"] #dend.dense weight @W0 bias @b0 delay 0
  dend.project @L0["s"] -> @L1["I"] #dend.dense weight @W1 bias @b1 delay 0
  dend.project @L1["s"] -> @out["I"] #dend.dense weight @Wout bias @bout delay 0
  dend.output @logits = @out["y"]
}
