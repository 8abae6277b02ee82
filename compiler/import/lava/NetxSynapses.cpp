// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/lava/NetxSynapses.h"
#include "compiler/lava/NetxRules.h"
#include "compiler/lava/Tensors.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <limits>

namespace dendrolith::lava {

namespace {

constexpr int64_t kInt32 = std::numeric_limits<int32_t>::max();

struct Matrix {
  uint64_t rows = 0, columns = 0;
  std::vector<int64_t> values;
};

class Dense {
public:
  Dense(const NetxLayer &layer, uint64_t outputs, unsigned messageBits,
        Warnings &notes)
      : layer(layer), outputs(outputs), messageBits(messageBits), notes(notes) {
  }

  /// (outputs, any), from two axes or flat.
  Matrix matrix(const std::string &key) {
    const hdf5::Node &node = layer.numbers(key, "weights (out, in)");
    const Shape &shape = node.shape;
    bool isFlat = shape.size() == 1 && shape[0] % outputs == 0;
    if (!isFlat && !(shape.size() == 2 && shape[0] == outputs))
      layer.refuse(key,
                   "expected weights ({0}, in) or {0} * in in a row, found "
                   "shape {1}",
                   outputs, shapeText(shape));
    Matrix out;
    out.rows = outputs;
    out.columns = isFlat ? shape[0] / outputs : shape[1];
    out.values = layer.whole(key, -kInt32, kInt32, notes);
    return out;
  }

  /// The weights of one matrix, or of two side by side: NetX scales both alike.
  NetxWeights scaled(const std::string &key, const Matrix &matrix,
                     const std::string &nextKey = "", const Matrix &next = {}) {
    std::vector<int64_t> all = matrix.values;
    all.insert(all.end(), next.values.begin(), next.values.end());
    if (std::all_of(all.begin(), all.end(), [](int64_t w) { return w == 0; }))
      layer.refuse(key,
                   "expected a weight other than 0, found none{}; NetX "
                   "cannot scale them",
                   nextKey.empty() ? "" : " here or in " + nextKey);
    NetxWeights out = netxWeights(all);
    if (!out.loss)
      return out;
    bool isFirst = out.loss->index < matrix.values.size();
    uint64_t at = out.loss->index - (isFirst ? 0 : matrix.values.size());
    uint64_t columns = isFirst ? matrix.columns : next.columns;
    layer.refuse(isFirst ? key : nextKey,
                 "expected weights that NetX keeps, found {} at [{}, {}], of "
                 "which it makes {}; {}",
                 all[out.loss->index], at / columns, at % columns,
                 out.loss->becomes, kNetxWeightRule);
  }

  NetxSynapse synapse(const char *suffix, Matrix matrix,
                      const NetxWeights &scale,
                      const std::optional<std::vector<int64_t>> &delays) {
    for (int64_t &weight : matrix.values)
      weight *= int64_t(1) << scale.shift;
    NetxSynapse out;
    out.process.set_name(layer.name() + suffix);
    out.process.set_lava_class(delays ? kDelayDense : kDense);
    auto &kwargs = *out.process.mutable_kwargs();
    Shape shape{matrix.rows, matrix.columns};
    kwargs["weights"] = tensorValue(shape, matrix.values);
    kwargs["weight_exp"] = integerValue(-int64_t(scale.shift));
    kwargs["num_weight_bits"] = integerValue(scale.bits);
    kwargs["num_message_bits"] = integerValue(messageBits);
    if (delays) {
      kwargs["delays"] = tensorValue(shape, *delays);
      kwargs["max_delay"] = integerValue(kMaxDelay);
    }
    return out;
  }

  /// One for all, one per neuron, one per input (in this order where both have
  /// as many), or a matrix.
  std::optional<std::vector<int64_t>> delays(uint64_t inputs) {
    if (!layer.has("delay"))
      return std::nullopt;
    std::vector<int64_t> given = layer.whole("delay", 0, kMaxDelay, notes);
    const Shape &shape = layer.find("delay")->shape;
    if (shape == Shape{outputs, inputs})
      return given;
    bool isScalar = shape.empty(), isRow = shape == Shape{outputs};
    if (!isScalar && !isRow && shape != Shape{inputs})
      layer.refuse("delay",
                   "expected one delay, {} by neuron, {} by input or a "
                   "({}, {}) matrix, found shape {}",
                   outputs, inputs, outputs, inputs, shapeText(shape));
    std::vector<int64_t> out(outputs * inputs);
    for (uint64_t row = 0; row < outputs; ++row)
      for (uint64_t column = 0; column < inputs; ++column)
        out[row * inputs + column] = given[isScalar ? 0 : isRow ? row : column];
    return out;
  }

private:
  const NetxLayer &layer;
  uint64_t outputs;
  unsigned messageBits;
  Warnings &notes;
};

} // namespace

static NetxSynapses readComplex(const NetxLayer &layer, Dense &dense,
                                bool isRecurrent) {
  if (isRecurrent)
    layer.refuse("weight", "NetX has no recurrent layer with complex weights; "
                           "use type dense");
  for (const char *key : {"delay", "bias"})
    if (layer.has(key))
      layer.refuse(key, "NetX ignores it where weights are complex; remove it");
  Matrix real = dense.matrix("weight/real"), imag = dense.matrix("weight/imag");
  if (real.columns != imag.columns)
    layer.refuse("weight/imag",
                 "expected {} columns as in weight/real, found {}",
                 real.columns, imag.columns);
  NetxSynapses out;
  out.inputs = real.columns;
  NetxWeights scale = dense.scaled("weight/real", real);
  out.all.push_back(dense.synapse("_real", std::move(real), scale, {}));
  out.all.back().port = "a_real_in";
  scale = dense.scaled("weight/imag", imag);
  out.all.push_back(dense.synapse("_imag", std::move(imag), scale, {}));
  out.all.back().port = "a_imag_in";
  return out;
}

NetxSynapses readDense(const NetxLayer &layer, uint64_t outputs,
                       bool isRecurrent, bool isComplex, unsigned messageBits,
                       Warnings &notes) {
  Dense dense(layer, outputs, messageBits, notes);
  const hdf5::Node *weight = layer.find("weight");
  bool isGroup = weight && weight->kind == hdf5::Node::Content::Group;
  if (isGroup != isComplex)
    layer.refuse("weight", "{}",
                 isComplex ? "expected a group with real and imag, which "
                             "resonators take, found one dataset"
                           : "expected one dataset, found a group: complex "
                             "weights are for RF_PHASE and RF_IZHIKEVICH");
  if (isComplex)
    return readComplex(layer, dense, isRecurrent);
  Matrix matrix = dense.matrix("weight");
  NetxSynapses out;
  out.inputs = matrix.columns;
  std::optional<std::vector<int64_t>> delays = dense.delays(matrix.columns);
  if (!isRecurrent) {
    NetxWeights scale = dense.scaled("weight", matrix);
    out.all.push_back(dense.synapse("_in", std::move(matrix), scale, delays));
    return out;
  }
  // NetX says weight_rec; SLAYER for Loihi 1 says recWeight.
  const char *loop = layer.has("recWeight") ? "recWeight" : "weight_rec";
  Matrix recurrent = dense.matrix(loop);
  if (recurrent.columns != outputs)
    layer.refuse(loop, "expected weights ({0}, {0}), found {1} columns",
                 outputs, recurrent.columns);
  NetxWeights scale = dense.scaled("weight", matrix, loop, recurrent);
  if (delays && (scale.shift || matrix.columns != outputs))
    layer.refuse(
        "delay", "{}; remove the delays",
        scale.shift
            ? fmt::format("NetX forgets weight_exp of recurrent layers with "
                          "delays, so that weights are {} times too large",
                          1 << scale.shift)
            : fmt::format("NetX uses the ({}, {}) delays for weight_rec too, "
                          "which is square",
                          outputs, matrix.columns));
  out.all.push_back(dense.synapse("_in", std::move(matrix), scale, delays));
  out.all.push_back(dense.synapse("_rec", std::move(recurrent), scale, delays));
  out.all.back().isRecurrent = true;
  return out;
}

// Convolutions. The file has (out, in, height, width) and means correlation;
// Lava has (out, width, height, in) and means convolution.

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

Shape inputOfConv(const NetxLayer &layer, const Shape &output) {
  const Shape weight =
      layer.numbers("weight", "weights (out, in, height, width)").shape;
  const std::vector<int64_t> stride = pairOf(layer, "stride", 1),
                             padding = pairOf(layer, "padding", 0),
                             dilation = pairOf(layer, "dilation", 1);
  const uint64_t groups = uint64_t(layer.integer("groups", 1, 1 << 24));
  if (weight.size() < 4)
    return {};
  Shape input = {0, 0, weight[1] * groups}, most = input;
  for (unsigned axis : {0, 1}) {
    const int64_t least = int64_t(output[axis] - 1) * stride[axis] +
                          dilation[axis] * int64_t(weight[3 - axis] - 1) + 1 -
                          2 * padding[axis];
    input[axis] = uint64_t(std::max<int64_t>(least, 1));
    most[axis] = uint64_t(std::max<int64_t>(least + stride[axis] - 1, 1));
  }
  if (most != input)
    layer.refuse(
        "type",
        "conv stands first, and its stride leaves open whether it reads {} or "
        "up to {} (channel, height, width); give --import input-shape={}x{}x{}",
        shapeText({input[2], input[1], input[0]}),
        shapeText({most[2], most[1], most[0]}), most[2], most[1], most[0]);
  return input;
}

} // namespace dendrolith::lava
