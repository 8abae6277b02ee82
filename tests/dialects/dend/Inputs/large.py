# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Writes a network of 1000 neurons that are joined twice, all to all.
import array

N = 1000
weights = array.array("f", (k % 251 - 125 for k in range(N * N)))
pairs = array.array("i", (i for s in range(N) for t in range(N) for i in (t, s)))


def blob(values):
    # Four bytes of alignment precede the elements.
    return '"0x04000000' + values.tobytes().hex() + '"'


print(
    f"""dend.network @large {{
  dend.clock @step
  dend.constant @dense : tensor<{N}x{N}xf32> = dense_resource<dense> : tensor<{N}x{N}xf32>
  dend.constant @sparse : tensor<{N * N}xf32> = dense_resource<sparse> : tensor<{N * N}xf32>
  dend.constant @pairs : tensor<{N * N}x2xi32> = dense_resource<pairs> : tensor<{N * N}x2xi32>
  dend.neuron @m ports(%I : f64) outputs(s : !dend.spike<graded>) {{
    dend.yield emit(%I : f64)
  }}
  dend.population @P : @m[{N}] on @step
  dend.project @P -> @P["I"] #dend.dense weight @dense delay 1
  dend.project @P -> @P["I"] #dend.sparse weight @sparse indices @pairs delay 1
}}
{{-# dialect_resources: {{ builtin: {{
  dense: {blob(weights)}, sparse: {blob(weights)}, pairs: {blob(pairs)}
}} }} #-}}"""
)
