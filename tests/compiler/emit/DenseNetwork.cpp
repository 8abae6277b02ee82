// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/emit/DenseNetwork.h"

#include <cstring>
#include <fmt/format.h>
#include <iterator>

namespace dendrolith::test {

int denseMantissa(uint32_t k) {
  int magnitude = int(k * 7 % 127) + 1;
  return k % 2 ? magnitude : -magnitude;
}

std::string denseNetwork(uint32_t sources, uint32_t neurons) {
  std::string blob = "0x04000000"; // the elements' alignment
  for (uint32_t k = 0; k < sources * neurons; ++k) {
    float weight = float(denseMantissa(k)) / 128;
    uint32_t bits;
    std::memcpy(&bits, &weight, sizeof bits);
    for (int byte = 0; byte < 4; ++byte)
      fmt::format_to(std::back_inserter(blob), "{:02x}",
                     bits >> (8 * byte) & 255);
  }
  return fmt::format(R"(dend.network @dense {{
    dend.clock @step
    dend.input @x on @step : tensor<{0}xf64> as !dend.spike<graded>
    dend.neuron @lif ports(%I : f64) params(%kv : f64, %theta : f64)
        states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {{
      %v1 = dend.compartment %v drive %I keep %kv : (f64, f64, f64) -> f64
      %s, %v2 = dend.fire %v1, %theta reset value : (f64, f64) -> (i1, f64)
      dend.yield states(%v2 : f64) emit(%s : i1)
    }}
    dend.constant @kv : tensor<f64> = dense<0.5> : tensor<f64>
    dend.constant @theta : tensor<f64> = dense<1.0> : tensor<f64>
    dend.constant @w : tensor<{1}x{0}xf32> = dense_resource<w> : tensor<{1}x{0}xf32>
    dend.population @a : @lif[{1}] on @step bind {{kv = @kv, theta = @theta}}
    dend.project @x -> @a["I"] #dend.dense weight @w delay 0
    dend.output @y = @a["s"]
  }}
  {{-# dialect_resources: {{ builtin: {{ w: "{2}" }} }} #-}}
)",
                     sources, neurons, blob);
}

} // namespace dendrolith::test
