// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/NeuronSyntax.cpp.
// Neuron models: every part of the custom syntax.
// RUN: dendrolith-opt %s | FileCheck %s
// RUN: dendrolith-opt %s | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --emit-bytecode | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --mlir-print-op-generic | dendrolith-opt | FileCheck %s

dend.network @net {
  dend.clock @token
  dend.clock @micro divides @token by 4
  dend.constant @start : tensor<2x3xf64> = dense<0.0> : tensor<2x3xf64>

  // Nothing but a body.
  // CHECK: dend.neuron @empty {
  // CHECK-NEXT: dend.yield
  dend.neuron @empty {
    dend.yield
  }
  // CHECK: dend.neuron @all ports(%I : f64 hold @token, %M : tensor<2x3xf64>)
  // CHECK-SAME: params(%keep : f64, %theta : f64 per_neuron)
  // CHECK-SAME: states(%v : f64 reset sample init 5.000000e-01, %w : tensor<3xf64> reset @token init @start, %n : i32 reset never init 7, %f : !dend.fx<16, -4> reset sample init -3)
  // CHECK-SAME: outputs(s : !dend.spike<binary>, u[3] : !dend.spike<graded>, k : !dend.spike<int, -4, 4>, g : !dend.spike<unary, 2>)
  dend.neuron @all ports(%I : f64 hold @token, %M : tensor<2x3xf64>)
      params(%keep : f64, %theta : f64 per_neuron)
      states(%v : f64 reset sample init 0.5, %w : tensor<3xf64> reset @token init @start,
             %n : i32 reset never init 7, %f : !dend.fx<16, -4> reset sample init -3)
      outputs(s : !dend.spike<binary>, u[3] : !dend.spike<graded>,
              k : !dend.spike<int, -4, 4>, g : !dend.spike<unary, 2>) {
    %s = dend.cmp gt %v, %theta : (f64, f64) -> i1
    dend.yield states(%v, %w, %n, %f : f64, tensor<3xf64>, i32, !dend.fx<16, -4>) emit(%s, %w, %n, %f : i1, tensor<3xf64>, i32, !dend.fx<16, -4>)
  }
  // Names that the printer cannot use for a value stand after it: a port and a
  // state may share one, and a foreign model's names may be anything.
  // CHECK: dend.neuron @names ports(%u : f64, %in_put "in put" : f64) states(%u_{{[0-9]+}} "u" : f64 reset sample) outputs("a b" : !dend.spike<graded>)
  dend.neuron @names ports(%a "u" : f64, %b "in put" : f64) states(%c "u" : f64 reset sample) outputs("a b" : !dend.spike<graded>) {
    dend.yield states(%c : f64) emit(%a : f64)
  }
  // CHECK: dend.neuron @noted ports(%I : f64) attributes {user.note = "kept"} {
  dend.neuron @noted ports(%I : f64) attributes {user.note = "kept"} {
    dend.yield
  }
  dend.constant @k : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @t : tensor<2xf64> = dense<0.5> : tensor<2xf64>
  // CHECK: dend.population @P : @all[2] on @micro
  dend.population @P : @all[2] on @micro bind {keep = @k, theta = @t}
}
