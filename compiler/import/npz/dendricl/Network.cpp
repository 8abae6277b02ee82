// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network is written as text, which shows what it is, and parsed.

#include "compiler/import/npz/dendricl/Dendricl.h"

#include "compiler/import/npz/Template.h"
#include "dialects/dend/Constants.h"
#include "dialects/dend/Dend.h"

#include "mlir/Parser/Parser.h"

using namespace mlir;

namespace neurite::npz {
namespace {

constexpr const char *kNetwork = R"(
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

  dend.population @apical : @apical_dendrite[1] on @token
      bind {alpha = @alpha, gamma = @gamma}
  dend.population @soma : @soma_neuron[$M] on @$FAST
      bind {$DECAY theta = @th1}
  dend.population @block : @block_neuron[$B] on @$FAST
      bind {$DECAY theta = @th2}
  dend.population @ff2 : @linear[$M] on @token
  dend.population @out : @linear[1] on @token

  dend.project @x -> @apical["a"] #dend.dense weight @WA_token delay 0
  dend.project @x -> @apical["y"] #dend.dense weight @y_token delay 0
  dend.project @x -> @apical["flag"] #dend.dense weight @flag_token delay 0
  dend.project @x -> @soma["I"] #dend.dense weight @WB bias @bB delay 0
  dend.project @apical["u"] -> @soma["I"] #dend.dense weight @WO delay 0
  dend.project @soma["s"] -> @block["I"] #dend.dense weight @F1 bias @b1 delay 0
  dend.project @block["s"] -> @ff2["I"] #dend.dense weight @F2 bias @b2 delay 0
  dend.project @ff2["y"] -> @out["I"] #dend.dense weight @R bias @bR delay 0
  $READ
  dend.output @y = @out["y"] decode "last=1"
}
)";

constexpr const char *kLif = R"(
  dend.neuron @$NAME ports(%I : f64 $HOLD) params(%decay : f64, %theta : f64)
      states(%v : f64 reset $RESET) outputs(s : !dend.spike<binary>) {
    %v1 = dend.compartment %v drive %I keep %decay : (f64, f64, f64) -> f64
    %s, %v2 = dend.fire %v1, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%v2 : f64) emit(%s : i1)
  })";

constexpr const char *kThreshold = R"(
  dend.neuron @$NAME ports(%I : f64) params(%theta : f64)
      outputs(s : !dend.spike<binary>) {
    %s, %rest = dend.fire %I, %theta reset subtract : (f64, f64) -> (i1, f64)
    dend.yield emit(%s : i1)
  })";

std::string networkText(const Dendricl &net) {
  bool isVirtual = net.meta.soma == DendriclMeta::Soma::Virtual;
  bool remembers = net.meta.soma != DendriclMeta::Soma::Memoryless;
  auto neuron = [&](const char *name, const char *hold) {
    return filled(remembers ? kLif : kThreshold,
                  {{"NAME", name},
                   {"HOLD", isVirtual ? hold : ""},
                   {"RESET", isVirtual ? "@token" : "sample"}});
  };
  auto number = [](int64_t value) { return std::to_string(value); };
  std::string vector = "tensor<" + number(net.apical) + "xf64>";
  bool reads = net.meta.readsPrediction;
  return filled(
      kNetwork,
      {{"PREDICTION", reads ? ", yhat : !dend.spike<graded>" : ""},
       {"EMITTED",
        reads ? "%u, %yhat : " + vector + ", f64" : "%u : " + vector},
       {"READ", reads ? "dend.project @apical[\"yhat\"] -> @out[\"I\"] "
                        "#dend.dense weight @Ry delay 0"
                      : ""},
       {"CLOCKS", isVirtual ? "dend.clock @micro divides @token by " +
                                  number(net.meta.micro)
                            : ""},
       {"FAST", isVirtual ? "micro" : "token"},
       {"T", number(net.features + 2)},
       {"LABEL", number(net.features)},
       {"FLAG", number(net.features + 1)},
       {"A", number(net.apical)},
       {"M", number(net.somas)},
       {"B", number(net.blocks)},
       {"SOMA", neuron("soma_neuron", "hold @token")},
       {"BLOCK", neuron("block_neuron", "")},
       {"DECAY", remembers ? "decay = @decay," : ""}});
}

} // namespace

OwningOpRef<ModuleOp> createDendricl(MLIRContext &context,
                                     const std::string &name,
                                     const Dendricl &checkpoint) {
  // The text is not verified while it is parsed, because its constants are
  // added after it.
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(networkText(checkpoint), config);
  auto network = *module->getOps<dend::NetworkOp>().begin();
  network.setSymName(name);
  // Locations in a text that no user has would only mislead.
  module->walk([&](Operation *op) { op->setLoc(UnknownLoc::get(&context)); });
  for (auto model : network.getOps<dend::NeuronOp>())
    model.walk([&](Operation *op) {
      op->setLoc(NameLoc::get(model.getSymNameAttr()));
    });
  Builder types(&context);
  OpBuilder builder = OpBuilder::atBlockBegin(&network.getBody().front());
  for (const auto &[symbol, constant] : checkpoint.constants) {
    auto type = RankedTensorType::get(
        SmallVector<int64_t>(constant.shape.begin(), constant.shape.end()),
        types.getF64Type());
    dend::ConstantOp::create(builder, builder.getUnknownLoc(),
                             types.getStringAttr(symbol), TypeAttr::get(type),
                             dend::makeElements(type, symbol, constant.values),
                             StringAttr(), DenseI64ArrayAttr());
  }
  return module;
}

} // namespace neurite::npz
