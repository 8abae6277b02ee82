// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/TryParse.h"

#include "compiler/import/LimitedProcess.h"
#include "targets/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <cerrno>
#include <csignal>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

namespace neurite {

constexpr uint64_t kMemory = uint64_t(4) << 30;
constexpr uint32_t kCpuSeconds = 60;

void tryParse(mlir::MLIRContext &context, const std::string &path) {
  pid_t pid = ::fork();
  if (pid < 0)
    throw Error(path + ": no process to read it in");
  if (pid == 0) {
    limitProcess(kMemory, kCpuSeconds);
    // What the reader prints when it dies is not the user's.
    ::close(STDERR_FILENO);
    mlir::ScopedDiagnosticHandler quiet(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(
        path, mlir::ParserConfig(&context));
    // Printing resolves what the bytecode reader loads lazily.
    if (module)
      module->print(llvm::nulls());
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    throw Error(fmt::format(
        "{}: MLIR's reader died of it ({}); the file is damaged, nested too "
        "deeply or too large: write it again with neurite-opt",
        path,
        WTERMSIG(status) == SIGXCPU
            ? "out of processor time"
            : fmt::format("signal {}", WTERMSIG(status))));
}

} // namespace neurite
