// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/NetworkOps.cpp, dialects/dend/DendNetworkOps.td.
// A network with clocks, constants, all kinds of synapses, inputs and outputs
// keeps its meaning through text and bytecode.
// RUN: dendrolith-opt %s | FileCheck %s
// RUN: dendrolith-opt %s | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --emit-bytecode | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --mlir-print-op-generic | dendrolith-opt | FileCheck %s

// CHECK-LABEL: dend.network @net
dend.network @net {
  // The order of operations has no meaning: uses may come first.
  // CHECK: dend.output @y = @L1["s"] shape [1, 2]
  dend.output @y = @L1["s"] shape [1, 2]
  // CHECK: dend.output @potential = probe @L0["v"]
  dend.output @potential = probe @L0["v"]
  // CHECK: dend.clock @token
  // CHECK: dend.clock @micro divides @token by 4
  dend.clock @token
  dend.clock @micro divides @token by 4
  // CHECK: dend.constant @W : tensor<4x3xf64> = dense<5.000000e-01>
  dend.constant @W : tensor<4x3xf64> = dense<0.5> : tensor<4x3xf64>
  // CHECK: dend.constant @blob : tensor<2xf32> = dense_resource<blob>
  dend.constant @blob : tensor<2xf32> = dense_resource<blob> : tensor<2xf32>
  // CHECK: dend.constant @A0 : tensor<8xcomplex<f64>> extern "l0.A" at [0, 2]
  dend.constant @A0 : tensor<8xcomplex<f64>> extern "l0.A" at [0, 2]
  // CHECK: dend.constant @A1 : tensor<8xcomplex<f64>> extern "l1.A"{{$}}
  dend.constant @A1 : tensor<8xcomplex<f64>> extern "l1.A"
  dend.constant @keep : tensor<f64> = dense<0.75> : tensor<f64>
  dend.constant @theta4 : tensor<4xf64> = dense<[1.0, 1.5, 2.0, 2.5]> : tensor<4xf64>
  dend.constant @theta2 : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  dend.constant @bias : tensor<4xf64> = dense<0.125> : tensor<4xf64>
  dend.constant @sparse : tensor<3xf32> = dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  dend.constant @pairs : tensor<3x2xi32> = dense<[[1, 0], [0, 2], [1, 2]]> : tensor<3x2xi32>
  dend.constant @kernel : tensor<1x1x2x2xf64> = dense<1.0> : tensor<1x1x2x2xf64>
  dend.neuron @lif ports(%I : f64) params(%keep : f64, %theta : f64 per_neuron)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  // CHECK: dend.input @x on @token : tensor<3xf64> as !dend.spike<binary>
  dend.input @x on @token : tensor<3xf64> as !dend.spike<binary>
  // CHECK: dend.input @task on @token : tensor<7xf64> as !dend.spike<graded> query 6 masks 5
  dend.input @task on @token : tensor<7xf64> as !dend.spike<graded> query 6 masks 5
  // CHECK: dend.input @asked on @token : tensor<7xf64> as !dend.spike<graded> query 0{{$}}
  dend.input @asked on @token : tensor<7xf64> as !dend.spike<graded> query 0
  // CHECK: dend.input @words on @token : tensor<7xf64> as !dend.spike<binary> tokens
  dend.input @words on @token : tensor<7xf64> as !dend.spike<binary> tokens
  // CHECK: dend.input @image on @token : tensor<1x2x2xf32> as !dend.spike<int, 0, 255> scale 2.550000e+02
  dend.input @image on @token : tensor<1x2x2xf32> as !dend.spike<int, 0, 255> scale 255.0
  // CHECK: dend.population @L0 : @lif[4] on @token bind {keep = @keep, theta = @theta4} shape [2, 2] scale 6.400000e+01
  dend.population @L0 : @lif[4] on @token bind {keep = @keep, theta = @theta4} shape [2, 2] scale 64.0
  dend.population @L1 : @lif[2] on @micro bind {keep = @keep, theta = @theta2}
  dend.population @one : @lif[1] on @micro bind {keep = @keep, theta = @one_theta}
  dend.constant @one_theta : tensor<1xf64> = dense<1.0> : tensor<1xf64>
  // CHECK: dend.project @x -> @L0["I"] #dend.dense weight @W bias @bias delay 2
  dend.project @x -> @L0["I"] #dend.dense weight @W bias @bias delay 2
  // CHECK: dend.project @x -> @L1["I"] #dend.sparse weight @sparse indices @pairs
  dend.project @x -> @L1["I"] #dend.sparse weight @sparse indices @pairs
  // A model with one output needs no name for it.
  // CHECK: dend.project @L0 -> @L0["I"] #dend.diagonal delay 1
  dend.project @L0 -> @L0["I"] #dend.diagonal delay 1
  // CHECK: dend.project @L1["s"] -> @L1["I"] #dend.diagonal weight @blob delay 1
  dend.project @L1["s"] -> @L1["I"] #dend.diagonal weight @blob delay 1
  // CHECK: dend.project @image -> @L0["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 1, 1], dilation = [1, 1], groups = 1> weight @kernel
  dend.project @image -> @L0["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 1, 1], dilation = [1, 1], groups = 1> weight @kernel
  // CHECK: dend.project @L0["s"] -> @one["I"] #dend.pool<average = true, input = [1, 2, 2], kernel = [2, 2], stride = [2, 2], padding = [0, 0, 0, 0]>
  dend.project @L0["s"] -> @one["I"] #dend.pool<average = true, input = [1, 2, 2], kernel = [2, 2], stride = [2, 2], padding = [0, 0, 0, 0]>
}

// CHECK-LABEL: dend.network @silent
dend.network @silent {
  dend.clock @step
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F00000040"
    }
  }
#-}
