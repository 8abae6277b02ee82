// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions and pooling of images.

#include "compiler/import/torch/Tracer.h"
#include "compiler/import/torch/Windows.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

namespace dendrolith::torch {

Value Tracer::convolution() {
  const std::string &name = node->input("input").names.at(0);
  auto *kernel =
      std::get_if<ConstantPtr>(&valueOf(node->input("weight").names.at(0)));
  const Shape from = shapeOf(name), to = result();
  if (!kernel || node->integer("transposed", 0))
    fail("expected a convolution with a constant weight, not a transposed one");
  const Constant &w = **kernel;
  std::optional<Windows> windows;
  if (w.shape.size() >= 3)
    windows = windowsOf(*node, from, to, {w.shape.begin() + 2, w.shape.end()});
  if (!windows)
    fail("expected a convolution over (1, channels, rows, columns) or (1, "
         "channels, places) whose arguments fit the image");
  const int64_t inside = w.shape[1], groups = node->integer("groups", 1);
  if (groups < 1 || inside * groups != from[1] || w.shape[0] != to[1] ||
      to[1] % groups)
    fail("the weight does not fit the channels");
  const int64_t group = to[1] / groups, each = count(w.shape) / w.shape[0],
                size = each / std::max<int64_t>(1, inside);
  if (dendrolith::product(Shape{count(to), each}) > uint64_t(kMaxEntries))
    fail("has more than 2^26 synapses");
  const Flow flow = plainFlow(valueOf(name));
  Flow made{to, {}, node->module};
  for (int64_t o = 0; o < to[1]; ++o)
    for (int64_t y = 0; y < windows->height(); ++y)
      for (int64_t x = 0; x < windows->breadth(); ++x) {
        Adder adder;
        for (int64_t c = 0; c < inside; ++c)
          windows->each(y, x, [&](int64_t k, int64_t place) {
            const int64_t channel = o / group * inside + c;
            if (place >= 0)
              adder.add(flow.rows[size_t(channel * windows->area + place)],
                        w.values[size_t(o * each + c * size + k)]);
          });
        made.rows.push_back(adder.done());
      }
  if (!node->has("bias"))
    return made;
  auto bias = std::make_shared<Constant>(
      *std::get<ConstantPtr>(valueOf(node->input("bias").names.at(0))));
  if (count(bias->shape) != to[1])
    fail("the bias does not fit the channels");
  bias->shape = Shape(to.size(), 1);
  bias->shape[1] = to[1];
  return added(made, Value(ConstantPtr(bias)), 1);
}

/// The windows of a pooling.
Windows Tracer::poolWindows() const {
  const Shape &from = shapeOf(node->input("self").names.at(0));
  Shape size = node->integers("kernel_size");
  std::optional<Windows> windows;
  if (size.empty()) // an adaptive one
    windows = partsOf(from, result());
  else if (from.size() > 2) {
    if (size.size() == 1)
      size.resize(from.size() - 2, size[0]);
    windows = windowsOf(*node, from, result(), size);
  }
  if (!windows || from[1] != result()[1])
    fail("expected pooling over (1, channels, rows, columns) or (1, channels, "
         "places) whose arguments fit the image");
  return *windows;
}

/// The average is a linear map.
Value Tracer::averagePool() {
  const Windows windows = poolWindows();
  const Flow flow = flowOf(valueOf(node->input("self").names.at(0)));
  const bool padded = node->integer("count_include_pad", 1) != 0;
  Flow made{result(), {}, node->module};
  for (int64_t c = 0; c < result()[1]; ++c)
    for (int64_t y = 0; y < windows.height(); ++y)
      for (int64_t x = 0; x < windows.breadth(); ++x) {
        int64_t counted = 0;
        windows.each(y, x, [&](int64_t, int64_t place) {
          counted += padded || place >= 0 ? 1 : 0;
        });
        const double by = node->real("divisor_override", double(counted));
        Adder adder;
        windows.each(y, x, [&](int64_t, int64_t place) {
          if (place >= 0)
            adder.add(flow.rows[size_t(c * windows.area + place)], 1 / by);
        });
        made.rows.push_back(adder.done());
      }
  return made;
}

/// Whether a value is spikes of neurons, wherever they were moved.
bool Tracer::isBinary(const Value &value) const {
  if (auto *body = std::get_if<const Body *>(&value))
    return (*body)->truth;
  auto *flow = std::get_if<Flow>(&value);
  return flow &&
         std::all_of(flow->rows.begin(), flow->rows.end(),
                     [&](const RowPtr &row) {
                       if (!row || !row->isPlain())
                         return !row;
                       const Source &from =
                           built.sources[size_t(row->entries[0].source)];
                       return from.body && from.body->truth;
                     });
}

/// The largest of a window: of spikes, whether there is one, else of a vector
/// that arrives in a neuron of the pooled image.
Value Tracer::largestPool() {
  const Windows windows = poolWindows();
  const Value &value = valueOf(node->input("self").names.at(0));
  const bool binary = isBinary(value);
  const Flow flow = flowOf(value);
  Flow sums{result(), {}, node->module}, vectors{result(), {}, node->module};
  size_t most = 1;
  for (const Shape &row : windows.rows)
    for (const Shape &column : windows.columns)
      most = std::max(most, row.size() * column.size());
  for (int64_t c = 0; c < result()[1]; ++c)
    for (int64_t y = 0; y < windows.height(); ++y)
      for (int64_t x = 0; x < windows.breadth(); ++x) {
        Adder sum;
        std::vector<RowPtr> all;
        windows.each(y, x, [&](int64_t, int64_t place) {
          if (place >= 0)
            all.push_back(flow.rows[size_t(c * windows.area + place)]);
        });
        if (all.empty())
          fail("has a window that lies in the padding");
        for (const RowPtr &row : all)
          sum.add(row, 1);
        all.resize(most, all[0]); // the largest stays what it is
        vectors.rows.insert(vectors.rows.end(), all.begin(), all.end());
        sums.rows.push_back(sum.done());
      }
  Frame frame{result(), 1, result().size() - 1, homeOf({}, count(result()))};
  if (binary) {
    const std::string any = port(sums, frame)->text;
    std::string zero = literal(frame.home, 0, {});
    return emit(fmt::format("cmp gt {}, {}", any, zero), frame, true);
  }
  Frame whole = frame;
  whole.shape.push_back(int64_t(most));
  vectors.shape = whole.shape;
  const std::string all = port(vectors, whole)->text;
  if (most == 1)
    return add({all, frame.shape, 1, frame.axes, frame.home->root()});
  return emit("reduce max " + all, frame);
}

} // namespace dendrolith::torch
