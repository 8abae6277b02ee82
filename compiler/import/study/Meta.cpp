// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/study/Meta.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace neurite::study {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostBytes = uint64_t(1) << 24;

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
    const Json &value = at(path);
    if (!value.is_number_unsigned() || value.get<uint64_t>() < low ||
        value.get<uint64_t>() > high)
      throw Error(fmt::format("{}: '{}': expected an integer from {} to {}, "
                              "found {}",
                              file, path, low, high, value.dump()));
    return value.get<uint64_t>();
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

} // namespace

Meta readMeta(const std::string &npzPath) {
  constexpr uint64_t many = std::numeric_limits<int32_t>::max();
  Meta meta;
  meta.file =
      std::filesystem::path(npzPath).replace_extension(".json").string();
  std::error_code status;
  if (!std::filesystem::exists(meta.file, status))
    throw Error(fmt::format("{}: expected '{}' beside it, which says what the "
                            "arrays mean, found no such file",
                            npzPath, meta.file));
  Json root;
  try {
    root = Json::parse(readFile(meta.file, kMostBytes));
  } catch (const Json::exception &error) {
    throw Error(meta.file + ": no JSON text: " + error.what());
  }
  Keys keys(root, meta.file);
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
  if (const Json *digest = keys.find("reference.raster_sha256")) {
    if (!digest->is_string())
      throw Error(fmt::format("{}: 'reference.raster_sha256': expected a text, "
                              "found {}",
                              meta.file, digest->dump()));
    meta.rasterSha256 = digest->get<std::string>();
  }
  return meta;
}

} // namespace neurite::study
