// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structure operations (dialects/dend/StructureVerify.cpp).
// RUN: dendrolith-opt %s | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --emit-bytecode | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --mlir-print-op-generic | dendrolith-opt | FileCheck %s

dend.network @net {
  dend.clock @step
  // CHECK-LABEL: dend.neuron @mmdend
  dend.neuron @mmdend ports(%I : f64)
      params(%A : tensor<8xcomplex<f64>>, %G : tensor<8xcomplex<f64>>, %C : tensor<8xcomplex<f64>>, %k : f64, %w : tensor<2xf64>)
      states(%V0 : tensor<8xcomplex<f64>> reset sample, %V1 : tensor<8xcomplex<f64>> reset sample, %Vs : f64 reset sample)
      outputs(s : !dend.spike<int, -4, 4>) {
    // CHECK: %next, %drive = dend.branch %V0, %I A %A G %G C %C direct %k act relu for [0, 80] :
    %V0n, %d0 = dend.branch %V0, %I A %A G %G C %C direct %k act relu for [0, 80] : (tensor<8xcomplex<f64>>, f64, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, f64) -> (tensor<8xcomplex<f64>>, f64)
    // CHECK: dend.branch %V1, %I A %A G %G C %C act identity :
    %V1n, %d1 = dend.branch %V1, %I A %A G %G C %C act identity : (tensor<8xcomplex<f64>>, f64, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>) -> (tensor<8xcomplex<f64>>, f64)
    // CHECK: dend.join sum(%{{.*}}, %{{.*}}) weights %w : (f64, f64, tensor<2xf64>) -> f64
    %j = dend.join sum (%d0, %d1) weights %w : (f64, f64, tensor<2xf64>) -> f64
    // CHECK: dend.soma %Vs, %{{.*}}, %I keep %k gain %k feed %k
    %Vn = dend.soma %Vs, %j, %I keep %k gain %k feed %k : (f64, f64, f64, f64, f64, f64) -> f64
    // CHECK: dend.ssf %{{.*}} shift %k scale %k vth 1.000000e+00 u 4.000000e+00 : (f64, f64, f64) -> i32
    %s = dend.ssf %Vn shift %k scale %k vth 1.0 u 4.0 : (f64, f64, f64) -> i32
    dend.yield states(%V0n, %V1n, %Vn : tensor<8xcomplex<f64>>, tensor<8xcomplex<f64>>, f64) emit(%s : i32)
  }
  // A real spectrum; no input gain; a chain that is not diagonalised.
  // CHECK-LABEL: dend.neuron @chains
  dend.neuron @chains ports(%I : f64)
      params(%A : tensor<8xf64>, %A1 : tensor<2xcomplex<f64>>, %T : tensor<3xf64>, %l : tensor<2xf64>, %k : f64)
      states(%V0 : tensor<8xf64> reset sample, %V1 : tensor<2xcomplex<f64>> reset sample, %V2 : tensor<3xf64> reset sample, %V3 : tensor<1xf64> reset sample) {
    // CHECK: dend.branch %V0, %I A %A G %A C %A direct %k act tanh : (tensor<8xf64>, f64, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, f64) -> (tensor<8xf64>, f64)
    %V0n, %d0 = dend.branch %V0, %I A %A G %A C %A direct %k act tanh : (tensor<8xf64>, f64, tensor<8xf64>, tensor<8xf64>, tensor<8xf64>, f64) -> (tensor<8xf64>, f64)
    // CHECK: dend.branch %V1, %I A %A1 C %A1 act relu for [2, 4] :
    %V1n, %d1 = dend.branch %V1, %I A %A1 C %A1 act relu for [2, 4] : (tensor<2xcomplex<f64>>, f64, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, f64)
    // CHECK: dend.cable %V2, %I diag %T lower %l upper %l gamma %T dt %k direct %k act relu for [0, 2] : (tensor<3xf64>, f64, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<3xf64>, f64, f64) -> (tensor<3xf64>, f64)
    %V2n, %d2 = dend.cable %V2, %I diag %T lower %l upper %l gamma %T dt %k direct %k act relu for [0, 2] : (tensor<3xf64>, f64, tensor<3xf64>, tensor<2xf64>, tensor<2xf64>, tensor<3xf64>, f64, f64) -> (tensor<3xf64>, f64)
    // CHECK: dend.cable %V3, %I diag %V3 gamma %V3 dt %k act identity :
    %V3n, %d3 = dend.cable %V3, %I diag %V3 gamma %V3 dt %k act identity : (tensor<1xf64>, f64, tensor<1xf64>, tensor<1xf64>, f64) -> (tensor<1xf64>, f64)
    dend.yield states(%V0n, %V1n, %V2n, %V3n : tensor<8xf64>, tensor<2xcomplex<f64>>, tensor<3xf64>, tensor<1xf64>)
  }
  // CHECK-LABEL: dend.neuron @apical
  dend.neuron @apical ports(%a : tensor<4xf64>, %y : f64) params(%alpha : f64)
      states(%u : tensor<4xf64> reset sample, %S : tensor<4x2xf64> reset sample, %t : tensor<2xf64> reset sample) {
    %p = dend.dot %u, %a : (tensor<4xf64>, tensor<4xf64>) -> f64
    // CHECK: dend.delta_rule %u key %a target %y prediction %{{.*}} keep %alpha rate %alpha
    %un = dend.delta_rule %u key %a target %y prediction %p keep %alpha rate %alpha : (tensor<4xf64>, tensor<4xf64>, f64, f64, f64, f64) -> tensor<4xf64>
    // CHECK: dend.delta_rule %S
    %Sn = dend.delta_rule %S key %a target %t prediction %t keep %alpha rate %alpha : (tensor<4x2xf64>, tensor<4xf64>, tensor<2xf64>, tensor<2xf64>, f64, f64) -> tensor<4x2xf64>
    dend.yield states(%un, %Sn, %t : tensor<4xf64>, tensor<4x2xf64>, tensor<2xf64>)
  }
  // CHECK-LABEL: dend.neuron @lif
  dend.neuron @lif ports(%I : f64) params(%k : f64) states(%i : f64 reset sample, %v : f64 reset sample)
      outputs(s : !dend.spike<binary>) {
    // CHECK: dend.compartment %i drive %I keep %k gain %k offset %k : (f64, f64, f64, f64, f64) -> f64
    %i1 = dend.compartment %i drive %I keep %k gain %k offset %k : (f64, f64, f64, f64, f64) -> f64
    // CHECK: dend.compartment %v drive %{{.*}} keep %k : (f64, f64, f64) -> f64
    %v1 = dend.compartment %v drive %i1 keep %k : (f64, f64, f64) -> f64
    // CHECK: dend.fire %{{.*}}, %k reset value to %k inclusive : (f64, f64, f64) -> (i1, f64)
    %s, %v2 = dend.fire %v1, %k reset value to %k inclusive : (f64, f64, f64) -> (i1, f64)
    // CHECK: dend.join or(%{{.*}}, %{{.*}}) : (i1, i1) -> i1
    %o = dend.join or (%s, %s) : (i1, i1) -> i1
    dend.yield states(%i1, %v2 : f64, f64) emit(%o : i1)
  }
  // CHECK-LABEL: dend.neuron @loihi
  dend.neuron @loihi ports(%I : !dend.fx<64, 0>) params(%du : i32, %dv : i32, %theta : i32, %bias : i32)
      states(%u : !dend.fx<32, 0> reset sample, %v : !dend.fx<32, 0> reset sample, %r : i32 reset sample)
      outputs(s : !dend.spike<binary>) {
    // CHECK: dend.cuba %I, %u, %v, %r decay %du, %dv threshold %theta bias %bias {bias_wrap, input_wrap_bits = 21 : i64, refractory = 2 : i64, wrap = #dend<wrap_range open_high>}
    %s, %un, %vn, %rn = dend.cuba %I, %u, %v, %r decay %du, %dv threshold %theta bias %bias {bias_wrap, input_wrap_bits = 21 : i64, refractory = 2 : i64, wrap = #dend<wrap_range open_high>} : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
    dend.yield states(%un, %vn, %rn : !dend.fx<32, 0>, !dend.fx<32, 0>, i32) emit(%s : i1)
  }
}
