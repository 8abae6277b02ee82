// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/dendricl/Spikformer.h"

#include "compiler/import/npz/common/MetaReader.h"
#include "compiler/import/npz/dendricl/Token.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

namespace dendrolith::npz {
namespace {

struct Spikformer {
  int64_t features = 0;        ///< d; a token is [x (d); y; flag]
  int64_t units = 0;           ///< d_m
  int64_t blocks = 0;          ///< of attention and two further layers
  int64_t heads = 1;           ///< each of units / heads
  int64_t micro = 4;           ///< passes per token
  std::vector<int64_t> hidden; ///< rows of W1<l>, by block
  Constants constants;
};

// Words in capitals after a $ are filled in.
constexpr const char *kSpikformerNetwork = R"(
dend.network @spikformer {
  dend.clock @token
  dend.clock @micro divides @token by $MICRO
  dend.input @x on @token : tensor<$Txf64> as !dend.spike<graded>
      query $FLAG masks $LABEL
  $HELD
  $LIF
  dend.neuron @attention
      ports(%q : tensor<$Kxf64>, %k : tensor<$Kxf64>, %v : f64)
      params(%decay : f64, %theta : f64, %scale : f64 per_neuron,
          %shift : f64 per_neuron)
      states($STATES, %p : f64 reset @token)
      outputs(s : !dend.spike<binary>) {
    %kv = dend.mul %v, %k : (f64, tensor<$Kxf64>) -> tensor<$Kxf64>
    %sum = dend.add %s0, %kv
        : (tensor<$Kxf64>, tensor<$Kxf64>) -> tensor<$Kxf64>
    %seen = dend.dot %q, %sum : (tensor<$Kxf64>, tensor<$Kxf64>) -> f64
    %scaled = dend.mul %scale, %seen : (f64, f64) -> f64
    %I = dend.add %scaled, %shift : (f64, f64) -> f64
    %p1 = dend.compartment %p drive %I keep %decay : (f64, f64, f64) -> f64
    %s, %p2 = dend.fire %p1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states($NEXT, %p2 : $TYPES, f64) emit(%s : i1)
  }
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @e : @held[$M] on @micro
      bind {decay = @decay, theta = @theta}
  dend.project @x -> @e["I"] #dend.dense weight @We bias @be delay 0
  dend.constant @fan : tensor<$FANxf64> = dense<1.0> : tensor<$FANxf64>
  dend.constant @fan_at : tensor<$FANx2xi32>
      = dense<[$PAIRS]> : tensor<$FANx2xi32>
  $BLOCKS
  dend.population @out : @linear[1] on @token
  dend.project @$LAST -> @out["I"] #dend.dense weight @Wout bias @bout delay 0
  dend.output @y = @out["y"] decode "last=1"
}
)";

constexpr const char *kUnitLif = R"(
  dend.neuron @$NAME ports(%I : f64 $HOLD) params(%decay : f64, %theta : f64)
      states(%v : f64 reset @token) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %decay : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  })";

// Units that see those of $FROM through W$KEY.
constexpr const char *kSpikingUnits = R"(
  dend.population @$NAME : @lif[$M] on @micro
      bind {decay = @decay, theta = @theta}
  dend.project @$FROM -> @$NAME["I"] #dend.dense weight @W$KEY bias @b$KEY
      delay 0
)";

// Each spike of a query or key goes to every column of its head.
constexpr const char *kAttention = R"(
  dend.population @a$L : @attention[$M] on @micro
      bind {decay = @decay, theta = @theta, scale = @scale$L, shift = @shift$L}
  dend.project @q$L["s"] -> @a$L["q"] #dend.sparse weight @fan indices @fan_at
      delay 0
  dend.project @k$L["s"] -> @a$L["k"] #dend.sparse weight @fan indices @fan_at
      delay 0
  dend.project @v$L["s"] -> @a$L["v"] #dend.diagonal weight @one delay 0
)";

constexpr const char *kSum = R"(
  dend.population @$NAME : @linear[$M] on @micro
  dend.project @$FROM -> @$NAME["I"] #dend.diagonal weight @one delay 0
  dend.project @$MORE -> @$NAME["I"] #dend.diagonal weight @one delay 0
)";

std::string number(int64_t value) { return std::to_string(value); }

/// Pairs (target, source) of a projection of query or key spikes.
std::string fanPairs(int64_t units, int64_t width) {
  std::string pairs;
  for (int64_t source = 0; source < units; ++source)
    for (int64_t column = 0; column < width; ++column)
      pairs += fmt::format(
          "{}[{}, {}]", pairs.empty() ? "" : ", ",
          (source / width * width + column) * width + source % width, source);
  return pairs;
}

std::string blockText(const Spikformer &net, int64_t l,
                      const std::string &stream) {
  std::string end = number(l), text;
  auto units = [&](const std::string &name, const std::string &key,
                   const std::string &from, int64_t count) {
    text += filled(kSpikingUnits, {{"NAME", name + end},
                                   {"KEY", key + end},
                                   {"FROM", from},
                                   {"M", number(count)}});
  };
  auto sum = [&](const std::string &name, const std::string &from,
                 const std::string &more) {
    text += filled(kSum, {{"NAME", name + end},
                          {"FROM", from},
                          {"MORE", more + end + "[\"s\"]"},
                          {"M", number(net.units)}});
  };
  for (const char *name : {"q", "k", "v"})
    units(name, name, stream, net.units);
  text += filled(kAttention, {{"L", end}, {"M", number(net.units)}});
  units("o", "o", "a" + end + "[\"s\"]", net.units);
  sum("mid", stream, "o");
  units("h", "1", "mid" + end + "[\"y\"]", net.hidden[size_t(l)]);
  units("m", "2", "h" + end + "[\"s\"]", net.units);
  sum("stream", "mid" + end + "[\"y\"]", "m");
  return text;
}

std::string spikformerText(const Spikformer &net) {
  int64_t width = net.units / net.heads;
  std::string vector = "tensor<" + number(width) + "xf64>", states, next, types,
              blocks, stream = "e[\"s\"]";
  // The sums of the passes take turns.
  for (int64_t m = 0; m < net.micro; ++m) {
    states += fmt::format("{}%s{} : {} reset sample", m ? ", " : "", m, vector);
    next += fmt::format("{}", m + 1 < net.micro ? fmt::format("%s{}, ", m + 1)
                                                : "%sum");
    types += (m ? ", " : "") + vector;
  }
  for (int64_t l = 0; l < net.blocks; ++l) {
    blocks += blockText(net, l, stream);
    stream = "stream" + number(l) + "[\"y\"]";
  }
  Words words = tokenWords(net.features);
  words.insert(
      {{"MICRO", number(net.micro)},
       {"HELD", filled(kUnitLif, {{"NAME", "held"}, {"HOLD", "hold @token"}})},
       {"LIF", filled(kUnitLif, {{"NAME", "lif"}, {"HOLD", ""}})},
       {"K", number(width)},
       {"STATES", states},
       {"NEXT", next},
       {"TYPES", types},
       {"M", number(net.units)},
       {"FAN", number(net.units * width)},
       {"PAIRS", fanPairs(net.units, width)},
       {"BLOCKS", blocks},
       {"LAST", stream}});
  return filled(kSpikformerNetwork, words);
}

Spikformer readSpikformer(Archive &archive) {
  MetaReader meta(archive);
  meta.only({"d", "d_m", "heads", "width", "blocks", "n_micro", "decay", "tau",
             "decode"});
  if (meta.text("decode", "last=1") != "last=1")
    meta.fail("decode", "last=1, the read-out at the query");
  Spikformer net;
  net.features = readFeatures(archive, meta, "We");
  net.units = int64_t(archive.array("We", 2).shape[0]);
  net.micro = meta.microSteps(net.micro);
  net.heads = meta.integer("heads", 1, 1e6, "a number of heads").value_or(1);
  if (net.units % net.heads != 0)
    meta.fail("heads", fmt::format("a number that divides the {} rows of We",
                                   net.units));
  do // without the first the reader says what is missing
    ++net.blocks;
  while (archive.has("Wq" + number(net.blocks)));
  if (auto said = meta.integer("blocks", 1, 1e6, "a number of blocks");
      said && *said != net.blocks)
    meta.fail("blocks", fmt::format("{}, one per Wq0, Wq1, ...", net.blocks));

  auto units = uint64_t(net.units);
  std::string why = fmt::format("d = {}, {} rows of We", net.features, units);
  auto linear = [&](const std::string &name, uint64_t rows, uint64_t sources) {
    addLinear(archive, net.constants, name, rows, sources, why);
  };
  linear("e", units, uint64_t(net.features) + 2);
  for (int64_t l = 0; l < net.blocks; ++l) {
    std::string end = number(l);
    for (const char *name : {"q", "k", "v", "o"})
      linear(name + end, units, units);
    uint64_t hidden = archive.array("W1" + end, 2).shape[0];
    net.hidden.push_back(int64_t(hidden));
    linear("1" + end, hidden, units);
    linear("2" + end, units, hidden);
    for (const char *name : {"scale", "shift"})
      net.constants[name + end] = {{units},
                                   archive.reals(name + end, {units}, why)};
  }
  linear("out", 1, units);
  for (double &weight : net.constants["Wout"].values)
    weight /= double(net.micro);
  net.constants["one"] = {{units}, Values(units, 1.0)};
  net.constants["decay"] = {{}, {readDecay(meta)}};
  net.constants["theta"] = {{}, {1.0}};
  return net;
}

void importSpikformer(Archive &archive, mlir::MLIRContext &context,
                      ImportedModel &model) {
  Spikformer net = readSpikformer(archive);
  model.module =
      parseNetwork(context, spikformerText(net), model.name, net.constants);
  readExamples(archive, net.features, model);
}

} // namespace

CheckpointKind spikformerKind() {
  return {"Spikformer",
          "models/dendricl",
          {"spikformer"},
          {"We", "Wq0", "scale0"},
          importSpikformer};
}

} // namespace dendrolith::npz
