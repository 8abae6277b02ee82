// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-diagonalise | FileCheck %s

// CHECK-LABEL: dend.network @n
dend.network @n {
  dend.clock @step
  // T = [[-2, 1], [1, -2]] has modes -1 and -3: with dt = ln 2 the decays are
  // 1/2 and 1/8. The spectrum is real, and so is the branch.
  // CHECK: dend.neuron @chain
  // CHECK-SAME: params(%go : f64, %V.A : tensor<2xf64>, %V.G : tensor<2xf64>, %V.C : tensor<2xf64>) states(%V : tensor<2xf64> reset sample)
  // CHECK-NEXT: dend.branch %V, %I A %V.A G %V.G C %V.C direct %go act relu for [0, 2] : (tensor<2xf64>, f64,
  dend.neuron @chain ports(%I : f64)
      params(%diag : tensor<2xf64>, %link : tensor<1xf64>, %gamma : tensor<2xf64>, %dt : f64, %go : f64)
      states(%V : tensor<2xf64> reset sample) outputs(y : !dend.spike<graded>) {
    %next, %d = dend.cable %V, %I diag %diag lower %link upper %link gamma %gamma dt %dt direct %go act relu for [0, 2]
        : (tensor<2xf64>, f64, tensor<2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<2xf64>, f64, f64) -> (tensor<2xf64>, f64)
    dend.yield states(%next : tensor<2xf64>) emit(%d : f64)
  }
  dend.constant @diag : tensor<2xf64> = dense<-2.0> : tensor<2xf64>
  dend.constant @link : tensor<1xf64> = dense<1.0> : tensor<1xf64>
  dend.constant @gamma : tensor<2xf64> = dense<[1.0, 0.0]> : tensor<2xf64>
  dend.constant @dt : tensor<f64> = dense<0.6931471805599453> : tensor<f64>
  dend.constant @go : tensor<f64> = dense<0.5> : tensor<f64>
  // CHECK-NOT: @diag
  // CHECK: @P.V.A : tensor<2xf64> = dense<[0.1250000000{{[0-9]*}}, 0.5000000000{{[0-9]*}}]>
  // CHECK: dend.population @P : @chain[3] on @step bind {V.A = @P.V.A, V.C = @P.V.C, V.G = @P.V.G, go = @go}
  dend.population @P : @chain[3] on @step bind {diag = @diag, link = @link, gamma = @gamma, dt = @dt, go = @go}

  // Links of opposite signs: modes -1 + i and -1 - i.
  // CHECK: dend.neuron @turning
  // CHECK-SAME: %V.A : tensor<2xcomplex<f64>>
  // CHECK-SAME: states(%V : tensor<2xcomplex<f64>> reset sample)
  // CHECK-NEXT: dend.branch %V, %I A %V.A G %V.G C %V.C act identity : (tensor<2xcomplex<f64>>, f64,
  dend.neuron @turning ports(%I : f64)
      params(%diag : tensor<2xf64>, %lower : tensor<1xf64>, %upper : tensor<1xf64>, %gamma : tensor<2xf64>, %dt : f64)
      states(%V : tensor<2xf64> reset sample) outputs(y : !dend.spike<graded>) {
    %next, %d = dend.cable %V, %I diag %diag lower %lower upper %upper gamma %gamma dt %dt act identity
        : (tensor<2xf64>, f64, tensor<2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<2xf64>, f64) -> (tensor<2xf64>, f64)
    dend.yield states(%next : tensor<2xf64>) emit(%d : f64)
  }
  dend.constant @leak : tensor<2xf64> = dense<-1.0> : tensor<2xf64>
  dend.constant @back : tensor<1xf64> = dense<-1.0> : tensor<1xf64>
  dend.constant @T : tensor<2xf64> = dense<[1.0, 0.5]> : tensor<2xf64>
  dend.population @Q : @turning[1] on @step bind {diag = @leak, lower = @link1, upper = @back, gamma = @T, dt = @dt1}
  dend.constant @link1 : tensor<1xf64> = dense<1.0> : tensor<1xf64>
  dend.constant @dt1 : tensor<f64> = dense<0.5> : tensor<f64>

  // The voltages of a probed cable must stay.
  // CHECK: dend.neuron @seen
  // CHECK-NEXT: dend.cable
  dend.neuron @seen ports(%I : f64) params(%diag : tensor<1xf64>, %dt : f64) states(%V : tensor<1xf64> reset sample) {
    %next, %d = dend.cable %V, %I diag %diag gamma %diag dt %dt act identity
        : (tensor<1xf64>, f64, tensor<1xf64>, tensor<1xf64>, f64) -> (tensor<1xf64>, f64)
    dend.yield states(%next : tensor<1xf64>)
  }
  dend.constant @one : tensor<1xf64> = dense<-1.0> : tensor<1xf64>
  dend.population @R : @seen[1] on @step bind {diag = @one, dt = @dt1}
  dend.output @v = probe @R["V"]
}
