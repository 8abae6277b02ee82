// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was compiled, kept as long as the process by all that it depends on.

#ifndef NEURITE_RUNTIME_SESSION_JIT_CODECACHE_H
#define NEURITE_RUNTIME_SESSION_JIT_CODECACHE_H

#include "runtime/session/jit/MachineCode.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace neurite::sim::jit {

/// Compiled has a member `code`, which keeps it in memory.
template <typename Compiled> class CodeCache {
public:
  /// What `key` stands for; make(context, code) gives it the first time.
  template <typename Make>
  std::shared_ptr<const Compiled> get(const std::string &key, Make make) {
    std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const Compiled> &entry = known[key];
    if (entry)
      return entry;
    if (!parts)
      parts = std::make_shared<Parts>();
    auto made = std::make_shared<Compiled>(make(parts->context, parts->code));
    made->code = parts;
    return entry = std::move(made);
  }

private:
  struct Parts {
    Parts() : context(mlir::MLIRContext::Threading::DISABLED) {
      loadDialects(context);
    }
    mlir::MLIRContext context;
    MachineCode code;
  };
  std::mutex mutex;
  std::shared_ptr<Parts> parts; // made when the first key comes
  std::map<std::string, std::shared_ptr<const Compiled>> known;
};

} // namespace neurite::sim::jit

#endif // NEURITE_RUNTIME_SESSION_JIT_CODECACHE_H
