// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two branches over overlapping ranges of 8 neurons: [0, 5) and [3, 8). Three
// programs, each without the conditions and without the branch that its neurons
// lack; three groups whose compartments follow each other, fed by one list.
// RUN: dendrolith-opt %s --dend-schedule=target=loihi2 '--dend-to-chip=target=loihi2 map-for=cores' | dendrolith-opt | FileCheck %s
// CHECK: policies = [#report.note<key = "programs of p", value = "3: neurons 0-2 run 4 instructions with 1 state; neurons 3-4 run 8 instructions with 2 states; neurons 5-7 run 4 instructions with 1 state">]
// CHECK: chip.output "v0" [8] = state "p"["v0"]
// CHECK: chip.program "two" {{.*}} states [#chip.state<name = "v0", elements = 1, width = 16>] params [#chip.param<name = "gain", elements = 1, width = 8, per_neuron = true>]
// CHECK: chip.program "two" {{.*}} states [#chip.state<name = "v0", elements = 1, width = 16>, #chip.state<name = "v1", elements = 1, width = 16>] params [#chip.param<name = "gain", elements = 1, width = 8, per_neuron = true>]
// CHECK: chip.program "two" {{.*}} states [#chip.state<name = "v1", elements = 1, width = 16>] params []
// CHECK: chip.group "p" neurons 0 + 3 base 0 {{.*}} microcode <program = 0, params = [dense<[1, 2, 3]> : tensor<3xi64>], initial = [dense<> : tensor<0xi64>]>
// CHECK: chip.group "p" neurons 3 + 2 base 6 {{.*}} microcode <program = 1, params = [dense<[4, 5]> : tensor<2xi64>]
// CHECK: chip.group "p" neurons 5 + 3 base 10 {{.*}} microcode <program = 2, params = []
// CHECK: chip.synapses shapes dense<{{\[\[?}}16, {{[0-9]+}}, 0, 0, 8, 0]{{\]?}}>
//
// Neurons that a placement takes apart: those of a core, and of these those of
// one program, come together; their parameters and numbers go with them.
// RUN: echo '[{population: p, first: 0, count: 1, core: 0}, {population: p, first: 1, count: 1, core: 1}, {population: p, first: 2, count: 1, core: 0}, {population: p, first: 3, count: 1, core: 1},' > %t.yaml
// RUN: echo ' {population: p, first: 4, count: 1, core: 0}, {population: p, first: 5, count: 1, core: 1}, {population: p, first: 6, count: 1, core: 0}, {population: p, first: 7, count: 1, core: 1}]' >> %t.yaml
// RUN: dendrolith-opt %s --dend-schedule=target=loihi2 '--dend-to-chip=target=loihi2 placement=%t.yaml' | dendrolith-opt | FileCheck %s --check-prefix=ORDER
// ORDER: neurons 0-2 run 4 instructions with 1 state; neurons 3-4 run 8
// ORDER: chip.population "p" {{.*}} numbers dense<[0, 2, 4, 6, 1, 3, 5, 7]> : tensor<8xi32>
// ORDER: chip.core 0
// ORDER: chip.group "p" neurons 0 + 2 base 0 {{.*}} microcode <program = 0, params = [dense<[1, 3]>
// ORDER: chip.group "p" neurons 2 + 1 base 4 {{.*}} microcode <program = 1, params = [dense<5>
// ORDER: chip.group "p" neurons 3 + 1 base 6 {{.*}} microcode <program = 2, params = []
// ORDER: chip.core 1
// ORDER: chip.group "p" neurons 4 + 1 base 0 {{.*}} microcode <program = 0, params = [dense<2>
// ORDER: chip.group "p" neurons 5 + 1 base 2 {{.*}} microcode <program = 1, params = [dense<4>
// ORDER: chip.group "p" neurons 6 + 2 base 4 {{.*}} microcode <program = 2, params = []
dend.network @net {
  dend.clock @t
  dend.input @x on @t : tensor<1xf64> as !dend.spike<binary>
  dend.neuron @two ports(%I : tensor<2x!dend.fx<16, 0>>)
      params(%has0 : i1 per_neuron, %has1 : i1 per_neuron, %gain : !dend.fx<8, 0> per_neuron)
      states(%v0 : !dend.fx<16, 0> reset sample, %v1 : !dend.fx<16, 0> reset sample)
      outputs(s : !dend.spike<int, -100, 100>) {
    %zero = dend.literal 0 : i64 as !dend.fx<16, 0>
    %n0, %c0 = dend.when %has0 keep(%v0, %zero : !dend.fx<16, 0>, !dend.fx<16, 0>) -> (!dend.fx<16, 0>, !dend.fx<16, 0>) {
      %i = dend.element %I[0] : (tensor<2x!dend.fx<16, 0>>) -> !dend.fx<16, 0>
      %v = dend.add %v0, %i : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
      %w = dend.mul %v, %gain : (!dend.fx<16, 0>, !dend.fx<8, 0>) -> !dend.fx<24, 0>
      %c = dend.rescale %w round floor overflow wrap : (!dend.fx<24, 0>) -> !dend.fx<16, 0>
      dend.give %v, %c : !dend.fx<16, 0>, !dend.fx<16, 0>
    }
    %n1, %c1 = dend.when %has1 keep(%v1, %zero : !dend.fx<16, 0>, !dend.fx<16, 0>) -> (!dend.fx<16, 0>, !dend.fx<16, 0>) {
      %i = dend.element %I[1] : (tensor<2x!dend.fx<16, 0>>) -> !dend.fx<16, 0>
      %v = dend.sub %i, %v1 : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
      %c = dend.neg %v : (!dend.fx<16, 0>) -> !dend.fx<16, 0>
      dend.give %v, %c : !dend.fx<16, 0>, !dend.fx<16, 0>
    }
    %sum = dend.add %c0, %c1 : (!dend.fx<16, 0>, !dend.fx<16, 0>) -> !dend.fx<16, 0>
    dend.yield states(%n0, %n1 : !dend.fx<16, 0>, !dend.fx<16, 0>) emit(%sum : !dend.fx<16, 0>)
  }
  dend.constant @has0 : tensor<8xi1> = dense<[true, true, true, true, true, false, false, false]> : tensor<8xi1>
  dend.constant @has1 : tensor<8xi1> = dense<[false, false, false, true, true, true, true, true]> : tensor<8xi1>
  dend.constant @gain : tensor<8xi8> = dense<[1, 2, 3, 4, 5, 6, 7, 8]> : tensor<8xi8>
  dend.constant @W : tensor<16x1xi8> = dense<1> : tensor<16x1xi8>
  dend.population @p : @two[8] on @t bind {has0 = @has0, has1 = @has1, gain = @gain}
  dend.project @x -> @p["I"] #dend.dense weight @W delay 0
  dend.output @y = @p["s"]
  dend.output @v0 = probe @p["v0"]
}
