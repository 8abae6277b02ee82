// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/mmdend/ReadCheckpoint.h"

#include "compiler/import/common/Findings.h"
#include "compiler/import/npz/mmdend/Branches.h"
#include "compiler/import/npz/mmdend/ReadBaseline.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::npz {
namespace {

/// A projection (targets, sources) whose sources are known unless 0.
const Array &projection(Archive &archive, const std::string &key,
                        uint64_t sources) {
  const Array &weight = archive.array(key, 2);
  if (sources && weight.shape[1] != sources)
    throw Error(fmt::format("{}expected {} columns, one per channel of the "
                            "layer before, found shape {}",
                            archive.place(key), sources,
                            shapeText(weight.shape)));
  return weight;
}

Layer readLayer(Archive &archive, const Meta &meta, size_t l,
                uint64_t sources) {
  std::string weight = fmt::format("W{}", l), bias = fmt::format("b{}", l);
  const Array &W = projection(archive, weight, sources);
  Layer layer;
  layer.first = l == 0;
  layer.channels = int64_t(W.shape[0]);
  layer.inputs = int64_t(W.shape[1]);
  layer.weight = flat(W);
  layer.bias = archive.reals(bias, {W.shape[0]}, "one per row of " + weight);
  std::string recurrent = fmt::format("V{}", l);
  if (meta.neuron == Meta::Neuron::Mmdend)
    readDendrite(archive, l, layer);
  else if (meta.isBaseline())
    readBaseline(archive, meta, l, layer);
  if (meta.recurs() && archive.has(recurrent)) {
    // The input's current is held for a step, spikes are not.
    if (l == 0 && meta.micro > 1)
      throw Error(fmt::format("{}expected no recurrent weights in the layer "
                              "that sees the input, as it makes {} micro steps "
                              "per token; found V0: recur from layer 1 on",
                              archive.place(recurrent), meta.micro));
    layer.recurrent =
        archive.reals(recurrent, {W.shape[0], W.shape[0]},
                      "the layer's own spikes of the step before");
  }
  return layer;
}

/// The weights and biases of the read-out.
void readAnswer(Archive &archive, uint64_t sources, Checkpoint &checkpoint) {
  const Array &W = projection(archive, "Wout", sources);
  checkpoint.classes = int64_t(W.shape[0]);
  checkpoint.weight = flat(W);
  for (double &weight : checkpoint.weight)
    weight /= double(checkpoint.ticks());
  checkpoint.bias = archive.reals("bout", {W.shape[0]}, "one per row of Wout");
}

} // namespace

Checkpoint readCheckpoint(Archive &archive, const Meta &meta) {
  Checkpoint checkpoint;
  checkpoint.meta = meta;
  size_t count = 1; // without W0 the reader of layer 0 says what is missing
  while (archive.has(fmt::format("W{}", count)))
    ++count;
  if (checkpoint.meta.layers && size_t(*checkpoint.meta.layers) < count)
    throw Error(fmt::format("{}\"layers\": expected {}, one per W0, W1, ..., "
                            "found {}",
                            archive.place("meta"), count,
                            *checkpoint.meta.layers));
  if (checkpoint.meta.layers)
    count = size_t(*checkpoint.meta.layers);
  Collector faults;
  uint64_t sources = 0; // unknown behind a layer that cannot be read
  for (size_t l = 0; l < count; ++l) {
    const bool isRead = faults.attempt([&] {
      checkpoint.layers.push_back(
          readLayer(archive, checkpoint.meta, l, sources));
    });
    sources = isRead ? uint64_t(checkpoint.layers.back().channels) : 0;
  }
  faults.attempt([&] { readAnswer(archive, sources, checkpoint); });
  faults.raise();
  int64_t inputs = checkpoint.layers.front().inputs;
  if (meta.features && *meta.features + 2 != inputs)
    throw Error(fmt::format("{}\"d\": expected {}, as W0 has {} columns for [x "
                            "(d); y; flag], found {}",
                            archive.place("meta"), inputs - 2, inputs,
                            *meta.features));
  if (archive.has("x_ex")) {
    checkpoint.examples = archive.samples("x_ex", inputs);
    if (auto query = checkpoint.query())
      maskQueries(*checkpoint.examples, *query, archive.where("x_ex"));
  }
  return checkpoint;
}

} // namespace dendrolith::npz
