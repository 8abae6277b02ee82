// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/native/Passes.cpp,
// compiler/native/Passes.cpp, compiler/pipelines/Compile.cpp. Four
// bytes are the seed of a network of random step bodies, the next one says on
// which chip: the reference interpreter, the fast one with machine code, and
// the functional engine with machine code agree to the bit.

#include "compiler/native/BodyCompiler.h"
#include "runtime/session/RunInterpreter.h"
#include "runtime/session/native/NativePrograms.h"
#include "tests/agreement/RandomBodies.h"
#include "tests/fuzz/Scratch.h"
#include "tests/fuzz/Tree.h"

using namespace dendrolith;

namespace {

void requireSame(const session::Recording &a, const session::Recording &b,
                 const std::string &engine) {
  for (size_t o = 0; o < a.outputs.size(); ++o)
    fuzz::require(a.outputs[o].values == b.outputs[o].values,
                  engine + " differs at output " + a.outputs[o].name);
}

image::Program programOf(Compilation &compilation, uint8_t way) {
  static const char *const chips[] = {"ideal", "loihi2",
                                      "loihi2,limits.compartments_per_core=2"};
  CompileOptions options;
  options.target = chips[way % 3];
  compilation.quantise(options);
  compilation.lower(options);
  return compilation.emit();
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz::Folder folder;
  if (size < 5)
    return -1;
  const uint32_t seed = uint32_t(data[0]) | uint32_t(data[1]) << 8 |
                        uint32_t(data[2]) << 16 | uint32_t(data[3]) << 24;
  const test::RandomBodies network = test::randomBodies(seed);
  folder.put("bodies.mlir", network.text);
  Compilation compilation(folder.path + "/bodies.mlir");
  const image::Program program = programOf(compilation, data[4]);
  // A recipe has a meaning only once it is written out.
  dend::NetworkOp meant = network.kinds.count("math")
                              ? compilation.fixedNetwork()
                              : compilation.floatNetwork();
  const session::Recording reference =
      session::runInterpreter({meant, {}, network.inputs, {}});
  session::InterpreterRun fast{meant, {}, network.inputs, {}};
  fast.fast = true;
  requireSame(reference, session::runInterpreter(fast), "the fast interpreter");
  sim::RunOptions options;
  options.compiler = nativePrograms();
  options.alwaysCompile = true;
  const Target chip =
      Target::parse(program.target_yaml(), Target::load("ideal").filename);
  requireSame(reference,
              session::recordingOf(
                  sim::runFunctional(program, chip, network.inputs, options)),
              "the functional engine");
  return 0;
}
