// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests compiler/native/Passes.cpp,
// runtime/session/native/NativePrograms.cpp. Program images as those of the
// target `program`: the machine code of their neurons' programs gives what the
// interpreter of programs gives, or the same error.

#include "runtime/image/Program.h"
#include "runtime/session/native/NativePrograms.h"
#include "tests/fuzz/SmallProgram.h"
#include "tests/fuzz/Tree.h"

using namespace dendrolith;

namespace {

/// What a run gives, or why there is none.
struct Ran {
  std::string error;
  sim::RunResult result;
};

Ran ran(const image::Program &program,
        const std::map<std::string, Samples> &inputs,
        std::shared_ptr<sim::ProgramCompiler> compiler) {
  sim::RunOptions options;
  options.compiler = std::move(compiler);
  options.alwaysCompile = true;
  options.spikes = true;
  Ran run;
  try {
    run.result =
        sim::runFunctional(program, fuzz::targetOf(program), inputs, options);
  } catch (const Error &error) {
    run.error = error.what();
  }
  return run;
}

/// A compiler of its own now and then: it keeps all code that it made.
std::shared_ptr<sim::ProgramCompiler> compiler() {
  static std::shared_ptr<sim::ProgramCompiler> current;
  static unsigned uses = 0;
  if (uses++ % 1024 == 0)
    current = std::make_shared<NativePrograms>();
  return current;
}

bool hasCode(const image::Program &program) {
  return std::any_of(
      program.cores().begin(), program.cores().end(),
      [](const image::Core &core) { return core.programs_size() > 0; });
}

void compare(const image::Program &program,
             const std::map<std::string, Samples> &inputs) {
  const Ran plain = ran(program, inputs, nullptr);
  const Ran compiled = ran(program, inputs, compiler());
  fuzz::require(plain.error == compiled.error, "interpreted '" + plain.error +
                                                   "', compiled '" +
                                                   compiled.error + "'");
  for (size_t o = 0; o < plain.result.outputs.size(); ++o)
    fuzz::require(
        plain.result.outputs[o].values == compiled.result.outputs[o].values,
        "machine code differs at output " + plain.result.outputs[o].name);
  const std::string counts =
      plain.result.counts.difference(compiled.result.counts);
  fuzz::require(counts.empty(), "machine code counts otherwise: " + counts);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string bytes =
      fuzz::sealed(std::string(reinterpret_cast<const char *>(data), size));
  image::Program program;
  bool taken = fuzz::accepted([&] {
    program = parseProgram(bytes, "fuzz.dlp");
    if (!hasCode(program))
      throw Error("without a program of a neuron");
  });
  if (!taken)
    return -1;
  fuzz::accepted([&] {
    if (const auto inputs = fuzz::inputsOf(program))
      compare(program, *inputs);
  });
  return 0;
}
