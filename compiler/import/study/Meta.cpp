// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Meta.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/JsonText.h"

#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace dendrolith::study {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostBytes = uint64_t(1) << 24;
constexpr uint64_t many = std::numeric_limits<int32_t>::max();
constexpr const char *kColumn = "dendrolith-column";

/// Reads keys by their path ("model.leak_4096"), each of one type.
class Keys {
public:
  Keys(const Json &root, const std::string &file) : root(root), file(file) {}

  const Json &at(const std::string &path) const {
    const Json *value = find(path);
    if (!value)
      throw Error(
          fmt::format("{}: expected the key '{}', found none", file, path));
    return *value;
  }

  /// The value at the path, null if there is none.
  const Json *find(const std::string &path) const {
    const Json *at = &root;
    for (size_t from = 0; from <= path.size();) {
      size_t dot = std::min(path.find('.', from), path.size());
      std::string key = path.substr(from, dot - from);
      if (!at->is_object() || !at->contains(key))
        return nullptr;
      at = &at->at(key);
      from = dot + 1;
    }
    return at;
  }

  uint64_t integer(const std::string &path, uint64_t low, uint64_t high) const {
    return uint64_t(signedInteger(path, int64_t(low), int64_t(high)));
  }

  int64_t signedInteger(const std::string &path, int64_t low,
                        int64_t high) const {
    const Json &value = at(path);
    if (!value.is_number_integer() || value < low || value > high)
      throw Error(fmt::format("{}: '{}': expected an integer from {} to {}, "
                              "found {}",
                              file, path, low, high, value.dump()));
    return value.get<int64_t>();
  }

  double real(const std::string &path, double low, double high) const {
    const Json &value = at(path);
    if (!value.is_number() || !(value >= low) || !(value <= high))
      throw Error(fmt::format("{}: '{}': expected a number from {} to {}, "
                              "found {}",
                              file, path, low, high, value.dump()));
    return value.get<double>();
  }

  std::string name(const std::string &path) const {
    const Json &value = at(path);
    if (!value.is_string())
      throw Error(fmt::format("{}: '{}': expected a name, found {}", file, path,
                              value.dump()));
    return value.get<std::string>();
  }

  /// Checks that a key has the only value that this version reads.
  void only(const std::string &path, const Json &value) const {
    if (at(path) != value)
      throw Error(fmt::format("{}: '{}': expected {}, found {}", file, path,
                              value.dump(), at(path).dump()));
  }

private:
  const Json &root;
  const std::string &file;
};

/// Populations stand one after the other and leave no neuron out.
void readPopulations(const Json &root, const std::string &file,
                     uint32_t neurons, std::vector<Range> &populations) {
  Keys(root, file).at("populations");
  const Json &list = root.at("populations");
  uint32_t next = 0;
  for (size_t p = 0; list.is_array() && p < list.size(); ++p) {
    const std::string place = fmt::format("{}: population {}", file, p);
    const Keys keys(list[p], place);
    Range range;
    range.name = keys.name("name");
    range.first = uint32_t(keys.integer("first", next, next));
    range.size = uint32_t(keys.integer("size", 0, neurons - next));
    // The chip's bias: 12 bits, a sign, and an exponent of up to 7.
    range.bias = int32_t(keys.signedInteger("bias", -(4095 << 7), 4095 << 7));
    range.rate = keys.real("rate", 0, 1);
    next += range.size;
    populations.push_back(range);
  }
  if (next != neurons)
    throw Error(fmt::format("{}: 'populations': expected a list of {} neurons "
                            "in all, found {}",
                            file, neurons, next));
}

void readColumn(const Json &root, const Keys &keys, Meta &meta) {
  keys.only("version", 1);
  keys.only("model.kind", "cuba");
  meta.neurons = uint32_t(keys.integer("n_neurons", 1, many));
  meta.inputs = uint32_t(keys.integer("n_inputs", 1, many));
  meta.synapses = keys.integer("n_synapses", 0, many);
  meta.steps = keys.integer("timesteps", 1, many);
  meta.inputSpikes = keys.integer("input_spikes", 0, many);
  meta.decayU = int32_t(keys.integer("model.decay_u", 0, 4095));
  meta.leak = int32_t(keys.integer("model.decay_v", 0, 4096));
  meta.threshold = int32_t(keys.integer("model.threshold", 0, (1 << 17) - 1));
  meta.refractory = uint32_t(keys.integer("model.refractory", 0, 63));
  meta.cores = 1;
  readPopulations(root, meta.file, meta.neurons, meta.populations);
}

} // namespace

Meta readMeta(const std::string &npzPath) {
  Meta meta;
  meta.file =
      std::filesystem::path(npzPath).replace_extension(".json").string();
  std::error_code status;
  if (!std::filesystem::exists(meta.file, status))
    throw Error(fmt::format("{}: expected '{}' beside it, which says what the "
                            "arrays mean, found no such file",
                            npzPath, meta.file));
  const Json root = readJson<Json>(readFile(meta.file, kMostBytes), meta.file);
  Keys keys(root, meta.file);
  meta.column = root.is_object() && root.value("format", Json()) == kColumn;
  if (meta.column) {
    readColumn(root, keys, meta);
    return meta;
  }
  keys.only("format", "bench-random-snn");
  keys.only("version", 1);
  keys.only("model.kind", "lif");
  keys.only("model.frac_bits", 6);
  keys.only("model.leak_rounding", "toward_zero");
  keys.only("model.compare", "strictly_greater");
  keys.only("model.reset", 0);
  keys.only("model.axon_delay_steps", 1);
  meta.neurons = uint32_t(keys.integer("n_neurons", 1, many));
  meta.inputs = uint32_t(keys.integer("n_inputs", 1, many));
  meta.synapses = keys.integer("n_synapses", 0, many);
  meta.steps = keys.integer("timesteps", 1, many);
  meta.leak = int32_t(keys.integer("model.leak_4096", 0, 4096));
  // The chip's threshold has 17 bits, in units of a weight's 1.
  meta.threshold = int32_t(keys.integer("model.threshold", 0, (1 << 17) - 1));
  meta.cores = uint32_t(keys.integer("mapping.cores", 1, 1 << 20));
  meta.outputSpikes = keys.integer("reference.output_spikes", 0, many);
  meta.inputSpikes = keys.integer("reference.input_spikes", 0, many);
  if (keys.find("mapping.policy"))
    meta.policy = keys.name("mapping.policy");
  if (keys.find("mapping.reach"))
    meta.reach = uint32_t(keys.integer("mapping.reach", 1, 4096));
  if (const Json *digest = keys.find("reference.raster_sha256")) {
    if (!digest->is_string())
      throw Error(fmt::format("{}: 'reference.raster_sha256': expected a text, "
                              "found {}",
                              meta.file, digest->dump()));
    meta.rasterSha256 = digest->get<std::string>();
  }
  return meta;
}

} // namespace dendrolith::study
