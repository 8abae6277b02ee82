// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/native/Passes.cpp.
// The step body of a neuron becomes a function that loops over neurons, 8 at a
// time: what arrives and states are loaded, parameters of all neurons repeated.
// A body in fixed point stays without one.
// RUN: dendrolith-opt %s --dend-body-to-vector | FileCheck %s
// RUN: dendrolith-opt %s --dend-body-to-vector --native-to-llvm | FileCheck %s --check-prefix=LLVM
// CHECK: dend.neuron @lif
// CHECK-NOT: llvm.func @fixed
// CHECK: llvm.func @lif({{.*}}llvm.noalias
// CHECK: scf.for
// CHECK-DAG: llvm.load {{.*}} -> vector<8xf64>
// CHECK-DAG: vector.broadcast {{.*}} : f64 to vector<8xf64>
// CHECK: arith.mulf {{.*}} : vector<8xf64>
// CHECK: arith.addf {{.*}} : vector<8xf64>
// CHECK: arith.cmpf ogt, {{.*}} : vector<8xf64>
// CHECK: arith.select
// CHECK: llvm.store {{.*}} : vector<8xf64>, !llvm.ptr
// CHECK-NOT: unrealized_conversion_cast
// CHECK: llvm.return
// A value that equals another one is computed and kept all the same.
// CHECK: llvm.func @same(
// CHECK: %[[NEW:.*]] = arith.select %{{.*}}, %[[SUM:.*]], %[[SUM]]
// CHECK: llvm.store %[[NEW]]
// CHECK: llvm.return
// A model of another network, and even a network, may have the same name.
// CHECK: llvm.func @lif_1({{.*}}llvm.noalias
// CHECK: llvm.return
// CHECK: llvm.func @other_1(
// CHECK: llvm.return
// LLVM: llvm.func @lif
// LLVM-NOT: scf.for
// LLVM: llvm.fmul
// LLVM: llvm.fcmp
dend.network @net {
  dend.clock @t
  dend.neuron @fixed ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0>) {
    %n = dend.add %v, %I
    dend.yield states(%n)
  }
  dend.neuron @lif ports(%I) params(%keep, %theta per_neuron) states(%v) outputs(s) {
    %v1 = dend.compartment %v drive %I keep %keep
    %s, %v2 = dend.fire %v1, %theta reset value
    dend.yield states(%v2) emit(%s)
  }
  dend.neuron @same ports(%I) states(%v) {
    %sum = dend.add %v, %I
    %high = dend.cmp gt %v, %I
    %n = dend.select %high, %sum, %sum
    dend.yield states(%n)
  }
}
dend.network @other {
  dend.clock @t
  dend.neuron @lif ports(%I) params(%keep) states(%v) {
    %v1 = dend.compartment %v drive %I keep %keep
    dend.yield states(%v1)
  }
  dend.neuron @other ports(%I) states(%v) {
    %sum = dend.add %v, %I
    dend.yield states(%sum)
  }
}
