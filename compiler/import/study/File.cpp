// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/File.h"

#include "compiler/import/common/Findings.h"
#include "compiler/import/study/Meta.h"
#include "runtime/arrays/NpyHeader.h"
#include "runtime/arrays/Zip.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <optional>

namespace dendrolith::study {
namespace {

/// The arrays of one archive.
class Arrays {
public:
  Arrays(const zip::Bytes &bytes, const std::string &path)
      : bytes(bytes), path(path), members(zip::readDirectory(bytes, path)) {}

  std::string place(const char *key) const {
    return fmt::format("{}: '{}': ", path, key);
  }

  /// A vector of exactly `count` elements of T; `what` says which they are.
  template <typename T>
  std::vector<T> read(const char *key, uint64_t count, const char *what) const {
    std::vector<T> values = readAny<T>(key);
    if (values.size() != count)
      throw Error(fmt::format("{}expected {} elements ({}), found {}",
                              place(key), count, what, values.size()));
    return values;
  }

private:
  template <typename T> std::vector<T> readAny(const char *key) const {
    std::string name = std::string(key) + ".npy";
    auto found =
        std::find_if(members.begin(), members.end(),
                     [&](const zip::Member &m) { return m.name == name; });
    if (found == members.end())
      throw Error(
          fmt::format("{}: expected an array '{}', found none", path, key));
    std::string where = fmt::format("{}: '{}'", path, key);
    // Where the bytes are what is wanted, none is copied twice.
    std::string unpacked;
    std::optional<std::string_view> stored =
        zip::storedContent(bytes, *found, where);
    if (!stored)
      unpacked = zip::unpack(bytes, *found, where);
    const std::string_view content = stored ? *stored : unpacked;
    npy::Header header = npy::parseHeader(content, where);
    if (header.type.kind() != Array::NumberKind::Int ||
        header.type.bytes != sizeof(T) || header.type.bigEndian)
      throw Error(fmt::format("{}expected elements of type '<i{}', found '{}'",
                              place(key), sizeof(T), header.dtype));
    if (header.shape.size() != 1)
      throw Error(fmt::format("{}expected one axis, found shape {}", place(key),
                              shapeText(header.shape)));
    if (content.size() != header.dataBegin + header.elements * sizeof(T))
      throw Error(fmt::format("{}expected {} bytes of elements, found {}",
                              place(key), header.elements * sizeof(T),
                              content.size() - header.dataBegin));
    std::vector<T> values(header.elements);
    std::memcpy(values.data(), content.data() + header.dataBegin,
                values.size() * sizeof(T));
    return values;
  }

  const zip::Bytes &bytes;
  const std::string &path;
  std::vector<zip::Member> members;
};

void checkRows(const Network &net, const Arrays &arrays) {
  for (size_t s = 0; s + 1 < net.begin.size(); ++s)
    if (net.begin[s] > net.begin[s + 1])
      throw Error(fmt::format("{}expected rising row starts, found {} after {} "
                              "at source {}",
                              arrays.place("row_ptr"), net.begin[s + 1],
                              net.begin[s], s));
  if (net.begin.front() != 0 || net.begin.back() != int64_t(net.target.size()))
    throw Error(fmt::format("{}expected row starts from 0 to {}, the number of "
                            "synapses, found {} to {}",
                            arrays.place("row_ptr"), net.target.size(),
                            net.begin.front(), net.begin.back()));
}

/// Where the first element outside [low, high] is, or the size.
template <typename T>
size_t firstOutside(const std::vector<T> &values, int64_t low, int64_t high) {
  auto found = std::find_if(values.begin(), values.end(), [&](T value) {
    return value < low || value > high;
  });
  return size_t(found - values.begin());
}

template <typename T>
void checkRange(const Arrays &arrays, const char *key,
                const std::vector<T> &values, int64_t low, int64_t high,
                const char *what) {
  size_t at = firstOutside(values, low, high);
  if (at != values.size())
    throw Error(fmt::format("{}expected {} from {} to {}, found {} at {}",
                            arrays.place(key), what, low, high, values[at],
                            at));
}

/// Whether all spikes are in order and within the ranges, without a branch for
/// each.
bool isInOrder(const Raster &raster, int64_t steps, uint32_t ids) {
  const size_t count = raster.size();
  const int32_t *step = raster.step.data(), *id = raster.id.data();
  if (count > 0 && (step[0] < 1 || step[count - 1] > steps))
    return false;
  int32_t bad = 0;
  for (size_t i = 1; i < count; ++i)
    bad |= !((step[i - 1] < step[i]) |
             ((step[i - 1] == step[i]) & (id[i - 1] < id[i])));
  for (size_t i = 0; i < count; ++i)
    bad |= (id[i] < 0) | (int64_t(id[i]) >= int64_t(ids));
  return bad == 0;
}

Raster readRaster(const Arrays &arrays, const char *stepKey, const char *idKey,
                  uint64_t count, const Meta &meta, uint32_t ids) {
  Raster raster;
  const char *what = "as many spikes as the JSON file says";
  raster.step = arrays.read<int32_t>(stepKey, count, what);
  raster.id = arrays.read<int32_t>(idKey, count, what);
  if (isInOrder(raster, int64_t(meta.steps), ids))
    return raster;
  checkRange(arrays, stepKey, raster.step, 1, int64_t(meta.steps), "steps");
  checkRange(arrays, idKey, raster.id, 0, int64_t(ids) - 1, "ids");
  for (size_t i = 1; i < raster.size(); ++i)
    if (std::make_pair(raster.step[i - 1], raster.id[i - 1]) >=
        std::make_pair(raster.step[i], raster.id[i]))
      throw Error(fmt::format(
          "{}expected spikes in order of (step, id) without repetition, found "
          "({}, {}) after ({}, {}) at {}",
          arrays.place(stepKey), raster.step[i], raster.id[i],
          raster.step[i - 1], raster.id[i - 1], i));
  return raster;
}

} // namespace

bool isNetwork(const zip::Bytes &bytes, const std::string &path) {
  for (const zip::Member &member : zip::readDirectory(bytes, path))
    if (member.name == "row_ptr.npy" || member.name == "col.npy")
      return true;
  return false;
}

Network readNetwork(const zip::Bytes &bytes, const std::string &path) {
  Meta meta = readMeta(path);
  Arrays arrays(bytes, path);
  Network net;
  net.inputs = meta.inputs;
  net.neurons = meta.neurons;
  net.cores = meta.cores;
  net.leak = meta.leak;
  net.threshold = meta.threshold;
  uint64_t sources = uint64_t(meta.inputs) + meta.neurons;
  Collector faults;
  const bool hasTargets = faults.attempt([&] {
    net.target = arrays.read<int32_t>("col", meta.synapses,
                                      "n_synapses of the JSON file");
    checkRange(arrays, "col", net.target, 0, int64_t(net.neurons) - 1,
               "target neurons");
  });
  faults.attempt([&] {
    net.begin = arrays.read<int64_t>("row_ptr", sources + 1,
                                     "inputs + neurons + 1 of the JSON file");
    if (hasTargets)
      checkRows(net, arrays);
  });
  faults.attempt([&] {
    net.weight = arrays.read<int16_t>("weight", meta.synapses,
                                      "n_synapses of the JSON file");
    checkRange(arrays, "weight", net.weight, -kLargestWeight, kLargestWeight,
               "weights of 8 bits and a sign,");
  });
  faults.attempt([&] {
    if (!meta.column)
      net.core = arrays.read<int32_t>("core", sources,
                                      "inputs + neurons of the JSON file");
    checkRange(arrays, "core", net.core, 0, int64_t(net.cores) - 1,
               "cores below 'mapping.cores' of the JSON file,");
  });
  faults.raise();
  return net;
}

Waits readWaits(const zip::Bytes &bytes, const std::string &path) {
  const Meta meta = readMeta(path);
  if (!meta.column)
    return {};
  const Arrays arrays(bytes, path);
  const uint64_t sources = uint64_t(meta.inputs) + meta.neurons;
  const char *each = "inputs + neurons of the JSON file";
  Waits waits;
  waits.delay = arrays.read<int16_t>("delay", sources, each);
  waits.shift = arrays.read<int16_t>("shift", sources, each);
  checkRange(arrays, "delay", waits.delay, 1, kLongestDelay, "delays");
  checkRange(arrays, "shift", waits.shift, 0, kLargestShift, "shifts");
  return waits;
}

Stimulus readStimulus(const zip::Bytes &bytes, const std::string &path) {
  Meta meta = readMeta(path);
  Arrays arrays(bytes, path);
  Stimulus stimulus;
  stimulus.inputs = meta.inputs;
  stimulus.neurons = meta.neurons;
  stimulus.steps = meta.steps;
  stimulus.in =
      readRaster(arrays, "in_t", "in_id", meta.inputSpikes, meta, meta.inputs);
  if (meta.column)
    return stimulus;
  stimulus.expected = readRaster(arrays, "ref_t", "ref_id", meta.outputSpikes,
                                 meta, meta.neurons);
  if (!meta.rasterSha256.empty() &&
      digestOf(stimulus.expected) != meta.rasterSha256)
    throw Error(fmt::format("{}: 'reference.raster_sha256': expected {}, that "
                            "of ref_t and ref_id in '{}', found {}",
                            meta.file, digestOf(stimulus.expected), path,
                            meta.rasterSha256));
  return stimulus;
}

} // namespace dendrolith::study
