// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests dialects/chip/ImageVerify.cpp, dialects/chip/CoreVerify.cpp.
// What the tables of a program refuse.
// RUN: dendrolith-opt %s --verify-diagnostics --split-input-file

// expected-error@+1 {{has period 0, expected 1 to 2147483647}}
chip.program_image @n target "t" period 0 depth 1 {
}

// -----
// expected-error@+1 {{has depth -1, expected 0 to 2147483647}}
chip.program_image @n target "t" period 1 depth -1 {
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-note@+1 {{the first is here}}
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  // expected-error@+1 {{is the second called 'L0'}}
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-note@+1 {{the first is here}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
  // expected-error@+1 {{is the second called 'x'}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-note@+1 {{the first is here}}
  chip.core 4 {
  }
  // expected-error@+1 {{is the second with id 4}}
  chip.core 4 {
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has id -1, expected 0 to 2147483647}}
  chip.core -1 {
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{reads population 'L0', which the program does not have}}
  chip.output "y" [3] = spikes "L0"["s"] scale 1.0
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{cannot stand in a chip.program_image}}
  builtin.module {
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has a shape that is empty or too large}}
  chip.population "L0" : "lif" [3, 0] phase 1 scale 64.0
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has scale -1.000000e+00, expected a positive number or 0 for none}}
  chip.population "L0" : "lif" [3] phase 1 scale -1.0
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has a negative phase}}
  chip.population "L0" : "lif" [3] phase -1 scale 64.0
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has a shape that is empty or too large}}
  chip.input "x" [-2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has range 2 to 1}}
  chip.input "x" [2] integer false range 2, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has scale 0.000000e+00, expected a positive number}}
  chip.input "x" [2] integer false range 0, 1 scale 0.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has a negative phase}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase -2 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon_begin has 3 entries for 3 sources, expected 4}}
  chip.input "x" [3] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon_begin runs from 0 to 3, expected 0 to the 2 axon rows}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 3]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon_begin falls at source 1}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 3, 2]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon row 0 is (-1, -1), expected a core and an axon of 0 or more}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<-1> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon_begin has type 'tensor<3xi64>', expected tensor<n x i32>}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi64>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon_rows has type 'tensor<2x3xi32>', expected tensor<n x 2 x i32>}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense<[0, 1, 2]> : tensor<3xi32>, dense<0> : tensor<2x3xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon_begin refers to resource 'b' of 4 bytes, expected 12 for 'tensor<3xi32>'}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons dense_resource<b> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}
{-#
  dialect_resources: { builtin: { b: "0x0400000001000000" } }
#-}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{axon_begin needs dense or dense_resource elements}}
  chip.input "x" [2] integer false range 0, 1 scale 1.0 phase 0 axons sparse<[[1]], [1]> : tensor<3xi32>, dense<0> : tensor<2x2xi32>
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.core 0 {
    // expected-error@+1 {{holds neurons of 'L0', which the program does not have}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-note@+1 {{the population is declared here}}
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{holds neurons up to 4 of 3}}
    chip.group "L0" neurons 2 + 2 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{first neuron is -1, expected 0 to 2147483647}}
    chip.group "L0" neurons -1 + 2 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{base is -1, expected 0 to 2147483647}}
    chip.group "L0" neurons 0 + 2 base -1 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{phase is -1, expected 0 to 2147483647}}
    chip.group "L0" neurons 0 + 2 base 0 phase -1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{has 0 neurons, expected 1 to 2147483647}}
    chip.group "L0" neurons 0 + 0 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{duplicate or unknown struct parameter name: decay}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <decay = 1 : i32, bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{struct is missing required parameter: bias}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{cuba 'bias' must be an array of i32}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = 0 : i32, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{bias has type 'tensor<1xi64>', expected tensor<n x i32>}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = dense<0> : tensor<1xi64>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{cuba 'bias' has 3 values, expected 1 or 2}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = array<i32: 0, 1, 2>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{cuba 'decay_u' holds 4096 at 0, expected -1 to 4095}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4096>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{cuba 'decay_v' holds -1 at 0, expected 0 to 4096}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: -1>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+2 {{expected integer value}}
    // expected-error@+1 {{failed to parse Chip_Cuba parameter 'vmin' which is to be a `int64_t`}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <vmin = "low", bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{axon_begin has 3 entries for 1 sources, expected 2}}
    chip.group "L0" neurons 0 + 1 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-note@+1 {{the other group ends at 2}}
    chip.group "L0" neurons 0 + 2 base 0 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
    // expected-error@+1 {{starts at accumulator 1, inside another group of core 0}}
    chip.group "L0" neurons 1 + 2 base 1 phase 1 cuba <bias = array<i32: 0>, decay_u = array<i32: 4095>, decay_v = array<i32: 128>, threshold = array<i32: 64>> axons dense<0> : tensor<3xi32>, dense<> : tensor<0x2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-note@+1 {{the first is here}}
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
    // expected-error@+1 {{is the second of core 0}}
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
    // expected-note@+1 {{the first is here}}
    chip.in_axons dense<[[0, 0, 0, 0]]> : tensor<1x4xi32>
    // expected-error@+1 {{is the second of core 0}}
    chip.in_axons dense<[[0, 0, 0, 0]]> : tensor<1x4xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{cannot stand in a chip.core}}
    builtin.module {
    }
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{row 0 names synapse list 0 of 0}}
    chip.in_axons dense<[[0, 0, 0, 0]]> : tensor<1x4xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
    // expected-error@+1 {{row 0 names synapse list 1 of 1}}
    chip.in_axons dense<[[1, 0, 0, 0]]> : tensor<1x4xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
    // expected-error@+1 {{row 0 has -1 in column 1, expected 0 to 2147483647}}
    chip.in_axons dense<[[0, -1, 0, 0]]> : tensor<1x4xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
    // expected-error@+1 {{row 0 has 65536 in column 3, expected 0 to 65535}}
    chip.in_axons dense<[[0, 0, 0, 65536]]> : tensor<1x4xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{rows has type 'tensor<1x3xi32>', expected tensor<n x 4 x i32>}}
    chip.in_axons dense<0> : tensor<1x3xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{shapes has type 'tensor<1x7xi32>', expected tensor<n x 6 x i32>}}
    chip.synapses shapes dense<0> : tensor<1x7xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{weights has type 'tensor<2xi8>', expected tensor<n x i16>}}
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi8> offsets dense<0> : tensor<2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{shape 0 has -1 in column 3, expected 0 or more}}
    chip.synapses shapes dense<[[2, 1, 0, -1, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{shape 0 has kind 3, expected 0 (dense), 1 (sparse) or 2 (conv)}}
    chip.synapses shapes dense<[[2, 1, 3, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{list 0 ends at weight 3 of 2}}
    chip.synapses shapes dense<[[3, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{has 3 delays of 2 weights}}
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32> delays dense<1> : tensor<3xi16>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{weight 1 has a delay of -1, expected 0 or more}}
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32> delays dense<[0, -1]> : tensor<2xi16>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{list 1 ends at offset 2 of 1}}
    chip.synapses shapes dense<[[1, 1, 1, 6, 8, 8], [1, 1, 2, 6, 8, 8]]> : tensor<2x6xi32> lists dense<[0, 1]> : tensor<2xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<1xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{shape 0 has 256 in column 4, expected at most 255}}
    chip.synapses shapes dense<[[2, 1, 0, 6, 256, 0]]> : tensor<1x6xi32> lists dense<0> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.population "L0" : "lif" [3] phase 1 scale 64.0
  chip.core 0 {
    // expected-error@+1 {{list 0 has shape 1 of 1}}
    chip.synapses shapes dense<[[2, 1, 0, 6, 8, 0]]> : tensor<1x6xi32> lists dense<1> : tensor<1xi32> weights dense<1> : tensor<2xi16> offsets dense<0> : tensor<2xi32>
  }
}

// -----
// expected-error@+1 {{expects parent op 'chip.program_image'}}
chip.core 0 {
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.core 0 {
    // expected-error@+1 {{duplicate or unknown struct parameter name: element}}
    chip.program "m" registers 0 ports [#chip.port<name = "I", element = 1>] states [] params [] outputs [] code dense<> : tensor<0x6xi64> constants dense<> : tensor<0xi64>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  chip.core 0 {
    // expected-error@+1 {{attribute 'states' failed to satisfy constraint: states}}
    chip.program "m" registers 0 ports [] states [#chip.port<name = "I", elements = 1>] params [] outputs [] code dense<> : tensor<0x6xi64> constants dense<> : tensor<0xi64>
  }
}

// -----
chip.program_image @n target "t" period 1 depth 1 {
  // expected-error@+1 {{has no attribute 'phases'; it has 'calibrated', 'model'}}
  chip.population "L0" : "lif" [3] phase 1 scale 64.0 {phases = 2 : i64}
}
