// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/native/program/WriteProgram.cpp, compiler/native/program/Sums.cpp.
// A program with a region becomes: a loop over elements that carries the largest
// one, a branch that is taken where a lane's condition holds, a product of a
// matrix and a vector inside, whose results are written in those lanes alone, and
// what is sent. No instruction stays.
// RUN: dendrolith-opt %s --dend-schedule=target=loihi2 '--dend-to-chip=target=loihi2 map-for=cores' --chip-program-to-vector | FileCheck %s
// RUN: dendrolith-opt %s --dend-schedule=target=loihi2 '--dend-to-chip=target=loihi2 map-for=cores' --chip-program-to-vector=lanes=1 | FileCheck %s --check-prefix=ALONE
// CHECK: llvm.func @gated(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: %[[LARGEST:.*]] = scf.for {{.*}} iter_args(%[[SO:.*]] = %{{.*}}) -> (vector<8xi32>)
// CHECK: %[[NEXT:.*]] = arith.maxsi %[[SO]], %{{.*}} : vector<8xi32>
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: %[[ON:.*]] = arith.cmpi sgt, %[[LARGEST]]
// CHECK: %[[WORD:.*]] = arith.extui %[[ON]]
// CHECK: %[[INSIDE:.*]] = arith.cmpi ne, %[[WORD]]
// CHECK: scf.if
// CHECK: math.ctpop
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.muli {{.*}} : vector<8xi64>
// CHECK: scf.yield
// CHECK: %[[KEPT:.*]] = arith.select %[[INSIDE]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xi64>
// CHECK: llvm.store %[[KEPT]]
// CHECK-COUNT-2: arith.constant dense<{{-?2}}> : vector<8xi64>
// CHECK: llvm.return
// CHECK-NOT: micro.
// A neuron that stands alone has no vectors.
// ALONE: llvm.func @gated(
// ALONE-NOT: vector<
// ALONE: llvm.return
dend.network @net {
  dend.clock @t
  dend.input @x on @t : tensor<8xf64> as !dend.spike<binary>
  dend.neuron @gated ports(%p : tensor<4x!dend.fx<24, 0>>) params(%W : tensor<4x4x!dend.fx<8, -4>>)
      states(%v : tensor<4x!dend.fx<24, 0>> reset sample) outputs(o[4] : !dend.spike<int, -2, 2>) {
    %most = dend.reduce max %p
    %zero = dend.literal 0 as !dend.fx<24, 0>
    %on = dend.cmp gt %most, %zero
    %v1 = dend.when %on keep(%v) {
      %y = dend.matvec %W, %v round floor -> tensor<4x!dend.fx<24, 0>>
      %a = dend.add %y, %p overflow saturate
      dend.give %a
    }
    dend.yield states(%v1) emit(%v1)
  }
  dend.constant @V : tensor<8x8xi8> = dense<1> : tensor<8x8xi8>
  dend.constant @K : tensor<4x4xi8> = dense<3> : tensor<4x4xi8>
  dend.population @b : @gated[2] on @t bind {W = @K}
  dend.project @x -> @b["p"] #dend.dense weight @V delay 0
  dend.output @v = probe @b["v"]
}
