// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/npz/elm/ElmNetwork.h"

namespace dendrolith::npz {
namespace {

constexpr const char *kElmNetwork = R"(
dend.network @elm {
  dend.clock @step
  dend.input @u on @step : tensor<$Ixf64> as !dend.spike<graded>
  $REC
  $RO
  dend.neuron @linear ports(%I : f64) outputs(y : !dend.spike<graded>) {
    dend.yield emit(%I : f64)
  }
  dend.population @rec : @recurrent[$N] on @step bind {
      W1 = @rec_W1, b1 = @rec_b1, $RECSECOND wr = @rec_wr, bias = @rec_b,
      km = @rec_km, gain = @rec_gain, kr = @rec_kr, gain_r = @rec_gain_r}
  dend.population @ro : @readout[$M] on @step bind {
      W1 = @ro_W1, b1 = @ro_b1, $ROSECOND wr = @ro_wr, bias = @ro_b,
      km = @ro_km, gain = @ro_gain}
  dend.population @out : @linear[$C] on @step
  $PROJECTIONS
  dend.project @ro["y"] -> @out["I"] #dend.dense weight @lin_W bias @lin_b delay 0
  dend.output @scores = @out["y"] decode "last=1"
}
)";

// Eq. 1 (ii) and (iii); %drive is what the last linear map of the MLP gives.
constexpr const char *kNeuron = R"(
  dend.neuron @$NAME ports(%b : tensor<$Txf64>)
      params(%W1 : tensor<$Fx$Zxf64> per_neuron, %b1 : tensor<$Fxf64> per_neuron,
          $SECONDPARAMS
          %wr : tensor<$Dxf64> per_neuron, %bias : f64 per_neuron,
          %km : tensor<$Dxf64>, %gain : tensor<$Dxf64> $FILTERPARAMS)
      states(%m : tensor<$Dxf64> reset sample $FILTERSTATE)
      outputs($OUTPUT) {
    %kept = dend.mul %km, %m : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>
    %z = dend.concat %b, %kept : (tensor<$Txf64>, tensor<$Dxf64>) -> tensor<$Zxf64>
    %h0 = dend.matvec %W1, %z : (tensor<$Fx$Zxf64>, tensor<$Zxf64>) -> tensor<$Fxf64>
    %h1 = dend.add %h0, %b1 : (tensor<$Fxf64>, tensor<$Fxf64>) -> tensor<$Fxf64>
    $SECOND
    %dm = dend.math tanh $DRIVE : (tensor<$Dxf64>) -> tensor<$Dxf64>
    %new = dend.mul %gain, %dm : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>
    %mn = dend.add %kept, %new : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>
    %p = dend.dot %wr, %mn : (tensor<$Dxf64>, tensor<$Dxf64>) -> f64
    %q = dend.add %bias, %p : (f64, f64) -> f64
    $REST
  })";

// One hidden layer, ReLU squared.
constexpr const char *kSecond = R"(
    %zeros = dend.literal dense<0.0> : tensor<$Fxf64> as tensor<$Fxf64>
    %h2 = dend.max %h1, %zeros : (tensor<$Fxf64>, tensor<$Fxf64>) -> tensor<$Fxf64>
    %h3 = dend.mul %h2, %h2 : (tensor<$Fxf64>, tensor<$Fxf64>) -> tensor<$Fxf64>
    %d0 = dend.matvec %W2, %h3 : (tensor<$Dx$Fxf64>, tensor<$Fxf64>) -> tensor<$Dxf64>
    %d1 = dend.add %d0, %b2 : (tensor<$Dxf64>, tensor<$Dxf64>) -> tensor<$Dxf64>)";
constexpr const char *kSecondParams = R"(
          %W2 : tensor<$Dx$Fxf64> per_neuron, %b2 : tensor<$Dxf64> per_neuron,)";

// (iv), then (v) by one of two outputs.
constexpr const char *kFilter = R"(
    %rn = dend.compartment %r drive %p keep %kr gain %gain_r
        : (f64, f64, f64, f64) -> f64
    %above = dend.sub %q, %rn : (f64, f64) -> f64
    %zero = dend.literal 0.0 : f64 as f64)";
constexpr const char *kRelu = R"(
    %a = dend.max %above, %zero : (f64, f64) -> f64
    dend.yield states(%mn, %rn : tensor<$Dxf64>, f64) emit(%a : f64))";
constexpr const char *kBinary = R"(
    %a, %rest = dend.fire %above, %zero reset subtract : (f64, f64) -> (i1, f64)
    dend.yield states(%mn, %rn : tensor<$Dxf64>, f64) emit(%a : i1))";
constexpr const char *kLinear = R"(
    dend.yield states(%mn : tensor<$Dxf64>) emit(%q : f64))";

std::string neuronText(const char *name, const ElmLayer &layer, bool filters,
                       bool binary) {
  auto number = [](int64_t value) { return std::to_string(value); };
  int64_t first = layer.hidden ? layer.hidden : layer.memories;
  Words words = {{"NAME", name},
                 {"T", number(layer.trees)},
                 {"D", number(layer.memories)},
                 {"Z", number(layer.trees + layer.memories)},
                 {"F", number(first)},
                 {"DRIVE", layer.hidden ? "%d1" : "%h1"},
                 {"FILTERPARAMS", filters ? ", %kr : f64, %gain_r : f64" : ""},
                 {"FILTERSTATE", filters ? ", %r : f64 reset sample" : ""}};
  words["SECOND"] = layer.hidden ? filled(kSecond, words) : "";
  words["SECONDPARAMS"] = layer.hidden ? filled(kSecondParams, words) : "";
  words["OUTPUT"] = !filters ? "y : !dend.spike<graded>"
                    : binary ? "a : !dend.spike<binary>"
                             : "a : !dend.spike<graded>";
  words["REST"] =
      filters ? std::string(kFilter) + filled(binary ? kBinary : kRelu, words)
              : filled(kLinear, words);
  return filled(kNeuron, words);
}

std::string elmText(const Elm &net) {
  std::string projections;
  auto project = [&](const char *name, const char *source, const char *target,
                     int delay) {
    std::string weight = name;
    if (net.constants.count(weight))
      projections += "dend.project " + std::string(source) + " -> " + target +
                     " #dend.sparse weight @" + weight + " indices @\"" +
                     weight + ".indices\" delay " + std::to_string(delay) +
                     "\n  ";
  };
  project("rec_Win", "@u", "@rec[\"b\"]", 0);
  project("rec_Wrec", "@rec[\"a\"]", "@rec[\"b\"]", 1);
  project("ro_Win", "@rec[\"a\"]", "@ro[\"b\"]", 0);
  return filled(
      kElmNetwork,
      {{"I", std::to_string(net.inputs)},
       {"N", std::to_string(net.rec.neurons)},
       {"M", std::to_string(net.ro.neurons)},
       {"C", std::to_string(net.classes)},
       {"REC", neuronText("recurrent", net.rec, true, net.binary)},
       {"RO", neuronText("readout", net.ro, false, false)},
       {"RECSECOND", net.rec.hidden ? "W2 = @rec_W2, b2 = @rec_b2," : ""},
       {"ROSECOND", net.ro.hidden ? "W2 = @ro_W2, b2 = @ro_b2," : ""},
       {"PROJECTIONS", projections}});
}

} // namespace

mlir::OwningOpRef<mlir::ModuleOp>
createElm(mlir::MLIRContext &context, const std::string &name, Elm checkpoint) {
  std::string text = elmText(checkpoint);
  return parseNetwork(context, text, name, std::move(checkpoint.constants));
}

} // namespace dendrolith::npz
