// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A real-valued input over its calibrated range, in as many bits as asked for.
// RUN: dendrolith-opt %s --dend-quantise="target=ideal" | FileCheck %s --check-prefix=EIGHT
// RUN: dendrolith-opt %s --dend-quantise="target=ideal input-bits=5" | FileCheck %s --check-prefix=FIVE
// RUN: not dendrolith-opt %s --dend-quantise="target=ideal input-bits=1" 2>&1 | FileCheck %s --check-prefix=FEW
// A narrower payload makes nothing coarser: the host then sends unit spikes.
// RUN: dendrolith-opt %s --dend-quantise="target=ideal,spikes.payload_bits=6,host.payload_bits=1 input-bits=7" | FileCheck %s --check-prefix=NARROW
// By name or in order, of inputs that carry real values.
// RUN: dendrolith-opt %s --dend-quantise="target=ideal input-bits=x=5" | FileCheck %s --check-prefix=FIVE
// RUN: not dendrolith-opt %s --dend-quantise="target=ideal input-bits=y=5" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not dendrolith-opt %s --dend-quantise="target=ideal input-bits=5,6" 2>&1 | FileCheck %s --check-prefix=MANY
// FEW: input bits: expected 2 to 24 bits, found '1'
// NAME: input bits: the network has no real-valued input 'y', expected one of x
// MANY: input bits: expected one number, found 2: '5,6'
dend.network @n {
  dend.clock @step
  // EIGHT: dend.input @x {{.*}} as !dend.spike<int, -127, 127> {{.*}}scale 6.350000e+01
  // FIVE: dend.input @x {{.*}} as !dend.spike<int, -15, 15> {{.*}}scale 7.500000e+00
  // NARROW: dend.input @x {{.*}} as !dend.spike<int, -63, 63> {{.*}}scale 3.150000e+01
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded> {calibration = array<f64: -2.0, 1.5>}
  dend.neuron @li ports(%I : f64) params(%kv : f64) states(%v : f64 reset sample)
      outputs(v : !dend.spike<graded>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    dend.yield states(%v1 : f64) emit(%v1 : f64)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.population @r : @li[2] on @step bind {kv = @kv}
  dend.project @x -> @r["I"] #dend.diagonal delay 0
  dend.output @y = @r["v"]
}
