// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-gauge | FileCheck %s

// CHECK-LABEL: dend.network @n
dend.network @n {
  dend.clock @step
  dend.constant @A : tensor<3xcomplex<f64>> = dense<(0.5, 0.25)> : tensor<3xcomplex<f64>>
  dend.constant @G : tensor<3xcomplex<f64>> = dense<[(2.0, 1.0), (0.0, 0.0), (4.0, 0.0)]> : tensor<3xcomplex<f64>>
  dend.constant @C : tensor<3xcomplex<f64>> = dense<[(1.0, 3.0), (5.0, 6.0), (0.5, 0.0)]> : tensor<3xcomplex<f64>>
  dend.constant @G2 : tensor<2x3xcomplex<f64>> = dense<[[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)], [(4.0, 0.0), (5.0, 0.0), (6.0, 0.0)]]> : tensor<2x3xcomplex<f64>>

  // The last user of @C has it changed in place: see @E.
  // CHECK: @C : tensor<2x3xcomplex<f64>> = dense<{{\[\[}}(1.000000e+00,3.000000e+00), (1.000000e+01,1.200000e+01), (1.500000e+00,0.000000e+00)], [(4.000000e+00,1.200000e+01)
  // C' = C G: (1 + 3i)(2 + i) = -1 + 7i; a mode without input is dead.
  // CHECK: dend.neuron @m
  // CHECK-SAME: params(%A : tensor<3xcomplex<f64>>, %C : tensor<3xcomplex<f64>>)
  // CHECK-NEXT: dend.branch %V, %I A %A C %C act relu :
  dend.neuron @m ports(%I : f64) params(%A : tensor<3xcomplex<f64>>, %G : tensor<3xcomplex<f64>>, %C : tensor<3xcomplex<f64>>)
      states(%V : tensor<3xcomplex<f64>> reset sample) outputs(y : !dend.spike<graded>) {
    %n, %d = dend.branch %V, %I A %A G %G C %C act relu
        : (tensor<3xcomplex<f64>>, f64, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, f64)
    dend.yield states(%n : tensor<3xcomplex<f64>>) emit(%d : f64)
  }
  // CHECK: @P.C : tensor<3xcomplex<f64>> = dense<[(-1.000000e+00,7.000000e+00), (0.000000e+00,0.000000e+00), (2.000000e+00,0.000000e+00)]>
  // CHECK: dend.population @P : @m[2] on @step bind {A = @A, C = @P.C}
  dend.population @P : @m[2] on @step bind {A = @A, G = @G, C = @C}

  // A gain per neuron makes the read-out one per neuron.
  // CHECK: dend.neuron @each
  // CHECK-SAME: %C : tensor<3xcomplex<f64>> per_neuron)
  dend.neuron @each ports(%I : f64) params(%A : tensor<3xcomplex<f64>>, %G : tensor<3xcomplex<f64>> per_neuron, %C : tensor<3xcomplex<f64>>)
      states(%V : tensor<3xcomplex<f64>> reset sample) outputs(y : !dend.spike<graded>) {
    %n, %d = dend.branch %V, %I A %A G %G C %C act relu
        : (tensor<3xcomplex<f64>>, f64, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>) -> (tensor<3xcomplex<f64>>, f64)
    dend.yield states(%n : tensor<3xcomplex<f64>>) emit(%d : f64)
  }
  dend.population @E : @each[2] on @step bind {A = @A, G = @G2, C = @C}

  // A probed state keeps its gauge, and so does one that starts elsewhere.
  // CHECK: dend.neuron @seen
  // CHECK-NEXT: dend.branch %V, %I A %A G %A C %A
  // CHECK: dend.neuron @charged
  // CHECK-NEXT: dend.branch %V, %I A %A G %A C %A
  dend.neuron @seen ports(%I : f64) params(%A : tensor<2xf64>) states(%V : tensor<2xf64> reset sample) {
    %n, %d = dend.branch %V, %I A %A G %A C %A act relu : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
    dend.yield states(%n : tensor<2xf64>)
  }
  dend.neuron @charged ports(%I : f64) params(%A : tensor<2xf64>) states(%V : tensor<2xf64> reset sample init 0.5) {
    %n, %d = dend.branch %V, %I A %A G %A C %A act relu : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
    dend.yield states(%n : tensor<2xf64>)
  }
  dend.constant @half : tensor<2xf64> = dense<0.5> : tensor<2xf64>
  dend.population @S : @seen[1] on @step bind {A = @half}
  dend.population @T : @charged[1] on @step bind {A = @half}
  dend.output @v = probe @S["V"]

  // Two branches that share gain and read-out change together; with different
  // gains neither can.
  // CHECK: dend.neuron @twins
  // CHECK-NEXT: dend.branch %V, %I A %A C %C act relu
  // CHECK-NEXT: dend.branch %U, %I A %A C %C act relu
  // CHECK: dend.neuron @siblings
  // CHECK-NEXT: dend.branch %V, %I A %A G %G C %C act relu
  // CHECK-NEXT: dend.branch %U, %I A %A G %A C %C act relu
  dend.neuron @twins ports(%I : f64) params(%A : tensor<2xf64>, %G : tensor<2xf64>, %C : tensor<2xf64>)
      states(%V : tensor<2xf64> reset sample, %U : tensor<2xf64> reset sample) {
    %n, %d = dend.branch %V, %I A %A G %G C %C act relu : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
    %m, %e = dend.branch %U, %I A %A G %G C %C act relu : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
    dend.yield states(%n, %m : tensor<2xf64>, tensor<2xf64>)
  }
  dend.neuron @siblings ports(%I : f64) params(%A : tensor<2xf64>, %G : tensor<2xf64>, %C : tensor<2xf64>)
      states(%V : tensor<2xf64> reset sample, %U : tensor<2xf64> reset sample) {
    %n, %d = dend.branch %V, %I A %A G %G C %C act relu : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
    %m, %e = dend.branch %U, %I A %A G %A C %C act relu : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
    dend.yield states(%n, %m : tensor<2xf64>, tensor<2xf64>)
  }
  dend.constant @three : tensor<2xf64> = dense<3.0> : tensor<2xf64>
  // CHECK: @U.C : tensor<2xf64> = dense<9.000000e+00>
  // CHECK: dend.population @U : @twins[1] on @step bind {A = @half, C = @U.C}
  dend.population @U : @twins[1] on @step bind {A = @half, G = @three, C = @three}
  dend.population @X : @siblings[1] on @step bind {A = @half, G = @three, C = @three}

  // Without rotation the state is real: Re((1 + 3i)(2 + i)) = -1 is read.
  // CHECK: dend.neuron @straight
  // CHECK-SAME: params(%A : tensor<2xf64>, %C : tensor<2xf64>) states(%V : tensor<2xf64> reset sample)
  // CHECK-NEXT: dend.branch %V, %I A %A C %C act relu : (tensor<2xf64>, f64, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, f64)
  dend.neuron @straight ports(%I : f64) params(%A : tensor<2xcomplex<f64>>, %G : tensor<2xcomplex<f64>>, %C : tensor<2xcomplex<f64>>)
      states(%V : tensor<2xcomplex<f64>> reset sample) outputs(y : !dend.spike<graded>) {
    %n, %d = dend.branch %V, %I A %A G %G C %C act relu
        : (tensor<2xcomplex<f64>>, f64, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, f64)
    dend.yield states(%n : tensor<2xcomplex<f64>>) emit(%d : f64)
  }
  dend.constant @RA : tensor<2xcomplex<f64>> = dense<[(0.5, 0.0), (0.25, 0.0)]> : tensor<2xcomplex<f64>>
  dend.constant @RG : tensor<2xcomplex<f64>> = dense<[(2.0, 1.0), (4.0, 0.0)]> : tensor<2xcomplex<f64>>
  dend.constant @RC : tensor<2xcomplex<f64>> = dense<[(1.0, 3.0), (0.5, 7.0)]> : tensor<2xcomplex<f64>>
  // CHECK: @RA : tensor<2xf64> = dense<[5.000000e-01, 2.500000e-01]>
  // CHECK: @RC : tensor<2xf64> = dense<[-1.000000e+00, 2.000000e+00]>
  dend.population @Y : @straight[2] on @step bind {A = @RA, G = @RG, C = @RC}
}
