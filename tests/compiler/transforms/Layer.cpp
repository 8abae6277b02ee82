// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/compiler/transforms/Layer.h"

#include "compiler/transforms/Passes.h"

#include "dialects/dend/Constants.h"

#include "mlir/Pass/PassManager.h"

#include <fmt/format.h>

namespace dendrolith::test {
namespace {

std::string list(const std::vector<double> &values) {
  std::string text;
  for (double value : values)
    text += fmt::format("{}{:.17e}", text.empty() ? "" : ", ", value);
  return "[" + text + "]";
}

std::vector<int64_t> valuesOf(dend::NetworkOp network, mlir::Attribute symbol) {
  auto constant = network.lookupSymbol<dend::ConstantOp>(
      mlir::cast<mlir::FlatSymbolRefAttr>(symbol).getAttr());
  return *dend::readInts(*constant.getValue());
}

} // namespace

Layer Layer::random(std::mt19937 &random) {
  auto uniform = [&](double low, double high) {
    return low + (high - low) * double(random()) / 4294967296.0;
  };
  Layer layer;
  layer.sources = 1 + random() % 9;
  layer.neurons = 1 + random() % 9;
  layer.synaptic = random() % 2;
  layer.fires = random() % 3;
  double low = random() % 2 ? 0.0 : -1.0, size = uniform(0.01, 5);
  for (size_t n = 0; n < layer.neurons; ++n) {
    layer.ki.push_back(uniform(0, 0.95));
    layer.gi.push_back(uniform(0.1, 2));
    layer.kv.push_back(uniform(0, 0.98));
    layer.gv.push_back(uniform(0.1, 2));
    layer.off.push_back(uniform(-0.2, 0.2));
    layer.theta.push_back(uniform(0.5, 2));
    layer.to.push_back(uniform(-0.5, 0.4));
    layer.bias.push_back(uniform(-0.5, 0.5));
    for (size_t s = 0; s < layer.sources; ++s)
      layer.weights.push_back(size * uniform(low, 1));
  }
  return layer;
}

std::string Layer::text() const {
  std::string body = "dend.clock @step\n", params, bind;
  auto param = [&](const char *name, const std::vector<double> &values) {
    body += dend::test::constant(name, "f64", list(values), neurons) + "\n";
    params +=
        fmt::format("{}%{} : f64 per_neuron", params.empty() ? "" : ", ", name);
    bind += fmt::format("{0}{1} = @{1}", bind.empty() ? "" : ", ", name);
  };
  std::string ops, drive = "%I", next = "%v1", states;
  if (synaptic) {
    param("ki", ki);
    param("gi", gi);
    ops += "%i1 = dend.compartment %i drive %I keep %ki gain %gi "
           ": (f64, f64, f64, f64) -> f64\n";
    drive = "%i1";
    states = "%i : f64 reset sample, ";
  }
  param("kv", kv);
  param("gv", gv);
  param("off", off);
  ops += fmt::format("%v1 = dend.compartment %v drive {} keep %kv gain %gv "
                     "offset %off : (f64, f64, f64, f64, f64) -> f64\n",
                     drive);
  if (fires) {
    param("theta", theta);
    param("to", to);
    ops += "%s, %v2 = dend.fire %v1, %theta reset value to %to "
           ": (f64, f64, f64) -> (i1, f64)\n";
    next = "%v2";
  }
  body += fmt::format(
      "dend.neuron @m ports(%I : f64) params({}) states({}%v : f64 reset "
      "sample) outputs({}) {{\n{}dend.yield states({}{} : {}f64) "
      "emit({})\n}}\n",
      params, states,
      fires ? "s : !dend.spike<binary>" : "v : !dend.spike<graded>", ops,
      synaptic ? "%i1, " : "", next, synaptic ? "f64, " : "",
      fires ? "%s : i1" : "%v1 : f64");
  body += fmt::format("dend.input @x on @step : tensor<{}xf64> as "
                      "!dend.spike<graded>\n",
                      sources);
  body += fmt::format("dend.population @a : @m[{}] on @step bind {{{}}}\n",
                      neurons, bind);
  std::string rows;
  for (size_t n = 0; n < neurons; ++n)
    rows += (n ? ", " : "") +
            list(std::vector<double>(weights.begin() + n * sources,
                                     weights.begin() + (n + 1) * sources));
  body += fmt::format("dend.constant @w : tensor<{0}x{1}xf64> = dense<[{2}]> : "
                      "tensor<{0}x{1}xf64>\n",
                      neurons, sources, rows);
  body += dend::test::constant("b", "f64", list(bias), neurons) + "\n";
  body +=
      "dend.project @x -> @a[\"I\"] #dend.dense weight @w bias @b delay 0\n";
  return body + (fires ? "dend.output @y = @a[\"s\"]\n"
                       : "dend.output @y = probe @a[\"v\"]\n");
}

Layer Layer::scaled(double factor) const {
  Layer layer = *this;
  for (auto *values :
       {&layer.off, &layer.theta, &layer.to, &layer.bias, &layer.weights})
    for (double &value : *values)
      value *= factor;
  return layer;
}

Quantised::Quantised(const std::string &body, const std::string &target)
    : loaded(body) {
  if (!loaded.network)
    return;
  mlir::PassManager passes(network()->getContext(),
                           dend::NetworkOp::getOperationName());
  passes.addPass(createDendQuantise(DendQuantiseOptions{target}));
  ok = mlir::succeeded(passes.run(network()));
}

dend::PopulationOp Quantised::population() const {
  return network().lookupSymbol<dend::PopulationOp>("a");
}

dend::ProjectOp Quantised::projection() const {
  auto all = network().getOps<dend::ProjectOp>();
  return *all.begin();
}

double Quantised::scale() const {
  return population().getScale()->convertToDouble();
}

std::vector<int64_t> Quantised::parameter(const std::string &name) const {
  auto values = valuesOf(network(), population().getParamsAttr().get(name));
  if (values.size() == 1)
    values.resize(population().getSize(), values[0]);
  return values;
}

std::vector<int64_t> Quantised::mantissas() const {
  return valuesOf(network(), projection().getWeightAttr());
}

} // namespace dendrolith::test
