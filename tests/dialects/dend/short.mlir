// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/TypeSyntax.cpp, dialects/dend/BodyTraits.cpp and
// dialects/dend/NetworkSyntax.cpp.
// Short forms are read as the long ones, which are printed.
// RUN: dendrolith-opt %s | FileCheck %s
// RUN: dendrolith-opt %s | dendrolith-opt | FileCheck %s

dend.network @short {
  dend.clock @step
  // CHECK: dend.input @x on @step : tensor<4xf64> as !dend.spike<binary>
  dend.input @x[4] on @step as binary
  // CHECK: dend.input @image on @step : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.input @image[1, 2, 2] on @step
  // CHECK: dend.input @codes on @step : tensor<4xf64> as !dend.spike<int, -3, 3>
  dend.input @codes on @step : tensor<4xf64> as int<-3, 3>

  // CHECK: dend.constant @keep : tensor<f64> = dense<9.000000e-01> : tensor<f64>
  dend.constant @keep = 0.9
  // CHECK: dend.constant @theta : tensor<2xf64> = dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf64>
  dend.constant @theta = [1.0, -2]
  // CHECK: dend.constant @W : tensor<2x4xf64> = dense<{{.*}}> : tensor<2x4xf64>
  dend.constant @W = [[1.0, 2.0, 3.0, 4.0], [0.5, 0.25, -1.0, 1.0e-3]]
  // CHECK: dend.constant @half : tensor<2x4xf32> = dense<5.000000e-01> : tensor<2x4xf32>
  dend.constant @half : tensor<2x4xf32> = 0.5
  // CHECK: dend.constant @codes_of : tensor<3xi8> = dense<[1, -128, 3]> : tensor<3xi8>
  dend.constant @codes_of : tensor<3xi8> = [1, -128, 3]
  // CHECK: dend.constant @as_is : tensor<2xf64> = dense<1.000000e+00> : tensor<2xf64>
  dend.constant @as_is = dense<1.0> : tensor<2xf64>

  // CHECK: dend.neuron @lif ports(%I : f64) params(%keep : f64, %theta : f64 per_neuron) states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
  dend.neuron @lif ports(%I) params(%keep, %theta per_neuron) states(%v) outputs(s) {
    // CHECK: dend.compartment %v drive %I keep %keep : (f64, f64, f64) -> f64
    %v1 = dend.compartment %v drive %I keep %keep
    // CHECK: dend.fire %{{.*}}, %theta reset value : (f64, f64) -> (i1, f64)
    %s, %v2 = dend.fire %v1, %theta reset value
    // CHECK: dend.yield states(%{{.*}} : f64) emit(%{{.*}} : i1)
    dend.yield states(%v2) emit(%s)
  }
  // CHECK: outputs(m[3] : !dend.spike<graded>, one : !dend.spike<graded>, few : !dend.spike<int, -2, 2>)
  dend.neuron @vectors ports(%b : tensor<3xf64>) params(%M : tensor<3x2xf64>, %c : f32)
      states(%m : tensor<3xf64> init 0.5, %n : tensor<2xf64> reset never)
      outputs(m, one, few : int<-2, 2>) {
    // CHECK: dend.literal 2.000000e+00 : f64 as f64
    %two = dend.literal 2.0
    // CHECK: dend.literal dense<1.000000e+00> : tensor<3xf64> as tensor<3xf64>
    %ones = dend.literal dense<1.0> : tensor<3xf64>
    // CHECK: dend.mul %{{.*}}, %m : (f64, tensor<3xf64>) -> tensor<3xf64>
    %p = dend.mul %two, %m
    // CHECK: dend.matvec %M, %n : (tensor<3x2xf64>, tensor<2xf64>) -> tensor<3xf64>
    %mn = dend.matvec %M, %n
    // CHECK: dend.vecmat %m, %M : (tensor<3xf64>, tensor<3x2xf64>) -> tensor<2xf64>
    %nm = dend.vecmat %m, %M
    // CHECK: dend.dot %{{.*}}, %b : (tensor<3xf64>, tensor<3xf64>) -> f64
    %dot = dend.dot %p, %b
    // CHECK: dend.outer_add %M, %{{.*}}, %n : (tensor<3x2xf64>, tensor<3xf64>, tensor<2xf64>) -> tensor<3x2xf64>
    %outer = dend.outer_add %M, %ones, %n
    // CHECK: dend.element %{{.*}}[1] : (tensor<3x2xf64>) -> tensor<2xf64>
    %row = dend.element %outer[1]
    // CHECK: dend.element %{{.*}}[0] : (tensor<2xf64>) -> f64
    %corner = dend.element %row[0]
    // CHECK: dend.slice %b[1, 2] : (tensor<3xf64>) -> tensor<2xf64>
    %part = dend.slice %b[1, 2]
    // CHECK: dend.concat %{{.*}}, %{{.*}} : (f64, tensor<2xf64>) -> tensor<3xf64>
    %joined = dend.concat %corner, %part
    // CHECK: dend.cmp gt %{{.*}}, %{{.*}} : (tensor<3xf64>, f64) -> tensor<3xi1>
    %mask = dend.cmp gt %joined, %two
    // CHECK: dend.select %{{.*}}, %{{.*}}, %m : (tensor<3xi1>, f64, tensor<3xf64>) -> tensor<3xf64>
    %chosen = dend.select %mask, %two, %m
    // CHECK: dend.reduce max %{{.*}} : (tensor<3xf64>) -> f64
    %largest = dend.reduce max %chosen
    // CHECK: dend.math sigmoid %{{.*}} : (f64) -> f64
    %sigmoid = dend.math sigmoid %largest
    // CHECK: dend.cmp ge %{{.*}}, %{{.*}} : (f64, f64) -> i1
    %more = dend.cmp ge %sigmoid, %two
    // Only the result's type, and values of a region.
    // CHECK: dend.splat %{{.*}} : (f64) -> tensor<3xf64>
    %spread = dend.splat %sigmoid -> tensor<3xf64>
    // CHECK: dend.when %{{.*}} keep(%m : tensor<3xf64>) -> (tensor<3xf64>) {
    %when = dend.when %more keep(%m) {
      %sum = dend.add %spread, %mn
      // CHECK: dend.give %{{.*}} : tensor<3xf64>
      dend.give %sum
    }
    // CHECK: dend.ssf %{{.*}} shift %{{.*}} scale %{{.*}} vth 1.000000e+00 u 2.000000e+00 : (f64, f64, f64) -> i32
    %few = dend.ssf %dot shift %two scale %two vth 1.0 u 2.0
    dend.yield states(%when, %nm) emit(%when, %sigmoid, %few)
  }
  // CHECK: dend.neuron @fixed ports(%I : !dend.fx<24, 0>)
  dend.neuron @fixed ports(%I : !dend.fx<24, 0>) params(%k : !dend.fx<16, -12>)
      states(%v : !dend.fx<24, 0>) outputs(s) {
    // CHECK: dend.mul %v, %k : (!dend.fx<24, 0>, !dend.fx<16, -12>) -> !dend.fx<40, -12>
    %kept = dend.mul %v, %k
    // CHECK: dend.rescale %{{.*}} round floor overflow wrap : (!dend.fx<40, -12>) -> !dend.fx<24, 0>
    %leaked = dend.rescale %kept round floor overflow wrap -> !dend.fx<24, 0>
    %v1 = dend.add %leaked, %I overflow saturate
    // CHECK: dend.literal 64 : i64 as !dend.fx<24, 0>
    %theta = dend.literal 64 as !dend.fx<24, 0>
    %s, %v2 = dend.fire %v1, %theta reset subtract
    dend.yield states(%v2) emit(%s)
  }

  dend.population @n : @lif[2] on @step bind {keep = @keep, theta = @theta}
  // CHECK: dend.project @x -> @n["I"] #dend.dense weight @W
  dend.project @x -> @n["I"] weight @W
  dend.output @s = @n["s"]
}
