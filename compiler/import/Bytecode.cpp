// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/import/Bytecode.h"

#include "targets/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <cerrno>
#include <fmt/format.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace neurite {
namespace {

constexpr rlim_t kCpuSeconds = 60;

bool isBytecode(const std::string &path) {
  char head[4] = {};
  std::ifstream(path, std::ios::binary).read(head, sizeof head);
  return std::string(head, sizeof head) == "ML\xefR";
}

} // namespace

void tryBytecode(mlir::MLIRContext &context, const std::string &path) {
  if (!isBytecode(path))
    return;
  pid_t pid = ::fork();
  if (pid < 0)
    throw Error(path + ": no process to read it in");
  if (pid == 0) {
    rlimit none{0, 0}, time{kCpuSeconds, kCpuSeconds};
    ::setrlimit(RLIMIT_CORE, &none);
    ::setrlimit(RLIMIT_CPU, &time);
    // The crash report of the reader is not the user's.
    ::close(STDERR_FILENO);
    mlir::ScopedDiagnosticHandler quiet(
        &context, [](mlir::Diagnostic &) { return mlir::success(); });
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(
        path, mlir::ParserConfig(&context));
    // Printing resolves what the reader loads lazily.
    if (module)
      module->print(llvm::nulls());
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status))
    throw Error(fmt::format("{}: damaged bytecode (its reader died of signal "
                            "{}); write it again with neurite-opt "
                            "--emit-bytecode",
                            path, WTERMSIG(status)));
}

} // namespace neurite
