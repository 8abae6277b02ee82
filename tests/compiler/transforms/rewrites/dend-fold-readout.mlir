// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-fold-readout | FileCheck %s

// CHECK-LABEL: dend.network @n attributes {rewrites = [#report.rewrite<
// CHECK-SAME: rewrite = "fold-readout", population = "mid", detail = "'@mid', 2 linear neurons, is composed into the weights of '@out': 13 synapses become 6"
// CHECK-SAME: neurons_before = 6, neurons_after = 4, synapses_before = 13, synapses_after = 6>]}
dend.network @n {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.input @x on @token : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.neuron @lif ports(%I : f64) states(%v : f64 reset @token) outputs(s : !dend.spike<binary>) {
    %one = dend.literal 1.0 : f64 as f64
    %s, %w = dend.fire %I, %one reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%w : f64) emit(%s : i1)
  }
  dend.constant @W1 : tensor<2x3xf64> = dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf64>
  dend.constant @b1 : tensor<2xf64> = dense<[0.5, -1.0]> : tensor<2xf64>
  dend.constant @W2 : tensor<1x2xf64> = dense<[[10.0, 1.0]]> : tensor<1x2xf64>
  dend.constant @b2 : tensor<1xf64> = dense<0.25> : tensor<1xf64>
  dend.constant @X : tensor<2x2xf64> = dense<[[1.0, 0.0], [0.0, 2.0]]> : tensor<2x2xf64>
  dend.constant @ones : tensor<1xf64> = dense<1.0> : tensor<1xf64>
  dend.constant @at : tensor<1x2xi32> = dense<[[0, 1]]> : tensor<1x2xi32>

  // The spikes of the micro ticks add up in @out now; both sources go to it.
  // CHECK-NOT: @mid
  // CHECK: dend.project @fast -> @out["I"] #dend.dense weight @[[WF:.*]] bias @[[B:.*]] delay 2
  // CHECK-NEXT: dend.project @x -> @out["I"] #dend.dense weight @[[WX:out.mid.W[_0-9]*]]
  // CHECK-NEXT: @[[WF]] : tensor<1x3xf64> = dense<{{\[\[}}1.400000e+01, 2.500000e+01, 3.600000e+01]]>
  // CHECK-NEXT: @[[WX]] : tensor<1x2xf64> = dense<{{\[\[}}1.000000e+01, 2.000000e+00]]>
  // 10 * 0.5 - 1 + 0.25
  // CHECK-NEXT: @[[B]] : tensor<1xf64> = dense<4.250000e+00>
  // CHECK-NOT: @mid
  dend.population @fast : @lif[3] on @micro
  dend.population @mid : @linear[2] on @token
  dend.population @out : @linear[1] on @token
  dend.project @fast -> @mid["I"] #dend.dense weight @W1 bias @b1 delay 2
  dend.project @x -> @mid["I"] #dend.dense weight @X delay 0
  dend.project @mid -> @out["I"] #dend.dense weight @W2 bias @b2 delay 0
  dend.project @x -> @out["I"] #dend.sparse weight @ones indices @at delay 0
  dend.output @y = @out["y"]
}

// A chain goes in one pass, with its delays.
// CHECK-LABEL: dend.network @chain
// CHECK-SAME: 3 synapses become 2
// CHECK: dend.project @x -> @c["I"] #dend.dense weight @[[W:.*]] delay 6
// CHECK-NEXT: @[[W]] : tensor<1x1xf64> = dense<-6.000000e+00>
dend.network @chain {
  dend.clock @t
  dend.input @x on @t : tensor<1xf64> as !dend.spike<graded>
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.constant @W : tensor<1x1xf64> = dense<2.0> : tensor<1x1xf64>
  dend.constant @V : tensor<1x1xf64> = dense<-3.0> : tensor<1x1xf64>
  dend.population @a : @linear[1] on @t
  dend.population @b : @linear[1] on @t
  dend.population @c : @linear[1] on @t
  dend.project @x -> @a["I"] #dend.dense weight @W delay 1
  dend.project @a -> @b["I"] #dend.diagonal delay 2
  dend.project @b -> @c["I"] #dend.dense weight @V delay 3
  dend.output @y = @c["y"]
}
