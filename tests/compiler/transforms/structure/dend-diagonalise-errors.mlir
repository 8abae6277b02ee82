// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-diagonalise --verify-diagnostics

dend.network @n {
  dend.clock @step
  dend.neuron @chain ports(%I : f64)
      params(%diag : tensor<2xf64>, %lower : tensor<1xf64>, %upper : tensor<1xf64>, %dt : f64)
      states(%V2 : tensor<2xf64> reset sample) {
    %next, %d = dend.cable %V2, %I diag %diag lower %lower upper %upper gamma %diag dt %dt act relu
        : (tensor<2xf64>, f64, tensor<2xf64>, tensor<1xf64>, tensor<1xf64>, tensor<2xf64>, f64) -> (tensor<2xf64>, f64)
    dend.yield states(%next : tensor<2xf64>)
  }
  dend.constant @diag : tensor<2xf64> = dense<-2.0> : tensor<2xf64>
  dend.constant @one : tensor<1xf64> = dense<1.0> : tensor<1xf64>
  dend.constant @dt : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @good : @chain[1] on @step bind {diag = @diag, lower = @one, upper = @one, dt = @dt}
  // Both compartments have one time constant and current flows one way: T has
  // one eigenvector only.
  // expected-error@+1 {{@P, branch of state 'V2': the eigenvectors of the cable have condition number 3.333333e+07, expected at most 1.000000e+03}}
  dend.population @P : @chain[1] on @step bind {diag = @diag, lower = @one, upper = @nearly, dt = @dt}
  dend.constant @nearly : tensor<1xf64> = dense<-9.0e-16> : tensor<1xf64>
}
