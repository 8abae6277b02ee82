// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/chip/Chip.cpp.
// A program of two cores through text and bytecode.
// RUN: dendrolith-opt %s | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --emit-bytecode | dendrolith-opt | FileCheck %s
// RUN: dendrolith-opt %s --mlir-print-op-generic | dendrolith-opt | FileCheck %s

// CHECK: chip.program_image @net target "tiny" period 2 depth 3
// CHECK-SAME: critical = "L0 -> L0"
chip.program_image @net target "tiny" period 2 depth 3 attributes {critical = "L0 -> L0"} {
  // CHECK: chip.population "L0" : "lif" [3] phase 1 scale 6.400000e+01
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  // CHECK: chip.input "x" [2] integer false range 0, 1 scale 1.000000e+00 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
  // CHECK: chip.input "task" [2] integer {{.*}} query 1 masks 0
  chip.input "task" [2] integer true range -127, 127 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32> query 1 masks 0
  // CHECK: chip.input "words" [2] integer false {{.*}} tokens
  chip.input "words" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32> tokens
  // CHECK: chip.output "y" [3] = spikes "L0"["s"] scale 1.000000e+00
  chip.output "y" [3] = spikes "L0"["s"] scale 1.0
  // CHECK: chip.output "v" [3] = state "L0"["v"] scale 6.400000e+01
  chip.output "v" [3] = state "L0"["v"] scale 64.0
  // CHECK: chip.output "w" [3] = spikes "L0"["s"] scale 1.000000e+00 decode "last=10"
  chip.output "w" [3] = spikes "L0"["s"] scale 1.0 decode "last=10"
  // CHECK: chip.core 0 {
  chip.core 0 {
    // CHECK: chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <decay_u = array<i32: 4095>, decay_v = array<i32: 128, 256>, threshold = dense<64> : tensor<1xi32>, bias = array<i32: 0>, silent = true> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128, 256>, silent = true, threshold = dense<64> : tensor<1xi32>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
    // CHECK: chip.synapses shapes dense<{{.*}}> : tensor<2x6xi32> lists dense<[0, 1]> : tensor<2xi32> weights dense_resource<w> : tensor<4xi16> offsets dense<[0, 1]> : tensor<2xi32> delays dense<[0, 2, 0, 1]> : tensor<4xi16>
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0], [2, 1, 1, 0, 8, 8]]> : tensor<2x6xi32> lists dense<[0, 1]> : tensor<2xi32> weights dense_resource<w> : tensor<4xi16> offsets dense<[0, 1]> : tensor<2xi32> delays dense<[0, 2, 0, 1]> : tensor<4xi16>
    // CHECK: chip.in_axons dense<{{.*}}> : tensor<2x4xi32>
    chip.in_axons dense<[[0, 0, 0, 0], [1, 0, 0, 1]]> : tensor<2x4xi32>
  }
  // CHECK: chip.core 3 {
  chip.core 3 {
    chip.group "L0" neurons 2 + 1 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<[0, 1]> : tensor<2xi32>, dense<[[0, 1]]> : tensor<1x2xi32>
  }
}

{-#
  dialect_resources: { builtin: { w: "0x02000000010002000300FFFF" } }
#-}
