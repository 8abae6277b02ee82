// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A population that runs a program: one chip.program per core and program, groups
// with their parameters, accumulators for each port element, sources for each
// output element, a hidden parameter for the bias of a port, negative unit spikes
// by a second source with negated weights.
// RUN: dendrolith-opt %s --dend-schedule=target=loihi2-binary '--dend-to-chip=target=loihi2-binary map-for=cores min-cores=2' | dendrolith-opt | FileCheck %s
// CHECK: chip.program_image @net target "loihi2-binary" period 2 depth 4
// CHECK: chip.population "a" : "pair" [2] phase 1 scale 0.000000e+00
// CHECK: chip.output "y" [2, 2] = spikes "a"["o"] scale 1.000000e+00
// CHECK: chip.output "v" [2] = state "b"["v"] scale 1.600000e+01
// CHECK: chip.program "pair" registers {{[0-9]+}}
// CHECK-SAME: ports [#chip.port<name = "p", elements = 2, width = 16, hold = 1>]
// CHECK-SAME: params [#chip.param<name = "p.bias", elements = 2, width = 16, per_neuron = true>]
// CHECK-SAME: outputs [#chip.output<name = "o", elements = 2, low = -2, high = 2, kind = split, steps = 2>]
// CHECK: chip.group "a" neurons 0 + 2 base 0 phase 1 sources 4 microcode <program = 0, params = [dense<[1, 2, 3, 4]> : tensor<4xi64>], initial = []>
// CHECK: chip.program "sum" registers 0
// CHECK: chip.group "b" neurons 0 + 2 base 0 phase 3 sources 0 microcode
// CHECK: weights dense<[5, -5, 6, -6, 7, -7]> : tensor<6xi16>
dend.network @net {
  dend.clock @t
  dend.input @x on @t : tensor<2xf64> as !dend.spike<binary>
  dend.neuron @pair ports(%p : tensor<2x!dend.fx<16, 0>>) outputs(o[2] : !dend.spike<int, -2, 2>) {
    dend.yield emit(%p : tensor<2x!dend.fx<16, 0>>)
  }
  dend.neuron @sum ports(%p : !dend.fx<24, -4>) states(%v : !dend.fx<24, -4> reset sample) {
    %v1 = dend.add %v, %p : (!dend.fx<24, -4>, !dend.fx<24, -4>) -> !dend.fx<24, -4>
    dend.yield states(%v1 : !dend.fx<24, -4>)
  }
  dend.constant @W : tensor<4x2xi8> = dense<[[1, 0], [0, 1], [2, 0], [0, 2]]> : tensor<4x2xi8>
  dend.constant @bias : tensor<4xi16> = dense<[1, 2, 3, 4]> : tensor<4xi16>
  dend.constant @V : tensor<2x4xi8> = dense<[[5, 0, 0, 0], [0, 6, 0, 7]]> : tensor<2x4xi8>
  dend.population @a : @pair[2] on @t
  dend.population @b : @sum[2] on @t
  dend.project @x -> @a["p"] #dend.dense weight @W bias @bias delay 0
  dend.project @a["o"] -> @b["p"] #dend.dense weight @V delay 0
  dend.output @y = @a["o"]
  dend.output @v = probe @b["v"]
}
