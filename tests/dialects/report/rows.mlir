// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/report/Report.cpp, dialects/report/Report.h.
// Reports on a network and on a program image. Fields that are empty or zero are
// left out; the order of the rest is that of their definition.
// RUN: dendrolith-opt %s | dendrolith-opt | FileCheck %s

// CHECK: dend.network @n attributes {
// CHECK-SAME: layers = [#report.layer<population = "p", neurons = 2, branches = [<end = 2, modes = 3>], sources = [<name = "x", synapses = 4>, <name = "y">]>]
// CHECK-SAME: policies = [#report.note<key = "k", value = "1 ms">, #report.note<>]
// CHECK-SAME: quantisation = [#report.quantised<layer = "p", scale = 5.000000e-01 : f64, lossless = true>]
// CHECK-SAME: statistics = #report.statistics<parameters = 7>
// CHECK-SAME: warnings = [#report.warning<code = "loose-end", where = "node 'a'">]
dend.network @n attributes {
    layers = [#report.layer<neurons = 2, population = "p", branches = [<end = 2, modes = 3>],
                            sources = [<name = "x", synapses = 4>, <name = "y">]>],
    policies = [#report.note<value = "1 ms", key = "k">, #report.note<>],
    quantisation = [#report.quantised<lossless = true, layer = "p", scale = 0.5 : f64>],
    statistics = #report.statistics<parameters = 7, zero_weights = 0>,
    warnings = [#report.warning<code = "loose-end", where = "node 'a'">]} {
  dend.clock @t
}

// CHECK: chip.program_image @i target "t" period 1 depth 1 attributes {
// CHECK-SAME: fit = [#report.fit<resource = "cores", used = 1, limit = 4>]
// CHECK-SAME: mapping = #report.mapping<solver = "default", cost = 1.250000e+01 : f64>
chip.program_image @i target "t" period 1 depth 1 attributes {
    fit = [#report.fit<resource = "cores", used = 1, limit = 4>],
    mapping = #report.mapping<solver = "default", cost = 12.5>} {
}
