// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-rank-d | FileCheck %s

// CHECK-LABEL: dend.network @n attributes {rewrites = [#report.rewrite<
// CHECK-SAME: detail = "the dendrite of '@A', 3 compartments 'u', is gone: 'z' of 2 numbers stands for it, u = W z with the weights W of its key; read-out into '@S': 6 synaptic operations per tick become 4, 1.5 times fewer; the gauge of z is free"
// CHECK-SAME: neurons_before = 3, neurons_after = 3
// CHECK-SAME: synapses_before = 22, synapses_after = 18>]}
dend.network @n {
  dend.clock @t
  dend.input @tok on @t : tensor<4xf64> as !dend.spike<graded>
  // CHECK: dend.neuron @A.apical
  // CHECK-SAME: ports(%a : tensor<2xf64>, %y : f64, %a_gram : tensor<2xf64>)
  // CHECK-SAME: states(%z : tensor<2xf64> reset sample)
  // CHECK-SAME: outputs(z[2] : !dend.spike<graded>)
  // CHECK-NEXT: %[[P:.*]] = dend.dot %z, %a_gram
  // CHECK-NEXT: dend.delta_rule %z key %a target %y prediction %[[P]]
  // CHECK: emit(%z : tensor<2xf64>)
  dend.neuron @apical ports(%a : tensor<3xf64>, %y : f64) params(%keep : f64, %rate : f64)
      states(%u : tensor<3xf64> reset sample) outputs(u[3] : !dend.spike<graded>) {
    %yhat = dend.dot %u, %a : (tensor<3xf64>, tensor<3xf64>) -> f64
    %un = dend.delta_rule %u key %a target %y prediction %yhat keep %keep rate %rate
        : (tensor<3xf64>, tensor<3xf64>, f64, f64, f64, f64) -> tensor<3xf64>
    dend.yield states(%un : tensor<3xf64>) emit(%u : tensor<3xf64>)
  }
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.constant @half : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @W : tensor<3x4xf64> = dense<[[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, 1.0, 0.0], [3.0, 0.0, 0.0, 0.0]]> : tensor<3x4xf64>
  dend.constant @Y : tensor<1x4xf64> = dense<[[0.0, 0.0, 0.0, 1.0]]> : tensor<1x4xf64>
  dend.constant @V : tensor<2x3xf64> = dense<[[1.0, 10.0, 100.0], [0.0, 1.0, 0.0]]> : tensor<2x3xf64>
  dend.constant @b : tensor<2xf64> = dense<1.0> : tensor<2xf64>

  // Columns 0 and 2 of W are not zero: W^T W = [[10, 2], [2, 5]] there.
  // CHECK-NOT: dend.neuron @apical
  // CHECK: dend.constant @A.gram : tensor<2x4xf64> = dense<{{\[\[}}1.000000e+01, 0.000000e+00, 2.000000e+00, 0.000000e+00], [2.000000e+00, 0.000000e+00, 5.000000e+00, 0.000000e+00]]>
  // CHECK: dend.constant @A.ones : tensor<2xf64> = dense<1.000000e+00>
  // CHECK: dend.constant @A.chosen : tensor<2x2xi32> = dense<{{\[\[}}0, 0], [1, 2]]>
  // V W
  // CHECK: dend.constant @S.A : tensor<2x2xf64> = dense<{{\[\[}}3.010000e+02, 1.200000e+01], [0.000000e+00, 1.000000e+00]]>
  dend.population @A : @apical[1] on @t bind {keep = @half, rate = @half}
  dend.population @S : @linear[2] on @t
  // CHECK: dend.project @tok -> @A["a_gram"] #dend.dense weight @A.gram delay 1
  // CHECK: dend.project @tok -> @A["a"] #dend.sparse weight @A.ones indices @A.chosen delay 1
  // CHECK: dend.project @A["z"] -> @S["I"] #dend.dense weight @S.A bias @b
  dend.project @tok -> @A["a"] #dend.dense weight @W delay 1
  dend.project @tok -> @A["y"] #dend.dense weight @Y delay 0
  dend.project @A["u"] -> @S["I"] #dend.dense weight @V bias @b delay 0
  dend.output @out = @S["y"]
}
