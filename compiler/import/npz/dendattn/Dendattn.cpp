// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/dendattn/Dendattn.h"

#include "compiler/import/npz/common/MetaReader.h"
#include "compiler/import/npz/dendattn/DendattnNetwork.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

namespace dendrolith::npz {
namespace {

constexpr double kLargestSize = 1 << 20; // of any size that meta says

class DendattnReader {
public:
  explicit DendattnReader(Archive &archive) : archive(archive) {}

  Dendattn run() {
    readMeta();
    readEnds();
    for (int64_t i = 0; i < net.layers; ++i)
      readLayer(i);
    if (archive.has("x_ex"))
      net.examples = readExamples();
    return std::move(net);
  }

private:
  /// Reads a size that meta must say.
  int64_t size(const MetaReader &meta, const char *key, double least,
               double most, const std::string &expected) {
    auto value = meta.integer(key, least, most, expected);
    if (!value)
      throw Error(fmt::format("{}\"{}\": expected {}, found none",
                              archive.place("meta"), key, expected));
    return *value;
  }

  void readMeta() {
    MetaReader meta(archive);
    meta.only({"H", "dk", "dv", "Er", "Es", "topk", "M", "dkb", "P", "L", "V",
               "conv", "gate", "kv"});
    net.taps =
        meta.integer("conv", 1, 64, "1 to 64, the taps of each convolution")
            .value_or(net.taps);
    meta.onlyNumber("gate", 1, "1, a decay for each branch");
    auto count = [&](const char *key, double least, const char *what) {
      return size(meta, key, least, kLargestSize,
                  fmt::format("{}, at least {}", what, least));
    };
    net.layers = count("L", 1, "a number of layers");
    net.heads = count("H", 1, "a number of heads");
    net.keys = count("dk", 1, "the width of a key");
    net.values = count("dv", 1, "the width of a value");
    net.vocabulary = count("V", 1, "a number of tokens");
    net.width = int64_t(archive.array("emb", 2).shape[1]);
    meta.integer("d", double(net.width), double(net.width),
                 fmt::format("{}, the columns of emb", net.width));
    net.shared = count("Es", 0, "a number of shared branches");
    net.routed = count("Er", 0, "a number of routed branches");
    if (net.branches() == 0)
      meta.fail("Er", "a branch, shared (\"Es\") or routed");
    net.top = size(meta, "topk", net.routed > 0, double(net.routed),
                   net.routed ? fmt::format("1 to {} of the routed branches "
                                            "(\"Er\") to run",
                                            net.routed)
                              : "0, as no branch is routed (\"Er\")");
    net.blocks = count("M", 1, "a number of key blocks");
    net.block =
        size(meta, "dkb", 1, double(net.keys),
             fmt::format("1 to {} rows of a key block (\"dk\")", net.keys));
    // The stride says nothing where there is one block alone.
    net.stride = count("P", 0, "a stride between key blocks");
    if ((net.blocks - 1) * net.stride + net.block > net.keys)
      meta.fail("P",
                fmt::format("a stride with which {} blocks (\"M\") of {} "
                            "rows (\"dkb\") end within {} (\"dk\"): row {} "
                            "is the end of the last one",
                            net.blocks, net.block, net.keys,
                            (net.blocks - 1) * net.stride + net.block));
  }

  Values reals(const std::string &key, const Shape &shape) {
    return archive.reals(
        key, shape,
        fmt::format("d = {}, meta: H = {}, dk = {}, dv = {}, Es = {}, Er = {}, "
                    "V = {}",
                    net.width, net.heads, net.keys, net.values, net.shared,
                    net.routed, net.vocabulary));
  }

  void constant(const std::string &name, Shape shape, Values values) {
    net.constants[name] = {std::move(shape), std::move(values)};
  }

  /// The transpose of a matrix (rows, columns), row r times factors[r].
  static Values transposed(const Values &matrix, const Values &factors) {
    const size_t rows = factors.size(), columns = matrix.size() / rows;
    Values turned(matrix.size());
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = 0; c < columns; ++c)
        turned[c * rows + r] = matrix[r * columns + c] * factors[r];
    return turned;
  }

  void readEnds() {
    const auto d = uint64_t(net.width), V = uint64_t(net.vocabulary);
    constant("emb", {d, V}, transposed(reals("emb", {V, d}), Values(V, 1)));
    constant("head_W", {V, d},
             transposed(reals("head", {d, V}), reals("nf", {d})));
  }

  void readLayer(int64_t i) {
    const std::string from = fmt::format("l_{}_", i),
                      to = fmt::format("l{}_", i);
    const auto d = uint64_t(net.width), H = uint64_t(net.heads),
               E = uint64_t(net.branches()), dk = uint64_t(net.keys),
               dv = uint64_t(net.values), Er = uint64_t(net.routed);
    const Values gain = reals(from + "nw", {d});
    const auto T = uint64_t(net.taps);
    for (auto [port, each] :
         {std::pair("q", dk), std::pair("k", dk), std::pair("v", dv)}) {
      const Values W =
          transposed(reals(from + "W" + port, {d, H * each}), gain);
      const Values taps = reals(from + "c" + port, {H * each, T});
      // The last column is this token's tap, the first that of the oldest one.
      for (uint64_t delay = 0; delay < T; ++delay) {
        Values scaled = W;
        for (size_t k = 0; k < scaled.size(); ++k)
          scaled[k] *= taps[k / d * T + T - 1 - delay];
        constant(fmt::format("{}W{}{}", to, port, delay), {H * each, d},
                 std::move(scaled));
      }
    }
    for (auto [name, bias, out] :
         {std::tuple("Wb", "bb", "beta"), std::tuple("Wg", "bg", "g")}) {
      constant(to + "W" + out, {H * E, d},
               transposed(reals(from + name, {d, H * E}), gain));
      constant(to + "b" + out, {H * E}, reals(from + bias, {H * E}));
    }
    if (Er)
      constant(to + "Wr", {H, Er, dk}, routers(from + "Wr", H, dk, Er));
    else
      archive.ignore(from + "Wr");
    for (const char *name : {"EQ", "EK"})
      readBranches(from + name, to + name, H, E, dk);
    constant(to + "Wo", {d, H * dv},
             transposed(reals(from + "Wo", {H * dv, d}),
                        outputGains(from + "on", H, dv)));
  }

  /// The router of each head, (H, E_r, d_k).
  Values routers(const std::string &key, uint64_t H, uint64_t dk, uint64_t Er) {
    const Values W = reals(key, {H, dk, Er});
    Values turned;
    for (uint64_t h = 0; h < H; ++h) {
      const auto begin = W.begin() + ptrdiff_t(h * dk * Er);
      const Values one =
          transposed(Values(begin, begin + ptrdiff_t(dk * Er)), Values(dk, 1));
      turned.insert(turned.end(), one.begin(), one.end());
    }
    return turned;
  }

  /// A constant (H, d_k, d_k) for each branch.
  void readBranches(const std::string &key, const std::string &name, uint64_t H,
                    uint64_t E, uint64_t dk) {
    const Values all = reals(key, {H, E, dk, dk});
    const uint64_t size = dk * dk;
    for (uint64_t e = 0; e < E; ++e) {
      Values one;
      for (uint64_t h = 0; h < H; ++h) {
        const auto begin = all.begin() + ptrdiff_t((h * E + e) * size);
        one.insert(one.end(), begin, begin + ptrdiff_t(size));
      }
      constant(fmt::format("{}_e{}", name, e), {H, dk, dk}, std::move(one));
    }
  }

  /// One gain per element of a head's output, or those of one head for all.
  Values outputGains(const std::string &key, uint64_t H, uint64_t dv) {
    if (archive.array(key, 1).size() != dv)
      return reals(key, {H * dv});
    const Values one = reals(key, {dv});
    Values all;
    for (uint64_t h = 0; h < H; ++h)
      all.insert(all.end(), one.begin(), one.end());
    return all;
  }

  /// Token ids (samples, tokens).
  Samples readExamples() {
    const Array &ids = archive.array("x_ex", 2);
    Samples samples;
    samples.samples = ids.shape[0];
    samples.steps = ids.shape[1];
    samples.shape = {uint64_t(net.vocabulary)};
    samples.tokens = true;
    std::vector<int32_t> values;
    for (uint64_t k = 0; k < ids.size(); ++k) {
      const double id = ids.value(k);
      if (!(id >= 0 && id < double(net.vocabulary)) || id != std::floor(id))
        throw Error(fmt::format("{}expected token ids from 0 to {}, found {} "
                                "at sample {}, token {}",
                                archive.place("x_ex"), net.vocabulary - 1, id,
                                k / samples.steps, k % samples.steps));
      values.push_back(int32_t(id));
    }
    samples.values = std::move(values);
    return samples;
  }

  Archive &archive;
  Dendattn net;
};

} // namespace

static void importDendattn(Archive &archive, mlir::MLIRContext &context,
                           ImportedModel &model) {
  Dendattn checkpoint = DendattnReader(archive).run();
  model.module = createDendattn(context, model.name, checkpoint);
  if (checkpoint.examples)
    model.examples["tok"] = std::move(*checkpoint.examples);
}

CheckpointKind dendattnKind() {
  return {"DendAttn",
          "models/dendattn",
          {"dendattn"},
          {"emb", "l_0_Wq", "l_0_EQ", "l_0_EK", "l_0_Wr"},
          importDendattn};
}

} // namespace dendrolith::npz
