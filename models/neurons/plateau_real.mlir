// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A dendrite with plateaus beside its soma, in reals: input that comes together within a few
// steps lifts the dendrite above 1, which starts a plateau that fades slowly and drives the soma.
//   d' = kd d + Id;  p' = max(kp p, sigmoid(4 (d' - 1)));  v' = kv v + Is + p';  reset to 0
dend.network @plateau_real {
  dend.clock @step
  dend.input @x[3] on @step as binary
  dend.neuron @plateau ports(%Id, %Is) params(%kd, %kp, %kv, %theta)
      states(%d, %p, %v) outputs(s) {
    %d1 = dend.compartment %d drive %Id keep %kd
    %one = dend.literal 1.0
    %above = dend.sub %d1, %one
    %slope = dend.literal 4.0
    %steep = dend.mul %slope, %above
    %start = dend.math sigmoid %steep
    %fading = dend.mul %kp, %p
    %p1 = dend.max %fading, %start
    %drive = dend.add %Is, %p1
    %v1 = dend.compartment %v drive %drive keep %kv
    %s, %v2 = dend.fire %v1, %theta reset value
    dend.yield states(%d1, %p1, %v2) emit(%s)
  }
  dend.constant @kd = 0.7
  dend.constant @kp = 0.95
  dend.constant @kv = 0.9
  dend.constant @theta = 4.0
  dend.constant @Wd = [[0.6, 0.5, -0.2], [0.3, 0.7, 0.4]]
  dend.constant @Ws = [[0.1, 0.0, 0.3], [0.2, 0.2, 0.0]]
  dend.population @n : @plateau[2] on @step bind {kd = @kd, kp = @kp, kv = @kv, theta = @theta}
  dend.project @x -> @n["Id"] weight @Wd
  dend.project @x -> @n["Is"] weight @Ws delay 1
  dend.output @spikes = @n["s"]
  dend.output @p = probe @n["p"]
}
