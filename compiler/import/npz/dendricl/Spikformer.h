// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checkpoint of Spikformer (models/dendricl/EQUATIONS.md has its keys and
// equations) as a network: attention of spikes without softmax, whose causal
// form is a running sum.
//
// Z. Zhou et al., Spikformer: When Spiking Neural Network Meets Transformer,
// ICLR 2023, https://arxiv.org/abs/2209.15425

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_SPIKFORMER_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_SPIKFORMER_H

#include "compiler/import/npz/common/Kind.h"

namespace dendrolith::npz {

/// Its network has input @x, clock @micro, populations @e of the embedding, of
/// block l @q<l>, @k<l>, @v<l>, @a<l>, @o<l>, @h<l> and @m<l>, which spike, and
/// @mid<l> and @stream<l>, the residual sums; @out and output @y. A neuron of
/// @a<l> is one column of the attention of a head: it keeps as many numbers as
/// the head is wide for each pass of a token, so that no neuron is wider.
CheckpointKind spikformerKind();

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_DENDRICL_SPIKFORMER_H
