// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions. The file has (out, in, height, width) and means correlation;
// Lava has (out, width, height, in) and means convolution.

#include "compiler/import/lava/NetxSynapses.h"
#include "compiler/lava/Netx.h"
#include "compiler/lava/Values.h"
#include "targets/support/Text.h"

#include <limits>

namespace dendrolith::lava {

/// (x, y) from one number, or from (y, x).
static std::vector<int64_t> pairOf(const NetxLayer &layer, const char *key,
                                   int64_t low) {
  // Lava keeps them in 8 bits.
  std::vector<int64_t> values = layer.integers(key, low, 127);
  const Shape &shape = layer.find(key)->shape;
  if (shape.empty())
    return {values[0], values[0]};
  if (shape != Shape{2})
    layer.refuse(key,
                 "expected one integer or (vertical, horizontal), found "
                 "shape {}",
                 shapeText(shape));
  return {values[1], values[0]};
}

NetxSynapses readConv(const NetxLayer &layer, const Shape &input,
                      const Shape &output, unsigned messageBits,
                      Warnings &notes) {
  if (layer.has("delay"))
    layer.refuse("delay", "NetX ignores delays of convolutions; remove it, or "
                          "delay a dense layer");
  const hdf5::Node &node =
      layer.numbers("weight", "weights (out, in, height, width)");
  const Shape &shape = node.shape;
  bool hasTime = shape.size() == 5 && shape[4] == 1;
  if (shape.size() != 4 && !hasTime)
    layer.refuse("weight",
                 "expected (out, in, height, width), perhaps with a "
                 "last axis of 1, found shape {}",
                 shapeText(shape));
  std::vector<int64_t> stride = pairOf(layer, "stride", 1),
                       padding = pairOf(layer, "padding", 0),
                       dilation = pairOf(layer, "dilation", 1);
  uint64_t groups = uint64_t(layer.integer("groups", 1, 1 << 24));
  uint64_t out = shape[0], in = shape[1], height = shape[2], width = shape[3];
  if (height > 127 || width > 127)
    layer.refuse("weight",
                 "expected kernels of at most 127 by 127, which Lava "
                 "keeps in 8 bits, found {} by {}",
                 height, width);
  if (in * groups != input[2] || out % groups)
    layer.refuse("weight",
                 "expected {} input channels in {} group(s) that "
                 "divide the outputs, found shape {}",
                 input[2], groups, shapeText(shape));
  Shape made(3);
  for (unsigned axis : {0, 1}) {
    int64_t kernel = int64_t(axis ? height : width);
    int64_t room = int64_t(input[axis]) + 2 * padding[axis] -
                   dilation[axis] * (kernel - 1) - 1;
    if (room < 0)
      layer.refuse("weight",
                   "expected a kernel inside the padded input, found "
                   "{} by {} on {} by {}",
                   height, width, input[1], input[0]);
    made[axis] = uint64_t(room / stride[axis]) + 1;
  }
  made[2] = out;
  if (made != output)
    layer.refuse("shape",
                 "expected {} (channel, height, width) from the "
                 "kernel, stride, padding and dilation, found {}",
                 shapeText({made[2], made[1], made[0]}),
                 shapeText({output[2], output[1], output[0]}));
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  std::vector<int64_t> given = layer.whole("weight", -most, most, notes);
  std::vector<int64_t> weights(given.size());
  for (uint64_t k = 0; k < out; ++k)
    for (uint64_t c = 0; c < in; ++c)
      for (uint64_t y = 0; y < height; ++y)
        for (uint64_t x = 0; x < width; ++x)
          weights[((k * width + width - 1 - x) * height + height - 1 - y) * in +
                  c] = given[((k * in + c) * height + y) * width + x];
  NetxSynapse synapse;
  synapse.process.set_name(layer.name() + "_in");
  synapse.process.set_lava_class(kConv);
  auto &kwargs = *synapse.process.mutable_kwargs();
  kwargs["weight"] = tensorValue({out, width, height, in}, weights);
  kwargs["input_shape"] =
      tupleValue({int64_t(input[0]), int64_t(input[1]), int64_t(input[2])});
  kwargs["stride"] = tupleValue(stride);
  kwargs["padding"] = tupleValue(padding);
  kwargs["dilation"] = tupleValue(dilation);
  kwargs["groups"] = integerValue(int64_t(groups));
  kwargs["num_message_bits"] = integerValue(messageBits);
  NetxSynapses result;
  result.all.push_back(std::move(synapse));
  return result;
}

} // namespace dendrolith::lava
