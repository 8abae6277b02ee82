// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/dend/TypeSyntax.cpp and dialects/dend/NetworkSyntax.cpp.
// What the syntax refuses, and what it takes the user to have meant.
// RUN: dendrolith-opt %s --verify-diagnostics --split-input-file

dend.network @n {
  dend.neuron @m ports(%I) states(%v) outputs(s) {
    // expected-error@+1 {{'dend.compartmnt' is unknown, did you mean 'dend.compartment'?}}
    %v1 = dend.compartmnt %v drive %I keep %v
  }
}

// -----
dend.network @n {
  dend.neuron @m ports(%input) states(%v) {
    // expected-error@+1 {{needs the type of '%imput', which is no value so far, did you mean '%input'?}}
    %v1 = dend.add %v, %imput
    dend.yield states(%v1)
  }
}

// -----
dend.network @n {
  dend.neuron @m ports(%I) states(%v) {
    // expected-error@+1 {{needs the type of '%potential', which is no value so far; there is '%I', '%v'}}
    dend.yield states(%potential)
  }
}

// -----
dend.network @n {
  dend.neuron @m states(%v : !dend.fx<24, 0>) {
    // expected-error@+1 {{needs the type of its result, which does not follow from its operands: write '-> !dend.fx<24, 0>'}}
    %r = dend.rescale %v round floor overflow wrap
    dend.yield states(%r)
  }
}

// -----
dend.network @n {
  dend.neuron @m ports(%I) {
    // expected-error@+1 {{needs a type, which follows from real numbers alone, found 1 : i64; write 1.0 for 1}}
    %one = dend.literal 1
    dend.yield
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{needs the type of output "y", which does not follow from '!dend.fx<24, 0>': write it, as in 's : int<-4, 4>'}}
  dend.neuron @m ports(%I : !dend.fx<24, 0>) outputs(y) {
    dend.yield emit(%I)
  }
}

// -----
dend.network @n {
  // expected-error@+1 {{found 'state', did you mean 'states'?}}
  dend.neuron @m ports(%I) state(%v) {
    dend.yield
  }
}

// -----
dend.network @n {
  dend.clock @step
  // expected-error@+1 {{has no kind of spike 'binry', did you mean 'binary'?}}
  dend.input @x[4] on @step as binry
}

// -----
dend.network @n {
  dend.clock @step
  // expected-error@+1 {{has the shape (4, 0), expected extents above 0}}
  dend.input @x[4, 0] on @step
}

// -----
dend.network @n {
  // expected-error@+1 {{holds lists of different lengths, which are no array}}
  dend.constant @w = [[1.0, 2.0], [1.0]]
}

// -----
dend.network @n {
  // expected-error@+1 {{holds an array of shape (2,), expected (3,)}}
  dend.constant @w : tensor<3xf64> = [1.0, 2.0]
}

// -----
dend.network @n {
  // expected-error@+1 {{expected elements or numbers of 'i8', found 300}}
  dend.constant @w : tensor<1xi8> = [300]
}

// -----
dend.network @names {
  dend.clock @step
  dend.input @x[1] on @step
  dend.constant @w = [[1.0]]
  // expected-note@+1 {{declared here}}
  dend.neuron @relay ports(%drive) params(%gain) states(%v) outputs(y) {
    dend.yield states(%drive) emit(%v)
  }
  dend.constant @gain = 1.0
  dend.population @n : @relay[1] on @step bind {gain = @gain}
  // expected-error@+1 {{feeds port "drvie", which model "relay" does not have, did you mean 'drive'?}}
  dend.project @x -> @n["drvie"] weight @w
}

// -----
dend.network @names {
  dend.clock @step
  // expected-note@+1 {{declared here}}
  dend.neuron @relay ports(%drive) params(%gain) states(%v) outputs(y) {
    dend.yield states(%drive) emit(%v)
  }
  dend.constant @gain = 1.0
  // expected-error@+1 {{binds "gian", which is no parameter of its model, did you mean 'gain'?}}
  dend.population @n : @relay[1] on @step bind {gian = @gain}
}

// -----
dend.network @names {
  dend.clock @step
  dend.neuron @relay ports(%drive) outputs(y) {
    dend.yield emit(%drive)
  }
  // expected-error@+1 {{model @rely is not in the network, did you mean 'relay'?}}
  dend.population @n : @rely[1] on @step
}

// -----
dend.network @names {
  dend.clock @step
  // expected-note@+1 {{declared here}}
  dend.neuron @relay ports(%drive) states(%potential) outputs(y) {
    dend.yield states(%drive) emit(%drive)
  }
  dend.population @n : @relay[1] on @step
  // expected-error@+1 {{reads state "potental", which model "relay" does not have, did you mean 'potential'?}}
  dend.output @p = probe @n["potental"]
}
