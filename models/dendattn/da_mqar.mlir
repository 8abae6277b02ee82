// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DendAttn (models/dendattn/README.md) at the size of da_mqar: two layers, one head
// of width 32, one shared and three routed branches (the best two are taken), two
// overlapping key blocks of 20 rows per branch, each with a matrix state.
dend.network @da_mqar {
  dend.clock @token
  dend.input @tok on @token : tensor<64xf64> as !dend.spike<graded>

  // Residual stream: passes h on, and h over its root mean square.
  dend.neuron @residual ports(%h : tensor<32xf64>)
      outputs(h[32] : !dend.spike<graded>, n[32] : !dend.spike<graded>) {
    %sum = dend.dot %h, %h : (tensor<32xf64>, tensor<32xf64>) -> f64
    %width = dend.literal 32.0 : f64 as f64
    %mean = dend.div %sum, %width : (f64, f64) -> f64
    %epsilon = dend.literal 1.0e-06 : f64 as f64
    %under = dend.add %mean, %epsilon : (f64, f64) -> f64
    %rms = dend.math sqrt %under : (f64) -> f64
    %n = dend.div %h, %rms : (tensor<32xf64>, f64) -> tensor<32xf64>
    dend.yield emit(%h, %n : tensor<32xf64>, tensor<32xf64>)
  }

  dend.neuron @head ports(%qi : tensor<32xf64>, %ki : tensor<32xf64>, %vi : tensor<32xf64>,
          %betai : tensor<4xf64>, %gi : tensor<4xf64>)
      params(%Wr : tensor<3x32xf64>,
          %EQ0 : tensor<32x32xf64>, %EK0 : tensor<32x32xf64>,
          %EQ1 : tensor<32x32xf64>, %EK1 : tensor<32x32xf64>,
          %EQ2 : tensor<32x32xf64>, %EK2 : tensor<32x32xf64>,
          %EQ3 : tensor<32x32xf64>, %EK3 : tensor<32x32xf64>)
      states(%S00 : tensor<20x32xf64> reset sample,
          %S01 : tensor<20x32xf64> reset sample,
          %S10 : tensor<20x32xf64> reset sample,
          %S11 : tensor<20x32xf64> reset sample,
          %S20 : tensor<20x32xf64> reset sample,
          %S21 : tensor<20x32xf64> reset sample,
          %S30 : tensor<20x32xf64> reset sample,
          %S31 : tensor<20x32xf64> reset sample)
      outputs(o[32] : !dend.spike<graded>) {
    %qs = dend.math sigmoid %qi : (tensor<32xf64>) -> tensor<32xf64>
    %q = dend.mul %qi, %qs : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
    %ks = dend.math sigmoid %ki : (tensor<32xf64>) -> tensor<32xf64>
    %k = dend.mul %ki, %ks : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
    %vs = dend.math sigmoid %vi : (tensor<32xf64>) -> tensor<32xf64>
    %v = dend.mul %vi, %vs : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
    %beta = dend.math sigmoid %betai : (tensor<4xf64>) -> tensor<4xf64>
    %g = dend.math sigmoid %gi : (tensor<4xf64>) -> tensor<4xf64>
    // Router: softmax over the routed branches, the best two run.
    %score = dend.matvec %Wr, %q : (tensor<3x32xf64>, tensor<32xf64>) -> tensor<3xf64>
    %best = dend.reduce max %score : (tensor<3xf64>) -> f64
    %below = dend.sub %score, %best : (tensor<3xf64>, f64) -> tensor<3xf64>
    %ex = dend.math exp %below : (tensor<3xf64>) -> tensor<3xf64>
    %all = dend.reduce sum %ex : (tensor<3xf64>) -> f64
    %r = dend.div %ex, %all : (tensor<3xf64>, f64) -> tensor<3xf64>
    %taken = dend.topk %r, 2 : (tensor<3xf64>) -> tensor<3xi1>
    %floor = dend.literal 1.0e-12 : f64 as f64
    %none = dend.literal dense<0.0> : tensor<32xf64> as tensor<32xf64>
    %beta0 = dend.element %beta[0] : (tensor<4xf64>) -> f64
    %g0 = dend.element %g[0] : (tensor<4xf64>) -> f64
    %beta1 = dend.element %beta[1] : (tensor<4xf64>) -> f64
    %g1 = dend.element %g[1] : (tensor<4xf64>) -> f64
    %beta2 = dend.element %beta[2] : (tensor<4xf64>) -> f64
    %g2 = dend.element %g[2] : (tensor<4xf64>) -> f64
    %beta3 = dend.element %beta[3] : (tensor<4xf64>) -> f64
    %g3 = dend.element %g[3] : (tensor<4xf64>) -> f64
    // The shared branch always runs, with weight 1.
    %qe0 = dend.matvec %EQ0, %q : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
    %ke0 = dend.matvec %EK0, %k : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
    %qb00 = dend.slice %qe0[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
    %qd00 = dend.dot %qb00, %qb00 : (tensor<20xf64>, tensor<20xf64>) -> f64
    %qr00 = dend.math sqrt %qd00 : (f64) -> f64
    %qm00 = dend.max %qr00, %floor : (f64, f64) -> f64
    %qn00 = dend.div %qb00, %qm00 : (tensor<20xf64>, f64) -> tensor<20xf64>
    %kb00 = dend.slice %ke0[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
    %kd00 = dend.dot %kb00, %kb00 : (tensor<20xf64>, tensor<20xf64>) -> f64
    %kr00 = dend.math sqrt %kd00 : (f64) -> f64
    %km00 = dend.max %kr00, %floor : (f64, f64) -> f64
    %kn00 = dend.div %kb00, %km00 : (tensor<20xf64>, f64) -> tensor<20xf64>
    %D00 = dend.mul %g0, %S00 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
    %p00 = dend.vecmat %kn00, %D00 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
    %N00 = dend.delta_rule %S00 key %kn00 target %v prediction %p00 keep %g0 rate %beta0
        : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
    %o00 = dend.vecmat %qn00, %N00 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
    %qb01 = dend.slice %qe0[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
    %qd01 = dend.dot %qb01, %qb01 : (tensor<20xf64>, tensor<20xf64>) -> f64
    %qr01 = dend.math sqrt %qd01 : (f64) -> f64
    %qm01 = dend.max %qr01, %floor : (f64, f64) -> f64
    %qn01 = dend.div %qb01, %qm01 : (tensor<20xf64>, f64) -> tensor<20xf64>
    %kb01 = dend.slice %ke0[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
    %kd01 = dend.dot %kb01, %kb01 : (tensor<20xf64>, tensor<20xf64>) -> f64
    %kr01 = dend.math sqrt %kd01 : (f64) -> f64
    %km01 = dend.max %kr01, %floor : (f64, f64) -> f64
    %kn01 = dend.div %kb01, %km01 : (tensor<20xf64>, f64) -> tensor<20xf64>
    %D01 = dend.mul %g0, %S01 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
    %p01 = dend.vecmat %kn01, %D01 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
    %N01 = dend.delta_rule %S01 key %kn01 target %v prediction %p01 keep %g0 rate %beta0
        : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
    %o01 = dend.vecmat %qn01, %N01 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
    %both0 = dend.add %o00, %o01 : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
    // Routed branch 1: frozen where it is not taken.
    %c1 = dend.element %taken[0] : (tensor<3xi1>) -> i1
    %w1 = dend.element %r[0] : (tensor<3xf64>) -> f64
    %F10, %F11, %t1 = dend.when %c1 keep(%S10, %S11, %none
        : tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>)
        -> (tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>) {
      %qe1 = dend.matvec %EQ1, %q : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %ke1 = dend.matvec %EK1, %k : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %qb10 = dend.slice %qe1[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %qd10 = dend.dot %qb10, %qb10 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %qr10 = dend.math sqrt %qd10 : (f64) -> f64
      %qm10 = dend.max %qr10, %floor : (f64, f64) -> f64
      %qn10 = dend.div %qb10, %qm10 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %kb10 = dend.slice %ke1[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %kd10 = dend.dot %kb10, %kb10 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %kr10 = dend.math sqrt %kd10 : (f64) -> f64
      %km10 = dend.max %kr10, %floor : (f64, f64) -> f64
      %kn10 = dend.div %kb10, %km10 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %D10 = dend.mul %g1, %S10 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
      %p10 = dend.vecmat %kn10, %D10 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %N10 = dend.delta_rule %S10 key %kn10 target %v prediction %p10 keep %g1 rate %beta1
          : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
      %o10 = dend.vecmat %qn10, %N10 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %qb11 = dend.slice %qe1[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %qd11 = dend.dot %qb11, %qb11 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %qr11 = dend.math sqrt %qd11 : (f64) -> f64
      %qm11 = dend.max %qr11, %floor : (f64, f64) -> f64
      %qn11 = dend.div %qb11, %qm11 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %kb11 = dend.slice %ke1[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %kd11 = dend.dot %kb11, %kb11 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %kr11 = dend.math sqrt %kd11 : (f64) -> f64
      %km11 = dend.max %kr11, %floor : (f64, f64) -> f64
      %kn11 = dend.div %kb11, %km11 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %D11 = dend.mul %g1, %S11 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
      %p11 = dend.vecmat %kn11, %D11 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %N11 = dend.delta_rule %S11 key %kn11 target %v prediction %p11 keep %g1 rate %beta1
          : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
      %o11 = dend.vecmat %qn11, %N11 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %both1 = dend.add %o10, %o11 : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %part1 = dend.mul %w1, %both1 : (f64, tensor<32xf64>) -> tensor<32xf64>
      dend.give %N10, %N11, %part1
          : tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>
    }
    %a1 = dend.add %both0, %t1 : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
    // Routed branch 2: frozen where it is not taken.
    %c2 = dend.element %taken[1] : (tensor<3xi1>) -> i1
    %w2 = dend.element %r[1] : (tensor<3xf64>) -> f64
    %F20, %F21, %t2 = dend.when %c2 keep(%S20, %S21, %none
        : tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>)
        -> (tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>) {
      %qe2 = dend.matvec %EQ2, %q : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %ke2 = dend.matvec %EK2, %k : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %qb20 = dend.slice %qe2[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %qd20 = dend.dot %qb20, %qb20 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %qr20 = dend.math sqrt %qd20 : (f64) -> f64
      %qm20 = dend.max %qr20, %floor : (f64, f64) -> f64
      %qn20 = dend.div %qb20, %qm20 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %kb20 = dend.slice %ke2[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %kd20 = dend.dot %kb20, %kb20 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %kr20 = dend.math sqrt %kd20 : (f64) -> f64
      %km20 = dend.max %kr20, %floor : (f64, f64) -> f64
      %kn20 = dend.div %kb20, %km20 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %D20 = dend.mul %g2, %S20 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
      %p20 = dend.vecmat %kn20, %D20 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %N20 = dend.delta_rule %S20 key %kn20 target %v prediction %p20 keep %g2 rate %beta2
          : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
      %o20 = dend.vecmat %qn20, %N20 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %qb21 = dend.slice %qe2[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %qd21 = dend.dot %qb21, %qb21 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %qr21 = dend.math sqrt %qd21 : (f64) -> f64
      %qm21 = dend.max %qr21, %floor : (f64, f64) -> f64
      %qn21 = dend.div %qb21, %qm21 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %kb21 = dend.slice %ke2[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %kd21 = dend.dot %kb21, %kb21 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %kr21 = dend.math sqrt %kd21 : (f64) -> f64
      %km21 = dend.max %kr21, %floor : (f64, f64) -> f64
      %kn21 = dend.div %kb21, %km21 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %D21 = dend.mul %g2, %S21 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
      %p21 = dend.vecmat %kn21, %D21 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %N21 = dend.delta_rule %S21 key %kn21 target %v prediction %p21 keep %g2 rate %beta2
          : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
      %o21 = dend.vecmat %qn21, %N21 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %both2 = dend.add %o20, %o21 : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %part2 = dend.mul %w2, %both2 : (f64, tensor<32xf64>) -> tensor<32xf64>
      dend.give %N20, %N21, %part2
          : tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>
    }
    %a2 = dend.add %a1, %t2 : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
    // Routed branch 3: frozen where it is not taken.
    %c3 = dend.element %taken[2] : (tensor<3xi1>) -> i1
    %w3 = dend.element %r[2] : (tensor<3xf64>) -> f64
    %F30, %F31, %t3 = dend.when %c3 keep(%S30, %S31, %none
        : tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>)
        -> (tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>) {
      %qe3 = dend.matvec %EQ3, %q : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %ke3 = dend.matvec %EK3, %k : (tensor<32x32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %qb30 = dend.slice %qe3[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %qd30 = dend.dot %qb30, %qb30 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %qr30 = dend.math sqrt %qd30 : (f64) -> f64
      %qm30 = dend.max %qr30, %floor : (f64, f64) -> f64
      %qn30 = dend.div %qb30, %qm30 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %kb30 = dend.slice %ke3[0, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %kd30 = dend.dot %kb30, %kb30 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %kr30 = dend.math sqrt %kd30 : (f64) -> f64
      %km30 = dend.max %kr30, %floor : (f64, f64) -> f64
      %kn30 = dend.div %kb30, %km30 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %D30 = dend.mul %g3, %S30 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
      %p30 = dend.vecmat %kn30, %D30 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %N30 = dend.delta_rule %S30 key %kn30 target %v prediction %p30 keep %g3 rate %beta3
          : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
      %o30 = dend.vecmat %qn30, %N30 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %qb31 = dend.slice %qe3[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %qd31 = dend.dot %qb31, %qb31 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %qr31 = dend.math sqrt %qd31 : (f64) -> f64
      %qm31 = dend.max %qr31, %floor : (f64, f64) -> f64
      %qn31 = dend.div %qb31, %qm31 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %kb31 = dend.slice %ke3[12, 20] : (tensor<32xf64>) -> tensor<20xf64>
      %kd31 = dend.dot %kb31, %kb31 : (tensor<20xf64>, tensor<20xf64>) -> f64
      %kr31 = dend.math sqrt %kd31 : (f64) -> f64
      %km31 = dend.max %kr31, %floor : (f64, f64) -> f64
      %kn31 = dend.div %kb31, %km31 : (tensor<20xf64>, f64) -> tensor<20xf64>
      %D31 = dend.mul %g3, %S31 : (f64, tensor<20x32xf64>) -> tensor<20x32xf64>
      %p31 = dend.vecmat %kn31, %D31 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %N31 = dend.delta_rule %S31 key %kn31 target %v prediction %p31 keep %g3 rate %beta3
          : (tensor<20x32xf64>, tensor<20xf64>, tensor<32xf64>, tensor<32xf64>, f64, f64) -> tensor<20x32xf64>
      %o31 = dend.vecmat %qn31, %N31 : (tensor<20xf64>, tensor<20x32xf64>) -> tensor<32xf64>
      %both3 = dend.add %o30, %o31 : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
      %part3 = dend.mul %w3, %both3 : (f64, tensor<32xf64>) -> tensor<32xf64>
      dend.give %N30, %N31, %part3
          : tensor<20x32xf64>, tensor<20x32xf64>, tensor<32xf64>
    }
    %a3 = dend.add %a2, %t3 : (tensor<32xf64>, tensor<32xf64>) -> tensor<32xf64>
    %sum = dend.dot %a3, %a3 : (tensor<32xf64>, tensor<32xf64>) -> f64
    %width = dend.literal 32.0 : f64 as f64
    %mean = dend.div %sum, %width : (f64, f64) -> f64
    %epsilon = dend.literal 1.0e-06 : f64 as f64
    %under = dend.add %mean, %epsilon : (f64, f64) -> f64
    %rms = dend.math sqrt %under : (f64) -> f64
    %o = dend.div %a3, %rms : (tensor<32xf64>, f64) -> tensor<32xf64>
    dend.yield states(%N00, %N01, %F10, %F11, %F20, %F21, %F30, %F31
        : tensor<20x32xf64>, tensor<20x32xf64>, tensor<20x32xf64>,
          tensor<20x32xf64>, tensor<20x32xf64>, tensor<20x32xf64>,
          tensor<20x32xf64>, tensor<20x32xf64>)
        emit(%o : tensor<32xf64>)
  }
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }

  dend.constant @emb : tensor<32x64xf64> extern "emb"
  dend.constant @head_W : tensor<64x32xf64> extern "head"
  dend.constant @l0_Wq0 : tensor<32x32xf64> extern "l0_Wq0"
  dend.constant @l0_Wq1 : tensor<32x32xf64> extern "l0_Wq1"
  dend.constant @l0_Wk0 : tensor<32x32xf64> extern "l0_Wk0"
  dend.constant @l0_Wk1 : tensor<32x32xf64> extern "l0_Wk1"
  dend.constant @l0_Wv0 : tensor<32x32xf64> extern "l0_Wv0"
  dend.constant @l0_Wv1 : tensor<32x32xf64> extern "l0_Wv1"
  dend.constant @l0_Wo : tensor<32x32xf64> extern "l0_Wo"
  dend.constant @l0_Wbeta : tensor<4x32xf64> extern "l0_Wbeta"
  dend.constant @l0_bbeta : tensor<4xf64> extern "l0_bbeta"
  dend.constant @l0_Wg : tensor<4x32xf64> extern "l0_Wg"
  dend.constant @l0_bg : tensor<4xf64> extern "l0_bg"
  dend.constant @l0_Wr : tensor<3x32xf64> extern "l0_Wr" at [0]
  dend.constant @l0_EQ0 : tensor<32x32xf64> extern "l0_EQ_e0" at [0]
  dend.constant @l0_EK0 : tensor<32x32xf64> extern "l0_EK_e0" at [0]
  dend.constant @l0_EQ1 : tensor<32x32xf64> extern "l0_EQ_e1" at [0]
  dend.constant @l0_EK1 : tensor<32x32xf64> extern "l0_EK_e1" at [0]
  dend.constant @l0_EQ2 : tensor<32x32xf64> extern "l0_EQ_e2" at [0]
  dend.constant @l0_EK2 : tensor<32x32xf64> extern "l0_EK_e2" at [0]
  dend.constant @l0_EQ3 : tensor<32x32xf64> extern "l0_EQ_e3" at [0]
  dend.constant @l0_EK3 : tensor<32x32xf64> extern "l0_EK_e3" at [0]
  dend.constant @l1_Wq0 : tensor<32x32xf64> extern "l1_Wq0"
  dend.constant @l1_Wq1 : tensor<32x32xf64> extern "l1_Wq1"
  dend.constant @l1_Wk0 : tensor<32x32xf64> extern "l1_Wk0"
  dend.constant @l1_Wk1 : tensor<32x32xf64> extern "l1_Wk1"
  dend.constant @l1_Wv0 : tensor<32x32xf64> extern "l1_Wv0"
  dend.constant @l1_Wv1 : tensor<32x32xf64> extern "l1_Wv1"
  dend.constant @l1_Wo : tensor<32x32xf64> extern "l1_Wo"
  dend.constant @l1_Wbeta : tensor<4x32xf64> extern "l1_Wbeta"
  dend.constant @l1_bbeta : tensor<4xf64> extern "l1_bbeta"
  dend.constant @l1_Wg : tensor<4x32xf64> extern "l1_Wg"
  dend.constant @l1_bg : tensor<4xf64> extern "l1_bg"
  dend.constant @l1_Wr : tensor<3x32xf64> extern "l1_Wr" at [0]
  dend.constant @l1_EQ0 : tensor<32x32xf64> extern "l1_EQ_e0" at [0]
  dend.constant @l1_EK0 : tensor<32x32xf64> extern "l1_EK_e0" at [0]
  dend.constant @l1_EQ1 : tensor<32x32xf64> extern "l1_EQ_e1" at [0]
  dend.constant @l1_EK1 : tensor<32x32xf64> extern "l1_EK_e1" at [0]
  dend.constant @l1_EQ2 : tensor<32x32xf64> extern "l1_EQ_e2" at [0]
  dend.constant @l1_EK2 : tensor<32x32xf64> extern "l1_EK_e2" at [0]
  dend.constant @l1_EQ3 : tensor<32x32xf64> extern "l1_EQ_e3" at [0]
  dend.constant @l1_EK3 : tensor<32x32xf64> extern "l1_EK_e3" at [0]

  dend.population @R0 : @residual[1] on @token
  dend.population @R1 : @residual[1] on @token
  dend.population @R2 : @residual[1] on @token
  dend.population @H0 : @head[1] on @token bind {
      Wr = @l0_Wr, EQ0 = @l0_EQ0, EK0 = @l0_EK0, EQ1 = @l0_EQ1, EK1 = @l0_EK1,
      EQ2 = @l0_EQ2, EK2 = @l0_EK2, EQ3 = @l0_EQ3, EK3 = @l0_EK3}
  dend.population @H1 : @head[1] on @token bind {
      Wr = @l1_Wr, EQ0 = @l1_EQ0, EK0 = @l1_EK0, EQ1 = @l1_EQ1, EK1 = @l1_EK1,
      EQ2 = @l1_EQ2, EK2 = @l1_EK2, EQ3 = @l1_EQ3, EK3 = @l1_EK3}
  dend.population @out : @linear[64] on @token

  dend.project @tok -> @R0["h"] #dend.dense weight @emb delay 0
  // Layer 0: the two taps of each convolution are two projections.
  dend.project @R0["n"] -> @H0["qi"] #dend.dense weight @l0_Wq0 delay 0
  dend.project @R0["n"] -> @H0["qi"] #dend.dense weight @l0_Wq1 delay 1
  dend.project @R0["n"] -> @H0["ki"] #dend.dense weight @l0_Wk0 delay 0
  dend.project @R0["n"] -> @H0["ki"] #dend.dense weight @l0_Wk1 delay 1
  dend.project @R0["n"] -> @H0["vi"] #dend.dense weight @l0_Wv0 delay 0
  dend.project @R0["n"] -> @H0["vi"] #dend.dense weight @l0_Wv1 delay 1
  dend.project @R0["n"] -> @H0["betai"] #dend.dense weight @l0_Wbeta bias @l0_bbeta delay 0
  dend.project @R0["n"] -> @H0["gi"] #dend.dense weight @l0_Wg bias @l0_bg delay 0
  dend.project @R0["h"] -> @R1["h"] #dend.diagonal delay 0
  dend.project @H0["o"] -> @R1["h"] #dend.dense weight @l0_Wo delay 0
  // Layer 1: the two taps of each convolution are two projections.
  dend.project @R1["n"] -> @H1["qi"] #dend.dense weight @l1_Wq0 delay 0
  dend.project @R1["n"] -> @H1["qi"] #dend.dense weight @l1_Wq1 delay 1
  dend.project @R1["n"] -> @H1["ki"] #dend.dense weight @l1_Wk0 delay 0
  dend.project @R1["n"] -> @H1["ki"] #dend.dense weight @l1_Wk1 delay 1
  dend.project @R1["n"] -> @H1["vi"] #dend.dense weight @l1_Wv0 delay 0
  dend.project @R1["n"] -> @H1["vi"] #dend.dense weight @l1_Wv1 delay 1
  dend.project @R1["n"] -> @H1["betai"] #dend.dense weight @l1_Wbeta bias @l1_bbeta delay 0
  dend.project @R1["n"] -> @H1["gi"] #dend.dense weight @l1_Wg bias @l1_bg delay 0
  dend.project @R1["h"] -> @R2["h"] #dend.diagonal delay 0
  dend.project @H1["o"] -> @R2["h"] #dend.dense weight @l1_Wo delay 0
  dend.project @R2["n"] -> @out["I"] #dend.dense weight @head_W delay 0
  dend.output @logits = @out["y"]
}
