// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/native/Passes.cpp.
// The program of a vector neuron core becomes a function that loops over
// neurons, 8 at a time: integers in as many bits as their values need. Cores
// that run the same program share the function.
// RUN: dendrolith-opt %s --dend-schedule=target=loihi2-binary '--dend-to-chip=target=loihi2-binary map-for=cores min-cores=2' --chip-program-to-vector | FileCheck %s
// CHECK: chip.program "sum"
// CHECK: chip.program "sum"
// CHECK: llvm.func @sum({{.*}}llvm.noalias
// CHECK: scf.for
// CHECK: scf.if
// CHECK: llvm.load {{.*}} -> vector<8xi64>
// CHECK: arith.addi {{.*}} : vector<8xi32>
// CHECK: llvm.store {{.*}} : vector<8xi64>, !llvm.ptr
// CHECK: llvm.return
// CHECK-NOT: llvm.func
dend.network @net {
  dend.clock @t
  dend.input @x on @t : tensor<4xf64> as !dend.spike<binary>
  dend.neuron @sum ports(%p : !dend.fx<24, -4>) states(%v : !dend.fx<24, -4> reset sample) {
    %v1 = dend.add %v, %p : (!dend.fx<24, -4>, !dend.fx<24, -4>) -> !dend.fx<24, -4>
    dend.yield states(%v1 : !dend.fx<24, -4>)
  }
  dend.constant @V : tensor<2x4xi8> = dense<[[5, 0, 0, 0], [0, 6, 0, 7]]> : tensor<2x4xi8>
  dend.population @b : @sum[2] on @t
  dend.project @x -> @b["p"] #dend.dense weight @V delay 0
  dend.output @v = probe @b["v"]
}
