// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/PopulationVerify.cpp.
// What populations and outputs refuse.
// RUN: dendrolith-opt %s --verify-diagnostics --split-input-file

dend.network @n {
  dend.clock @a
  // expected-error@+1 {{model @m is not in the network}}
  dend.population @P : @m[3] on @a
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{declared here}}
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-error@+1 {{model @k is no dend.neuron}}
  dend.population @P : @k[3] on @a
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{clock @b is not in the network}}
  dend.population @P : @m[3] on @b bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{has 0 neurons, expected 1 to 2147483647}}
  dend.population @P : @m[0] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{has -1 neurons, expected 1 to 2147483647}}
  dend.population @P : @m[-1] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{shape (2, 2) does not hold 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k} shape [2, 2]
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{scale must be a positive finite number, found -1.000000e+00}}
  dend.population @P : @m[3] on @a bind {k = @k} scale -1.0
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{does not bind parameter "k"}}
  dend.population @P : @m[3] on @a
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{binds "j", which is no parameter of its model}}
  dend.population @P : @m[3] on @a bind {j = @k, k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{binds parameter "k" to 1.000000e+00 : f64, expected a constant's symbol}}
  dend.population @P : @m[3] on @a bind {k = 1.0}
}

// -----
dend.network @n {
  dend.clock @a
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{parameter 'k' value @k is not in the network}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  // expected-note@+1 {{declared here}}
  dend.clock @a
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{parameter 'k' value @a is no dend.constant}}
  dend.population @P : @m[3] on @a bind {k = @a}
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @k : tensor<3xf64> = dense<1.0> : tensor<3xf64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{parameter 'k' is bound to "k" of type 'tensor<3xf64>', expected shape ()}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64 per_neuron) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{parameter 'k' is bound to "k" of type 'tensor<f64>', expected shape (3,)}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @k : tensor<2x3xf64> extern "k"
  dend.neuron @m ports(%I : f64) params(%k : tensor<2xf64> per_neuron) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{expected shape (3, 2)}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @k : tensor<i32> = dense<1> : tensor<i32>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{expected float elements for 'f64'}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : !dend.fx<8, 0>) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{expected integer elements for '!dend.fx<8, 0>'}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @k : tensor<i32> = dense<-129> : tensor<i32>
  dend.neuron @m ports(%I : f64) params(%k : !dend.fx<8, 0>) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{holding -129, outside the range of '!dend.fx<8, 0>', -2^7 to 2^7 - 1: scale the layer}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @v : tensor<2xf64> = dense<0.0> : tensor<2xf64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample init @v) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{initial value of state 'v' is bound to "v" of type 'tensor<2xf64>', expected shape (3,)}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample init @v) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{initial value of state 'v' @v is not in the network}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.clock @b divides @a by 2
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m ports(%I : f64 hold @b) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{is on clock @a, but port "I" of its model waits for clock @b, which ticks between its updates}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.clock @b divides @a by 2
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset @b) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{is on clock @a, but state "v" of its model waits for clock @b, which ticks between its updates}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @A : tensor<2xcomplex<f64>> extern "A"
  dend.neuron @m ports(%I : f64) params(%A : tensor<2xcomplex<f64>>) states(%V : tensor<2xcomplex<f64>> reset sample) {
    // expected-note@+1 {{used here}}
    %n, %d = dend.branch %V, %I A %A G %A C %A act relu for [0, 4] : (tensor<2xcomplex<f64>>, f64, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) -> (tensor<2xcomplex<f64>>, f64)
    dend.yield states(%n : tensor<2xcomplex<f64>>)
  }
  // expected-error@+1 {{has 3 neurons, a branch of its model needs [0, 4)}}
  dend.population @P : @m[3] on @a bind {A = @A}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<3xf64> = dense<[1.0, 2.0, 0.0]> : tensor<3xf64>
  dend.neuron @m ports(%I : f64) params(%k : f64 per_neuron) outputs(s : !dend.spike<int, -4, 4>) {
    // expected-note@+1 {{used here}}
    %s = dend.ssf %I shift %I scale %k vth 1.0 u 4.0 : (f64, f64, f64) -> i32
    dend.yield emit(%s : i32)
  }
  // expected-error@+1 {{binds a scale that is not positive, at 2}}
  dend.population @P : @m[3] on @a bind {k = @k}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @d : tensor<i32> = dense<4096> : tensor<i32>
  dend.constant @e : tensor<i32> = dense<0> : tensor<i32>
  dend.neuron @m ports(%I : !dend.fx<64, 0>) params(%d : i32, %e : i32) states(%u : !dend.fx<32, 0> reset sample, %v : !dend.fx<32, 0> reset sample, %r : i32 reset sample) {
    // expected-note@+1 {{used here}}
    %s, %un, %vn, %rn = dend.cuba %I, %u, %v, %r decay %d, %e threshold %d bias %d : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
    dend.yield states(%un, %vn, %rn : !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
  }
  // expected-error@+1 {{binds 4096 to decay_u, expected -1 to 4095}}
  dend.population @P : @m[3] on @a bind {d = @d, e = @e}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @d : tensor<i32> = dense<-1> : tensor<i32>
  dend.constant @e : tensor<i32> = dense<-1> : tensor<i32>
  dend.neuron @m ports(%I : !dend.fx<64, 0>) params(%d : i32, %e : i32) states(%u : !dend.fx<32, 0> reset sample, %v : !dend.fx<32, 0> reset sample, %r : i32 reset sample) {
    // expected-note@+1 {{used here}}
    %s, %un, %vn, %rn = dend.cuba %I, %u, %v, %r decay %d, %e threshold %d bias %d : (!dend.fx<64, 0>, !dend.fx<32, 0>, !dend.fx<32, 0>, i32, i32, i32, i32, i32) -> (i1, !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
    dend.yield states(%un, %vn, %rn : !dend.fx<32, 0>, !dend.fx<32, 0>, i32)
  }
  // expected-error@+1 {{binds -1 to decay_v, expected 0 to 4096}}
  dend.population @P : @m[3] on @a bind {d = @d, e = @e}
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{population @P is not in the network}}
  dend.output @y = @P["s"]
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-error@+1 {{reads output "t", which model "m" does not have}}
  dend.output @y = @P["t"]
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-error@+1 {{reads state "s", which model "m" does not have}}
  dend.output @y = probe @P["s"]
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-error@+1 {{shape (2,) does not hold 3 elements}}
  dend.output @y = @P["s"] shape [2]
}

// -----
dend.network @n {
  dend.clock @a
  dend.neuron @m ports(%I : f64) outputs(s : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @P : @m[3] on @a
  dend.output @y = @P["s"] decode "mean"
  dend.output @z = @P["s"] shape [3] decode "last=10"
  dend.output @w = @P["s"] decode "each"
  // expected-error@+1 {{decode must be "mean", "last=N", the last N ticks with N above 0, or "each", found "last=0"}}
  dend.output @x = @P["s"] decode "last=0"
}

// -----
dend.network @n {
  dend.clock @a
  dend.neuron @m ports(%I : f64) outputs(s : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @P : @m[3] on @a
  // expected-error@+1 {{found "median"}}
  dend.output @x = @P["s"] decode "median"
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{has type 'tensor<3xf64>' without an element 3 that tells or is masked at the query}}
  dend.input @x on @a : tensor<3xf64> as !dend.spike<graded> query 3
}

// -----
dend.network @n {
  dend.clock @a
  dend.input @good on @a : tensor<3xf64> as !dend.spike<binary> tokens
  // expected-error@+1 {{takes token ids, each one spike: expected a vector as !dend.spike<binary> without a scale or a query}}
  dend.input @x on @a : tensor<3xf64> as !dend.spike<graded> tokens
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{takes token ids, each one spike}}
  dend.input @x on @a : tensor<2x3xf64> as !dend.spike<binary> tokens
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{masks a label at the query, which needs another element, its flag: 'query N masks M'}}
  dend.input @x on @a : tensor<3xf64> as !dend.spike<graded> query 1 masks 1
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{without an element 0 that tells or is masked at the query}}
  dend.input @x on @a : tensor<2x3xf64> as !dend.spike<graded> query 0 masks 1
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{has numbers that are no integers, one for each of 3 neurons}}
  dend.population @P : @m[3] on @a bind {k = @k} {numbers = dense<[0, 1]> : tensor<2xi32>}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{expected each number below 3 once, found 3 out of range or a second time}}
  dend.population @P : @m[3] on @a bind {k = @k} {numbers = dense<[0, 1, 3]> : tensor<3xi32>}
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-error@+1 {{found 2 out of range or a second time}}
  dend.population @P : @m[3] on @a bind {k = @k} {numbers = dense<[2, 1, 2]> : tensor<3xi64>}
}
