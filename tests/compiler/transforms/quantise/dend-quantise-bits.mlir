// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests compiler/transforms/quantise/LayerBits.cpp: bits by layer.
// RUN: dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=8,4" | FileCheck %s --check-prefixes=EACH
// RUN: dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=head=4" | FileCheck %s --check-prefixes=NAMED
// RUN: dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=a=6,a->head=4" | FileCheck %s --check-prefixes=BOTH
// RUN: dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=3" | FileCheck %s --check-prefixes=ALL
// RUN: not dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=8,4,4" 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: not dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=heads=4" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=9" 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not dendrolith-opt %s --dend-quantise="target=loihi1,formats.weight_bits=6 weight-bits=8" 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not dendrolith-opt %s --dend-quantise="target=loihi1 weight-bits=1" 2>&1 | FileCheck %s --check-prefix=SIGNS
// RUN: not dendrolith-opt %s --dend-quantise="target=loihi1 state-bits=12" 2>&1 | FileCheck %s --check-prefix=FIXED
// LENGTH: weight bits: expected one number or 2, for a, head, found 3: '8,4,4'
// NAME: weight bits: the network has no layer 'heads', expected one of a, head, did you mean 'head'?
// MORE: weight bits: expected 1 to 8 bits (loihi1 has no wider weights), found '9'
// CHIP: weight bits: expected 1 to 6 bits
// SIGNS: weights of 'a' have both signs, for which 1 bit has no room; expected 2 or more
// FIXED: state bits: the network has no layer whose bits could be chosen

// 8 bits of both signs are mantissas up to 127, 6 up to 31, 4 up to 7, 3 up to 3.
// EACH-DAG: @a.x.w {{.*}}dense<{{\[\[}}-127, 49]
// EACH-DAG: @head.a.w {{.*}}dense<{{\[\[}}7, -3]
// EACH-DAG: dend.project @x -> @a{{.*}}dend.weight_bits = 8
// EACH-DAG: dend.project @a -> @head{{.*}}dend.weight_bits = 4
// NAMED-DAG: @a.x.w {{.*}}dense<{{\[\[}}-127, 49]
// NAMED-DAG: @head.a.w {{.*}}dense<{{\[\[}}7, -3]
// BOTH-DAG: @a.x.w {{.*}}dense<{{\[\[}}-31, 12]
// BOTH-DAG: @head.a.w {{.*}}dense<{{\[\[}}7, -3]
// ALL-DAG: @a.x.w {{.*}}dense<{{\[\[}}-3, 1]
dend.network @n {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64, %to : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value to %to : (f64, f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @to : tensor<f64> = dense<0.0> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  dend.population @a : @lif[2] on @step bind {kv = @kv, theta = @theta, to = @to}
  dend.population @head : @lif[2] on @step bind {kv = @kv, theta = @theta, to = @to}
  dend.constant @w : tensor<2x2xf64> = dense<[[-1.31, 0.51], [0.77, 0.13]]> : tensor<2x2xf64>
  dend.constant @u : tensor<2x2xf64> = dense<[[0.97, -0.41], [0.77, 0.13]]> : tensor<2x2xf64>
  dend.project @x -> @a["I"] #dend.dense weight @w
  dend.project @a -> @head["I"] #dend.dense weight @u
  dend.output @y = @head["s"]
}
