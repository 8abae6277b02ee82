// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/jit/bodies/BodyCompiler.h"

#include "runtime/session/jit/CodeCache.h"
#include "runtime/session/jit/bodies/BodyWriter.h"

#include "llvm/Support/raw_ostream.h"

namespace dendrolith::sim::jit::bodies {

using namespace mlir;

struct BodyCompiler::Cache : CodeCache<dend::CompiledBody> {};

BodyCompiler::BodyCompiler() : cache(std::make_unique<Cache>()) {}
BodyCompiler::~BodyCompiler() = default;

/// Longer bodies take longer to compile than anything gains.
constexpr size_t kMostOps = 1000;
/// Neurons that vectors of lanes have at the least, as half of them work then.
constexpr int64_t kFewestLanes = 4;

static int64_t lanesFor(int64_t neurons) {
  return neurons < kFewestLanes ? 1 : 8;
}

std::string keyOf(dend::NeuronOp model) {
  llvm::DenseMap<Value, unsigned> numbers;
  for (Value value : dend::bodyValues(model))
    numbers.try_emplace(value, unsigned(numbers.size()));
  std::string key;
  llvm::raw_string_ostream text(key);
  text << model.getPortArgs().size() << ' ' << model.getStateArgs().size();
  for (Value argument : model.getBlock().getArguments())
    text << ' ' << argument.getType();
  for (unsigned i = 0; i < model.getParamArgs().size(); ++i)
    text << (model.getParam(i).getPerNeuron() ? " n" : " s");
  // An op of a region stands behind all of the region.
  model.getBlock().walk([&](Operation *op) {
    text << '\n' << op->getName();
    if (!isa<dend::LiteralOp>(op)) // which is read when the code runs
      text << op->getAttrDictionary();
    for (Value operand : op->getOperands())
      text << ' ' << numbers.lookup(operand);
    for (Value result : op->getResults())
      text << ' ' << result.getType();
    if (op->getNumRegions() > 0)
      text << " of " << op->getRegion(0).front().getOperations().size();
  });
  return key;
}

std::shared_ptr<const dend::CompiledBody>
BodyCompiler::compile(dend::NeuronOp model, int64_t neurons) {
  if (!hasMachineCode() || !isKnown(model) ||
      dend::bodyValues(model).size() > kMostOps)
    return nullptr;
  const int64_t lanes = lanesFor(neurons);
  return cache->get(std::to_string(lanes) + " " + keyOf(model),
                    [&](MLIRContext &context, MachineCode &code) {
                      const Places places(model, lanes);
                      OwningOpRef<ModuleOp> module = writeBody(context, places);
                      void *address = code.compile(*module, kFunction, false);
                      dend::CompiledBody compiled;
                      compiled.function =
                          reinterpret_cast<dend::BodyFunction>(address);
                      compiled.lanes = lanes;
                      compiled.scratch = places.words[Scratch] * lanes;
                      compiled.shared = places.shared;
                      compiled.own = places.own;
                      return compiled;
                    });
}

BodyCompiler &bodyCompiler() {
  static BodyCompiler one;
  return one;
}

} // namespace dendrolith::sim::jit::bodies
