// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: dendrolith-opt %s --dend-quantise=target=loihi1 --split-input-file --verify-diagnostics

dend.network @subtract {
  dend.clock @step
  dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    // expected-note@+1 {{here}}
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-error@+1 {{it resets by subtraction; the chip resets to a value}}
  dend.population @a : @lif[2] on @step bind {kv = @kv, theta = @theta}
}

// -----

dend.network @body {
  dend.clock @step
  dend.neuron @tanh ports(%I : f64) states(%v : f64 reset sample)
      outputs(y : !dend.spike<graded>) {
    // expected-note@+1 {{here}}
    %y = dend.math tanh %I : (f64) -> f64
    dend.yield states(%y : f64) emit(%y : f64)
  }
  // expected-error@+1 {{its step computes more than leaks, a threshold and a reset to a value; a target with programmable neurons is needed}}
  dend.population @a : @tanh[2] on @step
}

// -----

dend.network @keep {
  dend.clock @step
  dend.neuron @li ports(%I : f64) params(%kv : f64) states(%v : f64 reset sample)
      outputs(v : !dend.spike<graded>) {
    // expected-note@+1 {{here}}
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    dend.yield states(%v1 : f64) emit(%v1 : f64)
  }
  dend.constant @kv : tensor<f64> = dense<-0.5> : tensor<f64>
  // expected-error@+1 {{outside [0, 1]; choose a smaller --import dt}}
  dend.population @a : @li[2] on @step bind {kv = @kv}
}

// -----

dend.network @graded {
  dend.clock @step
  dend.neuron @li ports(%I : f64) params(%kv : f64) states(%v : f64 reset sample)
      outputs(v : !dend.spike<graded>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    dend.yield states(%v1 : f64) emit(%v1 : f64)
  }
  dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
  dend.population @a : @li[2] on @step bind {kv = @kv}
  dend.population @b : @li[2] on @step bind {kv = @kv}
  // expected-error@+1 {{carries real values ('v' of a neuron that does not spike)}}
  dend.project @a -> @b["I"] #dend.diagonal delay 0
}

// -----

dend.network @reset {
  dend.clock @step
  dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64, %to : f64)
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset value to %to : (f64, f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  }
  dend.constant @half : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @to : tensor<f64> = dense<-1.0> : tensor<f64>
  dend.population @a : @lif[2] on @step bind {kv = @half, theta = @half, to = @to}
  // The state itself is off by the reset value, its spikes are not.
  dend.output @s = @a["s"]
  // expected-error@+1 {{probes 'v' of '@a', which the chip counts from the reset value}}
  dend.output @y = probe @a["v"]
}

// -----

dend.network @current {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @cuba ports(%I : f64) params(%k : f64)
      states(%i : f64 reset sample, %v : f64 reset sample)
      outputs(v : !dend.spike<graded>) {
    %i1 = dend.compartment %i drive %I keep %k : (f64, f64, f64) -> f64
    %v1 = dend.compartment %v drive %i1 keep %k : (f64, f64, f64) -> f64
    dend.yield states(%i1, %v1 : f64, f64) emit(%v1 : f64)
  }
  dend.constant @half : tensor<f64> = dense<0.5> : tensor<f64>
  dend.constant @b : tensor<2xf64> = dense<0.5> : tensor<2xf64>
  dend.population @a : @cuba[2] on @step bind {k = @half}
  dend.project @x -> @a["I"] #dend.diagonal bias @b delay 0
  dend.output @v = probe @a["v"]
  // expected-error@+1 {{probes 'i' of '@a', which the chip holds without its bias}}
  dend.output @y = probe @a["i"]
}

// -----

dend.network @settled {
  dend.clock @step
  dend.input @x on @step : tensor<2xf64> as !dend.spike<graded>
  dend.neuron @cuba ports(%I : f64) params(%ki : f64, %kv : f64)
      states(%i : f64 reset sample, %v : f64 reset sample)
      outputs(v : !dend.spike<graded>) {
    %i1 = dend.compartment %i drive %I keep %ki : (f64, f64, f64) -> f64
    %v1 = dend.compartment %v drive %i1 keep %kv : (f64, f64, f64) -> f64
    dend.yield states(%i1, %v1 : f64, f64) emit(%v1 : f64)
  }
  dend.constant @one : tensor<f64> = dense<1.0> : tensor<f64>
  dend.constant @b : tensor<2xf64> = dense<0.5> : tensor<2xf64>
  // expected-error@+1 {{has a bias on a synaptic current that never decays}}
  dend.population @a : @cuba[2] on @step bind {ki = @one, kv = @one}
  dend.project @x -> @a["I"] #dend.diagonal bias @b delay 0
}
