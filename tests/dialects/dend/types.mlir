// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/TypeSyntax.cpp.
// Types and attributes in their long form.
// RUN: dendrolith-opt %s --allow-unregistered-dialect | dendrolith-opt --allow-unregistered-dialect | FileCheck %s
// RUN: dendrolith-opt %s --allow-unregistered-dialect --emit-bytecode | dendrolith-opt --allow-unregistered-dialect | FileCheck %s

// CHECK: t = !dend.fx<24, -12>
"test.op"() {t = !dend.fx<24, -12>} : () -> ()
// CHECK: t = !dend.fx<64, 1023>
"test.op"() {t = !dend.fx<64, 1023>} : () -> ()
// CHECK: t = !dend.spike<binary>
"test.op"() {t = !dend.spike<binary>} : () -> ()
// CHECK: t = !dend.spike<unary, 4>
"test.op"() {t = !dend.spike<unary, 4>} : () -> ()
// CHECK: t = !dend.spike<int, -4, 4>
"test.op"() {t = !dend.spike<int, -4, 4>} : () -> ()
// CHECK: t = !dend.spike<graded>
"test.op"() {t = !dend.spike<graded>} : () -> ()
// CHECK: t = tensor<3x!dend.fx<8, 0>>
"test.op"() {t = tensor<3x!dend.fx<8, 0>>} : () -> ()
// CHECK: a = #dend.port<"I">
"test.op"() {a = #dend.port<"I">} : () -> ()
// CHECK: a = #dend.port<"I", hold @token>
"test.op"() {a = #dend.port<"I", hold @token>} : () -> ()
// CHECK: a = #dend.param<"theta", true>
"test.op"() {a = #dend.param<"theta", true>} : () -> ()
// CHECK: a = #dend.state<"v", "sample">
"test.op"() {a = #dend.state<"v", "sample">} : () -> ()
// CHECK: a = #dend.state<"v", @token, 1.000000e+00 : f64>
"test.op"() {a = #dend.state<"v", @token, 1.0 : f64>} : () -> ()
// CHECK: a = #dend.output<"s", <binary>, 1>
"test.op"() {a = #dend.output<"s", !dend.spike<binary>, 1>} : () -> ()
