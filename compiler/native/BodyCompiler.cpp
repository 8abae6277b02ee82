// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/native/BodyCompiler.h"

#include "compiler/native/MachineCode.h"
#include "compiler/native/body/BodyOps.h"
#include "compiler/native/body/BodyToVector.h"
#include "targets/support/Error.h"

namespace dendrolith::native {

using namespace mlir;

struct BodyCompiler::Cache : CodeCache<dend::CompiledBody> {};

BodyCompiler::BodyCompiler() : cache(std::make_unique<Cache>()) {}
BodyCompiler::~BodyCompiler() = default;

/// Longer bodies take longer to compile than anything gains.
constexpr size_t kMostOps = 1000;
/// Neurons that vectors of lanes have at the least, as half of them work then.
constexpr int64_t kFewestLanes = 4;

static constexpr const char *kFunction = "update";

static dend::CompiledBody compileBody(dend::NeuronOp model, int64_t lanes,
                                      MachineCode &code) {
  loadDialects(*model.getContext());
  OpBuilder b(model.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(b.getUnknownLoc());
  b.setInsertionPointToEnd(module->getBody());
  FailureOr<dend::CompiledBody> compiled =
      body::writeBody(b, model, lanes, kFunction);
  if (failed(compiled))
    throw Error("jit: no code could be written for a step body");
  void *address = code.compile(*module, kFunction, false);
  compiled->function = reinterpret_cast<dend::BodyFunction>(address);
  return *compiled;
}

std::shared_ptr<const dend::CompiledBody>
BodyCompiler::compile(dend::NeuronOp model, int64_t neurons) {
  if (!hasMachineCode() || !body::isKnown(model) ||
      dend::bodyValues(model).size() > kMostOps)
    return nullptr;
  const int64_t lanes = neurons < kFewestLanes ? 1 : 8;
  return cache->get(
      std::to_string(lanes) + " " + body::keyOf(model),
      [&](MachineCode &code) { return compileBody(model, lanes, code); });
}

BodyCompiler &bodyCompiler() {
  static BodyCompiler one;
  return one;
}

} // namespace dendrolith::native
