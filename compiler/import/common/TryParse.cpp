// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/common/TryParse.h"

#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <fmt/format.h>

namespace dendrolith {

constexpr uint64_t kMemory = uint64_t(4) << 30;
constexpr uint32_t kCpuSeconds = 60;

using Module = mlir::OwningOpRef<mlir::ModuleOp>;

static void inChild(mlir::MLIRContext &context, const std::string &path,
                    llvm::function_ref<Module()> parse) {
  ProcessOptions options;
  options.memoryBytes = kMemory;
  options.cpuSeconds = kCpuSeconds;
  options.silent = true;
  options.outOfMemory = "out of memory";
  ChildProcess child(
      path,
      [&](FrameWriter &) {
        mlir::ScopedDiagnosticHandler quiet(
            &context, [](mlir::Diagnostic &) { return mlir::success(); });
        Module module = parse();
        // Printing resolves what the bytecode reader loads lazily.
        if (module)
          module->print(llvm::nulls());
        // What MLIR holds is not taken down: the process ends here.
        (void)module.release();
      },
      options);
  std::string reason;
  try {
    child.frames().end();
    return;
  } catch (const FrameFailure &failure) {
    reason = failure.message;
  }
  ProcessEnd end = child.wait();
  if (end.outOfProcessorTime())
    reason = "out of processor time";
  else if (end.signal)
    reason = fmt::format("signal {}", end.signal);
  else if (reason.empty())
    reason = end.text();
  throw Error(fmt::format(
      "{}: MLIR's reader died of it ({}); the file is damaged, nested too "
      "deeply or too large: write it again with dendrolith-opt",
      path, printable(reason)));
}

void tryParse(mlir::MLIRContext &context, const std::string &path) {
  inChild(context, path, [&] {
    return mlir::parseSourceFile<mlir::ModuleOp>(path,
                                                 mlir::ParserConfig(&context));
  });
}

void tryParse(mlir::MLIRContext &context, llvm::MemoryBufferRef source) {
  inChild(context, source.getBufferIdentifier().str(), [&] {
    return mlir::parseSourceString<mlir::ModuleOp>(
        source.getBuffer(), mlir::ParserConfig(&context),
        source.getBufferIdentifier());
  });
}

} // namespace dendrolith
