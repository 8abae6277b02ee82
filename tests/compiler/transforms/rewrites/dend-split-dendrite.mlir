// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --pass-pipeline='builtin.module(dend.network(dend-split-dendrite{parts=2+1}))' | FileCheck %s

// CHECK-LABEL: dend.network @n
dend.network @n {
  dend.clock @t
  dend.input @x on @t : tensor<2xf64> as !dend.spike<int, -40, 40>
  dend.constant @W : tensor<3x2xi16> = dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi16>
  dend.constant @Y : tensor<1x2xi16> = dense<[[7, 8]]> : tensor<1x2xi16>
  dend.constant @R : tensor<2x3xi16> = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi16>
  dend.constant @b : tensor<2xi64> = dense<[5, 6]> : tensor<2xi64>
  dend.constant @alpha : tensor<i32> = dense<11> : tensor<i32>

  // The pending update first, then what this tick needs of it. A parameter
  // that a model does not read is not bound to it.
  // CHECK: dend.neuron @D.part2 ports(%a : tensor<2x!dend.fx<8, 0>>, %decision0 : !dend.fx<9, 0>) params(%alpha : !dend.fx<5, 0>)
  // CHECK-SAME: states(%u : tensor<2x!dend.fx<8, 0>> reset sample, %a.kept : tensor<2x!dend.fx<8, 0>> reset sample)
  // CHECK-SAME: outputs(u[2] : !dend.spike<int, -128, 127>, sum0 : !dend.spike<int, -256, 255>)
  // CHECK-NEXT: %[[K:.*]] = dend.mul %alpha, %u
  // CHECK-NEXT: %[[KS:.*]] = dend.rescale %[[K]]
  // CHECK-NEXT: %[[G:.*]] = dend.mul %decision0, %a.kept
  // CHECK-NEXT: %[[GS:.*]] = dend.rescale %[[G]]
  // CHECK-NEXT: %[[U:.*]] = dend.add %[[KS]], %[[GS]]
  // CHECK-NEXT: %[[P:.*]] = dend.dot %[[U]], %a {{.*}} -> !dend.fx<9, 0>
  // CHECK-NEXT: dend.yield states(%[[U]], %a : {{.*}}) emit(%[[U]], %[[P]] :
  // CHECK: dend.neuron @D.predict ports(%y : !dend.fx<9, 0>, %sum0 : !dend.fx<9, 0>) outputs(decision0 : !dend.spike<int, -256, 255>)
  // CHECK-NEXT: %[[E:.*]] = dend.sub %y, %sum0
  // CHECK-NEXT: dend.yield emit(%[[E]] :
  // CHECK-DAG: dend.population @D.0 : @D.part2[1] on @t bind {alpha = @alpha}
  // CHECK-DAG: dend.population @D.1 : @D.part1[1] on @t bind {alpha = @alpha}
  // CHECK-DAG: dend.population @D.predictor : @D.predict[1] on @t
  // Rows of what comes in, columns of what goes out; a bias counts once.
  // CHECK-DAG: @W.0 : tensor<2x2xi16> = dense<{{\[\[}}1, 2], [3, 4]]>
  // CHECK-DAG: @W.1 : tensor<1x2xi16> = dense<{{\[\[}}5, 6]]>
  // CHECK-DAG: @R.0 : tensor<2x2xi16> = dense<{{\[\[}}1, 2], [4, 5]]>
  // CHECK-DAG: @R.1 : tensor<2x1xi16> = dense<{{\[\[}}3], [6]]>
  // CHECK-NOT: dend.constant @W :
  // CHECK-DAG: dend.project @x -> @D.0["a"] #dend.dense weight @W.0 delay 1 shift 1
  // CHECK-DAG: dend.project @x -> @D.1["a"] #dend.dense weight @W.1 delay 1 shift 1
  // CHECK-DAG: dend.project @x -> @D.predictor["y"] #dend.dense weight @Y
  // CHECK-DAG: dend.project @D.0["u"] -> @S["I"] #dend.dense weight @R.0 bias @b
  // CHECK-DAG: dend.project @D.1["u"] -> @S["I"] #dend.dense weight @R.1{{$}}
  // CHECK-DAG: dend.project @D.0["sum0"] -> @D.predictor["sum0"] #dend.dense weight @D.one{{$}}
  // CHECK-DAG: dend.project @D.predictor["decision0"] -> @D.1["decision0"] #dend.dense weight @D.one delay 1
  // CHECK-NOT: @wide
  dend.neuron @wide ports(%a : tensor<3x!dend.fx<8, 0>>, %y : !dend.fx<9, 0>) params(%alpha : !dend.fx<5, 0>)
      states(%u : tensor<3x!dend.fx<8, 0>> reset sample) outputs(u[3] : !dend.spike<int, -128, 127>) {
    %p = dend.dot %u, %a round nearest_even : (tensor<3x!dend.fx<8, 0>>, tensor<3x!dend.fx<8, 0>>) -> !dend.fx<9, 0>
    %e = dend.sub %y, %p overflow saturate : (!dend.fx<9, 0>, !dend.fx<9, 0>) -> !dend.fx<9, 0>
    %g = dend.mul %e, %a : (!dend.fx<9, 0>, tensor<3x!dend.fx<8, 0>>) -> tensor<3x!dend.fx<17, 0>>
    %gs = dend.rescale %g round floor overflow saturate : (tensor<3x!dend.fx<17, 0>>) -> tensor<3x!dend.fx<8, 0>>
    %k = dend.mul %alpha, %u : (!dend.fx<5, 0>, tensor<3x!dend.fx<8, 0>>) -> tensor<3x!dend.fx<13, 0>>
    %ks = dend.rescale %k round floor overflow saturate : (tensor<3x!dend.fx<13, 0>>) -> tensor<3x!dend.fx<8, 0>>
    %n = dend.add %ks, %gs overflow saturate : (tensor<3x!dend.fx<8, 0>>, tensor<3x!dend.fx<8, 0>>) -> tensor<3x!dend.fx<8, 0>>
    dend.yield states(%n : tensor<3x!dend.fx<8, 0>>) emit(%u : tensor<3x!dend.fx<8, 0>>)
  }
  dend.neuron @sum ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample) {
    dend.yield states(%I : !dend.fx<24, 0>)
  }
  dend.population @D : @wide[1] on @t bind {alpha = @alpha}
  dend.population @S : @sum[2] on @t
  dend.project @x -> @D["a"] #dend.dense weight @W delay 1 shift 1
  dend.project @x -> @D["y"] #dend.dense weight @Y
  dend.project @D["u"] -> @S["I"] #dend.dense weight @R bias @b
}
