// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-dead-units | FileCheck %s

!v = !dend.fx<24, 0>

// CHECK-LABEL: dend.network @n
// CHECK-SAME: detail = "3 of 5 neurons of '@A' removed: 2 proved dead by integer bounds for any input, 1 only seen silent on 7 samples; the others are renumbered in their order"
// CHECK-SAME: removed_ids = "0-1, 4"
// CHECK-SAME: detail = "2 of 3 neurons of '@B' removed: 2 proved dead by integer bounds for any input; neuron 0 is dead too and stays, a population has one at least
dend.network @n {
  dend.clock @t
  dend.input @x on @t : tensor<2xf64> as !dend.spike<int, -1, 3>
  dend.neuron @m ports(%I : !v) params(%theta : !v per_neuron)
      states(%v : !v reset sample) outputs(s : !dend.spike<binary>) {
    %down = dend.literal 1 : i64 as !dend.fx<2, -1>
    %part = dend.mul %v, %down : (!v, !dend.fx<2, -1>) -> !dend.fx<26, -1>
    %left = dend.rescale %part round floor overflow wrap : (!dend.fx<26, -1>) -> !v
    %w = dend.add %left, %I : (!v, !v) -> !v
    %s, %next = dend.fire %w, %theta reset subtract : (!v, !v) -> (i1, !v)
    dend.yield states(%next : !v) emit(%s : i1)
  }
  // v' = floor(v / 2) + I: with 3 * 10 in every tick v reaches 59 and no more.
  // That is below neuron 0's threshold and not neuron 2's; 1 has no input, 3 has
  // a bias, 4 might fire but was not seen to.
  dend.constant @theta : tensor<5xi32> = dense<[60, 0, 58, 60, 9]> : tensor<5xi32>
  dend.constant @W : tensor<5x2xi8> = dense<[[10, 0], [0, 0], [10, 0], [10, 0], [0, 5]]> : tensor<5x2xi8>
  dend.constant @b : tensor<5xi32> = dense<[0, 0, 0, 1, 0]> : tensor<5xi32>
  // CHECK-DAG: @A.theta : tensor<2xi32> = dense<[58, 60]>
  // CHECK-DAG: @A.I.x.W : tensor<2x2xi8> = dense<{{\[\[}}10, 0], [10, 0]]>
  // CHECK-DAG: @A.I.x.b : tensor<2xi32> = dense<[0, 1]>
  // CHECK-DAG: @out.I.A.W : tensor<2x2xi8> = dense<{{\[\[}}2, 3], [7, 8]]>
  // CHECK: dend.population @A : @m[2] on @t bind {theta = @A.theta} {removed = array<i64: 0, 1, 4>}
  dend.population @A : @m[5] on @t bind {theta = @theta} {silent = array<i64: 0, 1, 4>, silent_samples = 7 : i64}
  // Without neurons 0 and 1 of @A, which are proved, none of @B can fire. The one
  // that stays has a synapse of @A's neuron 2, and what it feeds keeps its bias.
  // CHECK-DAG: @[[F:B.I.A.W[_0-9]*]] : tensor<1xi8> = dense<1>
  // CHECK-DAG: @[[AT:B.I.A.at[_0-9]*]] : tensor<1x2xi32> = dense<0>
  // CHECK-DAG: @out.I.B.W : tensor<2x1xi8> = dense<{{\[\[}}1], [4]]>
  // CHECK-DAG: @out.I.B.b : tensor<2xi32> = dense<[7, -7]>
  // CHECK: dend.population @B : @m[1] on @t
  // CHECK: dend.project @A -> @B["I"] #dend.sparse weight @[[F]] indices @[[AT]]
  // CHECK-NEXT: dend.project @A -> @out["I"] #dend.dense weight @out.I.A.W delay 1
  // CHECK-NEXT: dend.project @B -> @out["I"] #dend.dense weight @out.I.B.W bias @out.I.B.b
  dend.constant @theta3 : tensor<3xi32> = dense<[90, 90, 90]> : tensor<3xi32>
  dend.constant @F : tensor<6xi8> = dense<[100, 100, 100, 1, 2, 3]> : tensor<6xi8>
  dend.constant @at : tensor<6x2xi32> = dense<[[0, 0], [1, 1], [2, 1], [0, 2], [1, 2], [2, 3]]> : tensor<6x2xi32>
  dend.population @B : @m[3] on @t bind {theta = @theta3}
  dend.neuron @sum ports(%I : !v) outputs(y : !dend.spike<int, -8, 7>) {
    dend.yield emit(%I : !v)
  }
  dend.population @out : @sum[2] on @t
  dend.constant @R : tensor<2x5xi8> = dense<[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]]> : tensor<2x5xi8>
  dend.constant @D : tensor<2x3xi8> = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  dend.constant @c : tensor<2xi32> = dense<[7, -7]> : tensor<2xi32>
  dend.project @x -> @A["I"] #dend.dense weight @W bias @b delay 0
  dend.project @A -> @B["I"] #dend.sparse weight @F indices @at delay 0
  dend.project @A -> @out["I"] #dend.dense weight @R delay 1
  dend.project @B -> @out["I"] #dend.dense weight @D bias @c delay 0
  dend.output @y = @out["y"]
}
