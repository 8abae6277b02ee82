// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/dendricl/DendriclNetwork.h"

using namespace mlir;

namespace dendrolith::npz {
namespace {

constexpr const char *kDendriclNetwork = R"(
dend.network @dendricl {
  dend.clock @token
  $CLOCKS
  dend.input @x on @token : tensor<$Txf64> as !dend.spike<graded>
      query $FLAG masks $LABEL

  dend.neuron @apical_dendrite
      ports(%a : tensor<$Axf64>, %y : f64, %flag : f64)
      params(%alpha : f64, %gamma : f64)
      states(%u : tensor<$Axf64> reset sample)
      outputs(u[$A] : !dend.spike<graded>$PREDICTION) {
    %yhat = dend.dot %u, %a : (tensor<$Axf64>, tensor<$Axf64>) -> f64
    %one = dend.literal 1.0 : f64 as f64
    %open = dend.sub %one, %flag : (f64, f64) -> f64
    %rate = dend.mul %gamma, %open : (f64, f64) -> f64
    %un = dend.delta_rule %u key %a target %y prediction %yhat keep %alpha
        rate %rate : (tensor<$Axf64>, tensor<$Axf64>, f64, f64, f64, f64)
        -> tensor<$Axf64>
    dend.yield states(%un : tensor<$Axf64>) emit($EMITTED)
  }
  $SOMA
  $BLOCK
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  $LAYERS
  dend.population @block : @block_neuron[$B] on @$FAST
      bind {$DECAY theta = @th2}
  dend.population @ff2 : @linear[$M] on @token
  dend.population @out : @linear[1] on @token

  dend.project @$LAST["s"] -> @block["I"] #dend.dense weight @F1 bias @b1 delay 0
  dend.project @block["s"] -> @ff2["I"] #dend.dense weight @F2 bias @b2 delay 0
  dend.project @ff2["y"] -> @out["I"] #dend.dense weight @R bias @bR delay 0
  $READ
  dend.output @y = @out["y"] decode "last=1"
}
)";

// A layer's apical dendrite and somas; the first layer has no suffix.
constexpr const char *kLayer = R"(
  dend.population @apical$L : @apical_dendrite[1] on @token
      bind {alpha = @alpha$L, gamma = @gamma$L}
  dend.population @soma$L : @$MODEL[$M] on @$FAST
      bind {$DECAY theta = @th1$L}
  dend.project @x -> @apical$L["a"] #dend.dense weight @WA_token$L delay 0
  dend.project @x -> @apical$L["y"] #dend.dense weight @y_token delay 0
  dend.project @x -> @apical$L["flag"] #dend.dense weight @flag_token delay 0
)";

constexpr const char *kFromToken = R"(
  dend.project @x -> @soma["I"] #dend.dense weight @WB bias @bB delay 0
  dend.project @apical["u"] -> @soma["I"] #dend.dense weight @WO delay 0
)";

// The apical current is held for a token, spikes from below are not.
constexpr const char *kFromLayer = R"(
  dend.project @$BELOW["s"] -> @soma$L["I"] #dend.dense weight @WB$L delay 0
  dend.project @apical$L["u"] -> @soma$L["A"] #dend.dense weight @WO$L
      bias @bB$L delay 0
)";

constexpr const char *kSomaLif = R"(
  dend.neuron @$NAME ports($PORTS) params(%decay : f64, %theta : f64)
      states(%v : f64 reset $RESET) outputs(s : !dend.spike<binary>) {
    $ADD
    %v1 = dend.compartment %v drive $DRIVE keep %decay : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  })";

constexpr const char *kThreshold = R"(
  dend.neuron @$NAME ports($PORTS) params(%theta : f64)
      outputs(s : !dend.spike<binary>) {
    $ADD
    %s, %rest = dend.fire $DRIVE, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield emit(%s : i1)
  })";

// What a unit of a DendriCNN passes on: how far its potential is above the
// threshold.
constexpr const char *kExcess = R"(
  dend.neuron @$NAME ports($PORTS) params(%theta : f64)
      outputs(s : !dend.spike<graded>) {
    $ADD
    %over = dend.sub $DRIVE, %theta : (f64, f64) -> f64
    %zero = dend.literal 0.0 : f64 as f64
    %s = dend.max %over, %zero : (f64, f64) -> f64
    dend.yield emit(%s : f64)
  })";

/// Writes the parts of a network whose somas are of one kind.
class DendriclWriter {
public:
  explicit DendriclWriter(const Dendricl &net) : net(net) {
    isVirtual = net.meta.soma == DendriclMeta::Soma::Virtual;
    body = !net.meta.spikes                                  ? kExcess
           : net.meta.soma == DendriclMeta::Soma::Memoryless ? kThreshold
                                                             : kSomaLif;
  }

  std::string run() const {
    std::string vector = "tensor<" + number(net.apical) + "xf64>";
    bool reads = net.meta.readsPrediction;
    std::string hold = isVirtual ? " hold @token" : "";
    std::string somas = neuron("soma_neuron", "%I : f64" + hold, "%I");
    if (net.layers > 1)
      somas += neuron("soma_above", "%A : f64" + hold + ", %I : f64", "%drive");
    return filled(
        kDendriclNetwork,
        {{"PREDICTION", reads ? ", yhat : !dend.spike<graded>" : ""},
         {"EMITTED",
          reads ? "%u, %yhat : " + vector + ", f64" : "%u : " + vector},
         {"READ", reads ? "dend.project @apical[\"yhat\"] -> @out[\"I\"] "
                          "#dend.dense weight @Ry delay 0"
                        : ""},
         {"CLOCKS", isVirtual ? "dend.clock @micro divides @token by " +
                                    number(net.meta.micro)
                              : ""},
         {"FAST", fast()},
         {"T", number(net.features + 2)},
         {"LABEL", number(net.features)},
         {"FLAG", number(net.features + 1)},
         {"A", number(net.apical)},
         {"M", number(net.somas)},
         {"B", number(net.blocks)},
         {"SOMA", somas},
         {"BLOCK", neuron("block_neuron", "%I : f64", "%I")},
         {"LAYERS", layers()},
         {"LAST", "soma" + suffixOf(net.layers - 1)},
         {"DECAY", decay()}});
  }

private:
  static std::string number(int64_t value) { return std::to_string(value); }
  std::string fast() const { return isVirtual ? "micro" : "token"; }
  std::string decay() const {
    return body == kSomaLif ? "decay = @decay," : "";
  }

  std::string neuron(const char *name, const std::string &ports,
                     const std::string &drive) const {
    return filled(body,
                  {{"NAME", name},
                   {"PORTS", ports},
                   {"DRIVE", drive},
                   {"ADD", drive == "%drive"
                               ? "%drive = dend.add %A, %I : (f64, f64) -> f64"
                               : ""},
                   {"RESET", isVirtual ? "@token" : "sample"}});
  }

  std::string layers() const {
    std::string text;
    for (int64_t l = 0; l < net.layers; ++l) {
      Words words = {{"L", suffixOf(l)},
                     {"MODEL", l ? "soma_above" : "soma_neuron"},
                     {"M", number(net.somas)},
                     {"FAST", fast()},
                     {"DECAY", decay()}};
      if (l)
        words["BELOW"] = "soma" + suffixOf(l - 1);
      text += filled(kLayer, words) +
              (l ? filled(kFromLayer, words) : std::string(kFromToken));
    }
    return text;
  }

  const Dendricl &net;
  bool isVirtual;
  const char *body;
};

} // namespace

std::string suffixOf(int64_t layer) {
  return layer ? "_" + std::to_string(layer) : "";
}

OwningOpRef<ModuleOp> createDendricl(MLIRContext &context,
                                     const std::string &name,
                                     const Dendricl &checkpoint) {
  return parseNetwork(context, DendriclWriter(checkpoint).run(), name,
                      checkpoint.constants);
}

} // namespace dendrolith::npz
