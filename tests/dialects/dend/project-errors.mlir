// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/ProjectVerify.cpp.
// What projections refuse.
// RUN: dendrolith-opt %s --verify-diagnostics --split-input-file

dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-error@+1 {{source @x is not in the network}}
  dend.project @x -> @P["I"] #dend.dense
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-error@+1 {{target @P is not in the network}}
  dend.project @x -> @P["I"] #dend.dense
}

// -----
dend.network @n {
  dend.clock @a
  // expected-note@+1 {{declared here}}
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-error@+1 {{source @k is no dend.population}}
  dend.project @k -> @P["I"] #dend.dense
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{declared here}}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-error@+1 {{target @x is no dend.population}}
  dend.project @x -> @x["I"] #dend.dense
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{declared here}}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-error@+1 {{names output "s" of an input}}
  dend.project @x["s"] -> @P["I"] #dend.dense
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
  dend.project @P["t"] -> @P["I"] #dend.diagonal
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  // expected-note@+1 {{the model is declared here}}
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(t : !dend.spike<graded>, s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v, %v : f64, f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-error@+1 {{must name one of the 2 outputs of model "m"}}
  dend.project @P -> @P["I"] #dend.diagonal
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
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-error@+1 {{feeds port "J", which model "m" does not have}}
  dend.project @x -> @P["J"] #dend.dense
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-error@+1 {{weight @w is not in the network}}
  dend.project @x -> @P["I"] #dend.dense weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-error@+1 {{needs a weight}}
  dend.project @x -> @P["I"] #dend.dense
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @w : tensor<2x3xf64> = dense<1.0> : tensor<2x3xf64>
  // expected-error@+1 {{weight is bound to "w" of type 'tensor<2x3xf64>', expected shape (3, 2)}}
  dend.project @x -> @P["I"] #dend.dense weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @w : tensor<3x2xi8> = dense<1> : tensor<3x2xi8>
  // expected-error@+1 {{expected float elements for 'f64'}}
  dend.project @x -> @P["I"] #dend.dense weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x2xf64> = dense<1.0> : tensor<3x2xf64>
  // expected-error@+1 {{only sparse synapses take indices}}
  dend.project @x -> @P["I"] #dend.dense weight @w indices @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x2xf64> = dense<1.0> : tensor<3x2xf64>
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @b : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  // expected-error@+1 {{bias is bound to "b" of type 'tensor<2xf64>', expected shape (3,)}}
  dend.project @x -> @P["I"] #dend.dense weight @w bias @b
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x2xf64> = dense<1.0> : tensor<3x2xf64>
  // expected-error@+1 {{has delay -1, expected 0 or more}}
  dend.project @x -> @P["I"] #dend.dense weight @w delay -1
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x2xf64> = dense<1.0> : tensor<3x2xf64>
  // expected-error@+1 {{has shift 64, expected 0 to 63}}
  dend.project @x -> @P["I"] #dend.dense weight @w shift 64
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x2xf64> = dense<1.0> : tensor<3x2xf64>
  // expected-error@+1 {{shifts the values of a real port}}
  dend.project @x -> @P["I"] #dend.dense weight @w shift 1
}

// -----
dend.network @n {
  dend.clock @a
  dend.neuron @m ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample) outputs(s : !dend.spike<int, 0, 255>) {
    dend.yield states(%v : !dend.fx<24, 0>) emit(%v : !dend.fx<24, 0>)
  }
  dend.population @P : @m[3] on @a
  dend.constant @w : tensor<3x3xi16> = dense<1> : tensor<3x3xi16>
  // expected-error@+1 {{has product_shift 32, expected 0 to 31}}
  dend.project @P -> @P["I"] #dend.dense weight @w delay 1 product_shift 32
}

// -----
dend.network @n {
  dend.clock @a
  dend.neuron @m ports(%I : !dend.fx<24, 0>) states(%v : !dend.fx<24, 0> reset sample) outputs(s : !dend.spike<int, 0, 255>) {
    dend.yield states(%v : !dend.fx<24, 0>) emit(%v : !dend.fx<24, 0>)
  }
  dend.population @P : @m[3] on @a
  dend.constant @w : tensor<3x3xi16> = dense<1> : tensor<3x3xi16>
  // expected-error@+1 {{shifts products to the left by 2 and to the right by 7, expected one of both}}
  dend.project @P -> @P["I"] #dend.dense weight @w delay 1 shift 2 product_shift 7
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : !dend.fx<24, 0>) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{give the input an integer spike type and a scale}}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x2xi8> = dense<1> : tensor<3x2xi8>
  // expected-error@+1 {{carries real values into a fixed-point port}}
  dend.project @x -> @P["I"] #dend.dense weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @s : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  // expected-error@+1 {{sparse synapses need a weight and indices}}
  dend.project @x -> @P["I"] #dend.sparse weight @s
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x2xf64> = dense<1.0> : tensor<3x2xf64>
  // expected-error@+1 {{sparse synapses need a vector of weights, found 'tensor<3x2xf64>'}}
  dend.project @x -> @P["I"] #dend.sparse weight @w indices @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @s : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @i : tensor<3x2xi32> = dense<0> : tensor<3x2xi32>
  // expected-error@+1 {{indices have type 'tensor<3x2xi32>', expected tensor<2x2xi32>}}
  dend.project @x -> @P["I"] #dend.sparse weight @s indices @i
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-note@+1 {{the port has 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{the source has 2 elements}}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @s : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  dend.constant @i : tensor<2x2xi32> = dense<[[0, 0], [1, 2]]> : tensor<2x2xi32>
  // expected-error@+1 {{synapse 1 joins source 2 to target 1}}
  dend.project @x -> @P["I"] #dend.sparse weight @s indices @i
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-note@+1 {{the port has 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{the source has 2 elements}}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @s : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  dend.constant @i : tensor<2x2xi32> = dense<[[-1, 0], [1, 1]]> : tensor<2x2xi32>
  // expected-error@+1 {{synapse 0 joins source 0 to target -1}}
  dend.project @x -> @P["I"] #dend.sparse weight @s indices @i
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-note@+1 {{the port has 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{the source has 2 elements}}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @s : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  dend.constant @i : tensor<2x2xi32> = dense<2> : tensor<2x2xi32>
  // expected-error@+1 {{synapse 0 joins source 2 to target 2}}
  dend.project @x -> @P["I"] #dend.sparse weight @s indices @i
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  dend.constant @s : tensor<2xf64> = dense<1.0> : tensor<2xf64>
  dend.constant @i : tensor<2x2xi32> = dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>
  // expected-error@+1 {{indices are not sorted by source, then target, at synapse 1}}
  dend.project @x -> @P["I"] #dend.sparse weight @s indices @i
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-note@+1 {{the port has 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{the source has 2 elements}}
  dend.input @x on @a : tensor<2xf64> as !dend.spike<graded>
  // expected-error@+1 {{diagonal synapses need as many sources as targets}}
  dend.project @x -> @P["I"] #dend.diagonal
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{input needs 3 entries of 1 to 2147483647}}
  dend.project @x -> @P["I"] #dend.conv<input = [2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{stride needs 2 entries of 1 to 2147483647}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [0, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{padding needs 4 entries of 0 to 2147483647}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0], dilation = [1, 1], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{dilation needs 2 entries of 1 to 2147483647}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 0], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{needs a weight}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 1>
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x4xf64> = dense<1.0> : tensor<3x4xf64>
  // expected-error@+1 {{a convolution needs a weight of (Cout, Cin/groups, Kh, Kw), found 'tensor<3x4xf64>'}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{has 2 groups, which do not divide 1 input and 3 output channels}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 2> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{has 0 groups, which do not divide 1 input and 3 output channels}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 0> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-note@+1 {{the port has 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{the source has 4 elements}}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{has input (1, 2, 3) for 4 sources}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 3], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{has a window (2, 2) larger than its padded input (1, 2, 2)}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [2, 2], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-note@+1 {{the port has 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{the source has 4 elements}}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{has output (3, 2, 1) for 3 targets}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [1, 0, 0, 0], dilation = [1, 1], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  // expected-note@+1 {{the constant is declared here}}
  dend.constant @w : tensor<3x2x2x2xf64> = dense<1.0> : tensor<3x2x2x2xf64>
  // expected-error@+1 {{expected shape (3, 1, 2, 2)}}
  dend.project @x -> @P["I"] #dend.conv<input = [1, 2, 2], stride = [1, 1], padding = [0, 0, 0, 0], dilation = [1, 1], groups = 1> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{kernel needs 2 entries of 1 to 2147483647}}
  dend.project @x -> @P["I"] #dend.pool<average = false, input = [1, 2, 2], kernel = [2], stride = [1, 1], padding = [0, 0, 0, 0]>
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{pooling takes no weight}}
  dend.project @x -> @P["I"] #dend.pool<average = false, input = [1, 2, 2], kernel = [2, 2], stride = [1, 1], padding = [0, 0, 0, 0]> weight @w
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  // expected-note@+1 {{the port has 3 elements}}
  dend.population @P : @m[3] on @a bind {k = @k}
  // expected-note@+1 {{the source has 4 elements}}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<graded>
  dend.constant @w : tensor<3x1x2x2xf64> = dense<1.0> : tensor<3x1x2x2xf64>
  // expected-error@+1 {{has output (1, 1, 1) for 3 targets}}
  dend.project @x -> @P["I"] #dend.pool<average = false, input = [1, 2, 2], kernel = [2, 2], stride = [1, 1], padding = [0, 0, 0, 0]>
}

// -----
dend.network @n {
  dend.clock @a
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : !dend.fx<24, 0>) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @a bind {k = @k}
  dend.input @x on @a : tensor<1x2x2xf64> as !dend.spike<int, 0, 3>
  // expected-error@+1 {{average pooling needs a real port, found '!dend.fx<24, 0>'; use sum pooling}}
  dend.project @x -> @P["I"] #dend.pool<average = true, input = [1, 2, 2], kernel = [2, 2], stride = [1, 1], padding = [0, 0, 0, 0]>
}

// -----
dend.network @n {
  dend.clock @a
  dend.clock @b divides @a by 2
  dend.clock @c divides @a by 3
  dend.constant @k : tensor<f64> = dense<1.0> : tensor<f64>
  dend.neuron @m ports(%I : f64) params(%k : f64) states(%v : f64 reset sample) outputs(s : !dend.spike<graded>) {
    dend.yield states(%v : f64) emit(%v : f64)
  }
  dend.population @P : @m[3] on @b bind {k = @k}
  dend.population @Q : @m[3] on @c bind {k = @k}
  // expected-error@+1 {{joins clocks @b and @c, neither of which divides the other}}
  dend.project @P -> @Q["I"] #dend.diagonal
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{failed to satisfy constraint: kind of synapses}}
  "dend.project"() {source = @x, target = @P, port = "I", synapses = 3 : i32} : () -> ()
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{requires attribute 'port'}}
  "dend.project"() {source = @x, target = @P, synapses = #dend.dense} : () -> ()
}

// -----
dend.network @n {
  dend.clock @a
  // expected-error@+1 {{source}}
  "dend.project"() {source = 3 : i32, target = @P, port = "I", synapses = #dend.dense} : () -> ()
}
