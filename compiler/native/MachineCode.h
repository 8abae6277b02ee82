// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From MLIR to a function in memory: MLIR's own lowerings, LLVM's optimiser,
// ORC.

#ifndef DENDROLITH_COMPILER_NATIVE_MACHINECODE_H
#define DENDROLITH_COMPILER_NATIVE_MACHINECODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

#include <exception>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace dendrolith::native {

/// Whether LLVM makes code for this processor.
bool hasMachineCode();

/// Registers what a context needs whose modules become machine code.
void loadDialects(mlir::MLIRContext &context);

/// The passes from vector, scf, math and arith to llvm, for `dendrolith-opt`
/// (native-to-llvm), too.
void buildNativeToLLVM(mlir::OpPassManager &passes);

/// What makes code for this processor, and keeps it.
class MachineCode {
public:
  /// Throws Error.
  MachineCode();
  ~MachineCode();

  /// Compiles a module of these dialects, which is left lowered. Returns the
  /// address of `function`, which updates one neuron at a time where that is
  /// `alone`. Throws Error.
  void *compile(mlir::ModuleOp module, const char *function, bool alone);

private:
  struct Parts;
  std::unique_ptr<Parts> parts;
};

// What was compiled, kept as long as the process by all that it depends on.

/// Compiled has a member `code`, which keeps it in memory. Several threads may
/// compile at a time, each with a compiler of its own.
template <typename Compiled> class CodeCache {
public:
  /// What `key` stands for; make(code) gives it the first time.
  template <typename Make>
  std::shared_ptr<const Compiled> get(const std::string &key, Make make) {
    std::promise<std::shared_ptr<const Compiled>> promise;
    std::shared_ptr<MachineCode> compiler;
    {
      std::unique_lock<std::mutex> lock(mutex);
      const auto [entry, isNew] = known.try_emplace(key);
      if (!isNew) {
        // Whoever asks for what another thread compiles waits for that.
        const auto answer = entry->second;
        lock.unlock();
        return answer.get();
      }
      entry->second = promise.get_future();
      if (!idle.empty()) {
        compiler = std::move(idle.back());
        idle.pop_back();
      }
    }
    try {
      if (!compiler)
        compiler = std::make_shared<MachineCode>();
      auto made = std::make_shared<Compiled>(make(*compiler));
      made->code = compiler;
      promise.set_value(made);
      const std::lock_guard<std::mutex> lock(mutex);
      idle.push_back(std::move(compiler));
      return made;
    } catch (...) {
      promise.set_exception(std::current_exception());
      throw;
    }
  }

private:
  std::mutex mutex;                               // guards what follows
  std::vector<std::shared_ptr<MachineCode>> idle; // compilers that do nothing
  std::map<std::string, std::shared_future<std::shared_ptr<const Compiled>>>
      known;
};

} // namespace dendrolith::native

#endif // DENDROLITH_COMPILER_NATIVE_MACHINECODE_H
