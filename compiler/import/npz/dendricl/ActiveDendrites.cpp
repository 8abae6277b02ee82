// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/dendricl/ActiveDendrites.h"

#include "compiler/import/npz/common/MetaReader.h"
#include "compiler/import/npz/dendricl/Token.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>

namespace dendrolith::npz {
namespace {

struct ActiveDendrites {
  struct Layer {
    int64_t units = 0, segments = 0; ///< the first layer has no segments
  };
  int64_t features = 0; ///< d; a token is [x (d); y; flag]
  int64_t winners = 0;  ///< k, of every layer
  std::vector<Layer> layers;
  Constants constants;
};

// Words in capitals after a $ are filled in.
constexpr const char *kActiveDendritesNetwork = R"(
dend.network @active_dendrites {
  dend.clock @token
  dend.input @x on @token : tensor<$Txf64> as !dend.spike<graded>
      query $FLAG masks $LABEL
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  $LAYERS
  dend.project @x -> @L0["I"] #dend.dense weight @W0 bias @b0 delay 0
  dend.population @out : @linear[1] on @token
  dend.project @$LAST -> @out["I"] #dend.dense weight @Wout bias @bout delay 0
  dend.output @y = @out["y"] decode "last=1"
}
)";

constexpr const char *kWinners = R"(
  dend.neuron @winners$L ports(%I : tensor<$Nxf64>)
      outputs(s[$N] : !dend.spike<binary>) {
    %s = dend.topk %I, $K : (tensor<$Nxf64>) -> tensor<$Nxi1>
    dend.yield emit(%s : tensor<$Nxi1>)
  }
  dend.population @L$L : @winners$L[1] on @token
)";

// The gate sees what the segments were told before this token.
constexpr const char *kGatedUnits = R"(
  dend.neuron @unit$L ports(%I : f64, %c : tensor<$Sxf64>)
      states(%u : tensor<$Sxf64> reset sample)
      outputs(y : !dend.spike<graded>) {
    %best = dend.reduce max %u : (tensor<$Sxf64>) -> f64
    %gate = dend.math sigmoid %best : (f64) -> f64
    %y = dend.mul %gate, %I : (f64, f64) -> f64
    %un = dend.add %u, %c : (tensor<$Sxf64>, tensor<$Sxf64>) -> tensor<$Sxf64>
    dend.yield states(%un : tensor<$Sxf64>) emit(%y : f64)
  }
  dend.population @U$L : @unit$L[$N] on @token
  dend.project @$BELOW["s"] -> @U$L["I"] #dend.dense weight @W$L bias @b$L
      delay 0
  dend.project @L0["s"] -> @U$L["c"] #dend.dense weight @D$L delay 0
  dend.project @U$L["y"] -> @L$L["I"] #dend.diagonal weight @one$L delay 0
)";

std::string activeDendritesText(const ActiveDendrites &net) {
  std::string layers;
  for (size_t l = 0; l < net.layers.size(); ++l) {
    Words words = {{"L", std::to_string(l)},
                   {"N", std::to_string(net.layers[l].units)},
                   {"S", std::to_string(net.layers[l].segments)},
                   {"K", std::to_string(net.winners)},
                   {"BELOW", fmt::format("L{}", l - 1)}};
    layers += filled(kWinners, words);
    if (l)
      layers += filled(kGatedUnits, words);
  }
  Words words = tokenWords(net.features);
  words.insert({{"LAYERS", layers},
                {"LAST", fmt::format("L{}[\"s\"]", net.layers.size() - 1)}});
  return filled(kActiveDendritesNetwork, words);
}

class ActiveDendritesReader {
public:
  explicit ActiveDendritesReader(Archive &archive)
      : archive(archive), meta(archive) {}

  ActiveDendrites run() {
    meta.only({"d", "width", "segments", "k_winners", "layers", "decode"});
    if (meta.text("decode", "last=1") != "last=1")
      meta.fail("decode", "last=1, the read-out at the query");
    net.features = readFeatures(archive, meta, "W0");
    uint64_t sources = uint64_t(net.features) + 2;
    do // without the first the reader says what is missing
      sources = readLayer(sources);
    while (archive.has(fmt::format("W{}", net.layers.size())));
    if (auto said = meta.integer("layers", 1, 1e6, "a number of layers");
        said && *said != int64_t(net.layers.size()))
      meta.fail("layers",
                fmt::format("{}, one per W0, W1, ...", net.layers.size()));
    addLinear(archive, net.constants, "out", 1, sources,
              fmt::format("{} units of the last layer", sources));
    readWinners();
    return std::move(net);
  }

private:
  /// Gives the layer's units.
  uint64_t readLayer(uint64_t sources) {
    std::string end = std::to_string(net.layers.size());
    uint64_t units = archive.array("W" + end, 2).shape[0];
    ActiveDendrites::Layer layer{int64_t(units), 0};
    addLinear(
        archive, net.constants, end, units, sources,
        fmt::format("{} sources and {} rows of W{}", sources, units, end));
    if (!net.layers.empty()) {
      std::string key = "D" + end;
      const Array &segments = archive.array(key, 3);
      auto context = uint64_t(net.layers.front().units);
      if (segments.shape[0] != units || segments.shape[2] != context)
        throw Error(fmt::format(
            "{}expected shape ({}, K, {}): K segments of each of the units, "
            "which the first layer tells; found {}",
            archive.place(key), units, context, shapeText(segments.shape)));
      layer.segments = int64_t(segments.shape[1]);
      net.constants[key] = {{units * segments.shape[1], context},
                            flat(segments)};
      net.constants["one" + end] = {{units}, Values(units, 1.0)};
    }
    net.layers.push_back(layer);
    return units;
  }

  void readWinners() {
    int64_t least = net.layers.front().units;
    for (const ActiveDendrites::Layer &layer : net.layers)
      least = std::min(least, layer.units);
    std::string expected =
        fmt::format("a number of winners from 1 to {}, the units of the "
                    "smallest layer",
                    least);
    if (!meta.has("k_winners"))
      throw Error(fmt::format("{}\"k_winners\": expected {}, found none",
                              archive.place("meta"), expected));
    net.winners = *meta.integer("k_winners", 1, double(least), expected);
  }

  Archive &archive;
  MetaReader meta;
  ActiveDendrites net;
};

void importActiveDendrites(Archive &archive, mlir::MLIRContext &context,
                           ImportedModel &model) {
  ActiveDendrites net = ActiveDendritesReader(archive).run();
  model.module = parseNetwork(context, activeDendritesText(net), model.name,
                              net.constants);
  readExamples(archive, net.features, model);
}

} // namespace

CheckpointKind activeDendritesKind() {
  return {"Active Dendrites",
          "models/dendricl",
          {"active-dendrites"},
          {"D1", "W0"},
          importActiveDendrites};
}

} // namespace dendrolith::npz
