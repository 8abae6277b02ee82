// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The models are written as text, which shows what they are, and parsed.

#include "compiler/import/npz/mmdend/Baseline.h"

#include "compiler/import/npz/common/NetworkText.h"
#include "dialects/dend/Dend.h"

#include "mlir/Parser/Parser.h"

#include <algorithm>
#include <fmt/format.h>

using namespace mlir;

namespace dendrolith::npz {
namespace {

constexpr const char *kPlif = R"(
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %h = dend.compartment %v drive %I keep %keep gain %gain
        : (f64, f64, f64, f64) -> f64
    %s, %next = dend.fire %h, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%next : f64) emit(%s : i1)
  })";

constexpr const char *kKlif = R"(
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %h = dend.compartment %v drive %I keep %keep gain %gain
        : (f64, f64, f64, f64) -> f64
    %zero = dend.literal 0.0 : f64 as f64
    %f = dend.max %h, %zero : (f64, f64) -> f64
    %s, %next = dend.fire %f, %theta reset value : (f64, f64) -> (i1, f64)
    dend.yield states(%next : f64) emit(%s : i1)
  })";

// The state is what the next step starts from: u after leak and reset.
constexpr const char *kGlif = R"(
      states(%v : f64 reset sample) outputs(s : !dend.spike<binary>) {
    %in = dend.mul %gain, %I : (f64, f64) -> f64
    %charged = dend.add %v, %in : (f64, f64) -> f64
    %u = dend.sub %charged, %leak : (f64, f64) -> f64
    %s = dend.cmp gt %u, %theta : (f64, f64) -> i1
    %kept = dend.mul %u, %keep : (f64, f64) -> f64
    %stays = dend.mul %u, %stay : (f64, f64) -> f64
    %reset = dend.sub %stays, %drop : (f64, f64) -> f64
    %next = dend.select %s, %reset, %kept : (i1, f64, f64) -> f64
    dend.yield states(%next : f64) emit(%s : i1)
  })";

// The inputs are a delay line, newest first. `now` has a 1 at the step's row;
// after the last row it stays there.
constexpr const char *kRows = R"(
      states(%line : tensor<$Kxf64> reset sample,
             %now : tensor<$Txf64> reset sample,
             %first : f64 reset sample init 1.0)
      outputs(s : !dend.spike<binary>) {
    $SHIFT
    $ROW
    %none = dend.literal 0.0 : f64 as f64
    %row = dend.vecmat %at, %w : (tensor<$Txf64>, tensor<$Tx$Kxf64>)
        -> tensor<$Kxf64>
    %h = dend.dot %row, %next : (tensor<$Kxf64>, tensor<$Kxf64>) -> f64
    %limit = dend.dot %at, %theta : (tensor<$Txf64>, tensor<$Txf64>) -> f64
    %s = dend.cmp ge %h, %limit : (f64, f64) -> i1
    dend.yield states(%next, %at, %none : tensor<$Kxf64>, tensor<$Txf64>, f64)
        emit(%s : i1)
  })";

constexpr const char *kRow = R"(
    %before = dend.slice %now[0, $REST] : (tensor<$Txf64>) -> tensor<$RESTxf64>
    %last = dend.element %now[$LAST] : (tensor<$Txf64>) -> f64
    %almost = dend.element %now[$REST] : (tensor<$Txf64>) -> f64
    %end = dend.add %almost, %last : (f64, f64) -> f64
    %at = dend.concat %first, %before, %end
        : (f64, tensor<$RESTxf64>, f64) -> tensor<$Txf64>)";

constexpr const char *kOneOfTwo = R"(
    %last = dend.element %now[1] : (tensor<2xf64>) -> f64
    %almost = dend.element %now[0] : (tensor<2xf64>) -> f64
    %end = dend.add %almost, %last : (f64, f64) -> f64
    %at = dend.concat %first, %end : (f64, f64) -> tensor<2xf64>)";

constexpr const char *kOnlyRow =
    "%at = dend.literal dense<1.0> : tensor<1xf64> as tensor<1xf64>";

constexpr const char *kTaps = R"(
      states(%line : tensor<$Kxf64> reset sample)
      outputs(s : !dend.spike<binary>) {
    $SHIFT
    %h = dend.dot %next, %w : (tensor<$Kxf64>, tensor<$Kxf64>) -> f64
    %s = dend.cmp ge %h, %theta : (f64, f64) -> i1
    dend.yield states(%next : tensor<$Kxf64>) emit(%s : i1)
  })";

constexpr const char *kShift = R"(
    %old = dend.slice %line[0, $REST] : (tensor<$Kxf64>) -> tensor<$RESTxf64>
    %next = dend.concat %I, %old : (f64, tensor<$RESTxf64>) -> tensor<$Kxf64>)";

constexpr const char *kNoShift =
    "%next = dend.concat %I : (f64) -> tensor<1xf64>";

// Potentials are in thresholds. Below 8, what is left after whole thresholds
// are taken off follows from three comparisons.
constexpr const char *kPmsn = R"(
      states(%V : tensor<$Kxcomplex<f64>> reset sample, %v : f64 reset sample)
      outputs(s : !dend.spike<binary>) {
    %next, %in = dend.branch %V, %I A %A C %C direct %go act relu
        : (tensor<$Kxcomplex<f64>>, f64, tensor<$Kxcomplex<f64>>,
           tensor<$Kxcomplex<f64>>, f64) -> (tensor<$Kxcomplex<f64>>, f64)
    %most = dend.literal 7.0 : f64 as f64
    %drive = dend.min %in, %most : (f64, f64) -> f64
    %h = dend.add %v, %drive : (f64, f64) -> f64
    %one = dend.literal 1.0 : f64 as f64
    %two = dend.literal 2.0 : f64 as f64
    %four = dend.literal 4.0 : f64 as f64
    %s = dend.cmp ge %h, %one : (f64, f64) -> i1
    %c4 = dend.cmp ge %h, %four : (f64, f64) -> i1
    %d4 = dend.sub %h, %four : (f64, f64) -> f64
    %h4 = dend.select %c4, %d4, %h : (i1, f64, f64) -> f64
    %c2 = dend.cmp ge %h4, %two : (f64, f64) -> i1
    %d2 = dend.sub %h4, %two : (f64, f64) -> f64
    %h2 = dend.select %c2, %d2, %h4 : (i1, f64, f64) -> f64
    %c1 = dend.cmp ge %h2, %one : (f64, f64) -> i1
    %d1 = dend.sub %h2, %one : (f64, f64) -> f64
    %h1 = dend.select %c1, %d1, %h2 : (i1, f64, f64) -> f64
    dend.yield states(%next, %h1 : tensor<$Kxcomplex<f64>>, f64) emit(%s : i1)
  })";

constexpr const char *kAlif = R"(
      states(%v : f64 reset $RESET, %a : f64 reset sample)
      outputs(s : !dend.spike<binary>) {
    %h = dend.compartment %v drive %I keep %keep gain %gain
        : (f64, f64, f64, f64) -> f64
    %limit = dend.add %theta, %a : (f64, f64) -> f64
    %s, %next = dend.fire %h, %limit reset subtract : (f64, f64) -> (i1, f64)
    %fades = dend.mul %rho, %a : (f64, f64) -> f64
    %risen = dend.add %fades, %rise : (f64, f64) -> f64
    %limits = dend.select %s, %risen, %fades : (i1, f64, f64) -> f64
    dend.yield states(%next, %limits : f64, f64) emit(%s : i1)
  })";

struct BaselineForm {
  Meta::Neuron neuron;
  const char *word, *text;
};

const BaselineForm kForms[] = {{Meta::Neuron::Plif, "plif", kPlif},
                               {Meta::Neuron::Klif, "klif", kKlif},
                               {Meta::Neuron::Glif, "glif", kGlif},
                               {Meta::Neuron::Psn, "psn", kRows},
                               {Meta::Neuron::MaskedPsn, "masked_psn", kRows},
                               {Meta::Neuron::SlidingPsn, "sliding_psn", kTaps},
                               {Meta::Neuron::Pmsn, "pmsn", kPmsn},
                               {Meta::Neuron::Alif, "alif", kAlif}};

std::string typeText(const NeuronConstant &constant) {
  std::string element = constant.complex ? "complex<f64>" : "f64", shape;
  for (uint64_t size : constant.shape)
    shape += fmt::format("{}x", size);
  return shape.empty() ? element : fmt::format("tensor<{}{}>", shape, element);
}

std::string parametersText(const Layer &layer) {
  std::string all;
  for (const NeuronConstant &constant : layer.constants)
    all += fmt::format("{}%{} : {}{}", all.empty() ? "" : ", ", constant.name,
                       typeText(constant),
                       constant.perNeuron ? " per_neuron" : "");
  return all;
}

/// What the model's text leaves open: sizes, and how inputs and rows move on.
Words words(const Checkpoint &checkpoint, const Layer &layer) {
  const Shape &first = layer.constants.front().shape;
  uint64_t taps = first.empty() ? 1 : first.back();
  uint64_t steps = first.empty() ? 1 : first.front();
  auto number = [](uint64_t value) { return std::to_string(value); };
  Words found = {{"K", number(taps)},
                 {"T", number(steps)},
                 {"REST", number(taps - 1)},
                 {"RESET", checkpoint.isVirtual() ? "@step" : "sample"}};
  found["SHIFT"] = filled(taps > 1 ? kShift : kNoShift, found);
  found["ROW"] = filled(steps > 2   ? kRow
                        : steps > 1 ? kOneOfTwo
                                    : kOnlyRow,
                        {{"T", number(steps)},
                         {"LAST", number(steps - 1)},
                         {"REST", number(steps - 2)}});
  return found;
}

} // namespace

std::vector<std::string> baselineWords() {
  std::vector<std::string> all;
  for (const BaselineForm &form : kForms)
    all.push_back(form.word);
  return all;
}

Meta::Neuron neuronOf(const std::string &word) {
  return llvm::find_if(
             kForms,
             [&](const BaselineForm &form) { return form.word == word; })
      ->neuron;
}

std::string wordFor(Meta::Neuron neuron) {
  for (const BaselineForm &form : kForms)
    if (form.neuron == neuron)
      return form.word;
  return neuron == Meta::Neuron::Lif ? "lif" : "mmdend";
}

std::string baselineForm(const Checkpoint &checkpoint, const Layer &layer) {
  return parametersText(layer) +
         (layer.first && checkpoint.isVirtual() ? " held" : "");
}

void createBaseline(OpBuilder &builder, const std::string &name,
                    const Checkpoint &checkpoint, const Layer &layer) {
  const char *text = llvm::find_if(kForms, [&](const BaselineForm &form) {
                       return form.neuron == checkpoint.meta.neuron;
                     })->text;
  bool holds = layer.first && checkpoint.isVirtual();
  std::string network = fmt::format(
      "dend.network @n {{ dend.clock @step\n dend.neuron @{} ports(%I : f64{}) "
      "params({}) {} }}",
      name, holds ? " hold @step" : "", parametersText(layer),
      filled(text, words(checkpoint, layer)));
  ParserConfig config(builder.getContext(), /*verifyAfterParse=*/false);
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(network, config);
  auto from = *parsed->getOps<dend::NetworkOp>().begin();
  auto model = *from.getOps<dend::NeuronOp>().begin();
  // Locations in a text that no user has would only mislead.
  model->walk([&](Operation *op) {
    op->setLoc(NameLoc::get(builder.getStringAttr(name)));
  });
  model->remove();
  builder.insert(model);
}

} // namespace dendrolith::npz
