// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was compiled, kept as long as the process by all that it depends on.

#ifndef NEURITE_RUNTIME_SESSION_JIT_CODECACHE_H
#define NEURITE_RUNTIME_SESSION_JIT_CODECACHE_H

#include "runtime/session/jit/MachineCode.h"

#include "mlir/IR/MLIRContext.h"

#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace neurite::sim::jit {

/// Compiled has a member `code`, which keeps it in memory. Several threads may
/// compile at a time, each with a compiler of its own.
template <typename Compiled> class CodeCache {
public:
  /// What `key` stands for; make(context, code) gives it the first time.
  template <typename Make>
  std::shared_ptr<const Compiled> get(const std::string &key, Make make) {
    std::unique_lock<std::mutex> lock(mutex);
    // Whoever asks for what another thread compiles waits for that.
    done.wait(lock, [&] { return !underWay.count(key); });
    if (auto found = known.find(key); found != known.end())
      return found->second;
    underWay.insert(key);
    std::shared_ptr<Parts> parts;
    if (!idle.empty()) {
      parts = std::move(idle.back());
      idle.pop_back();
    }
    lock.unlock();
    std::shared_ptr<Compiled> made;
    std::exception_ptr failure;
    try {
      if (!parts)
        parts = std::make_shared<Parts>();
      made = std::make_shared<Compiled>(make(parts->context, parts->code));
      made->code = parts;
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    underWay.erase(key);
    if (parts)
      idle.push_back(parts);
    done.notify_all();
    if (failure)
      std::rethrow_exception(failure);
    known.emplace(key, made);
    return made;
  }

private:
  struct Parts {
    Parts() : context(mlir::MLIRContext::Threading::DISABLED) {
      loadDialects(context);
    }
    mlir::MLIRContext context;
    MachineCode code;
  };
  std::mutex mutex; // guards what follows
  std::condition_variable done;
  std::set<std::string> underWay;
  std::vector<std::shared_ptr<Parts>> idle; // of compilers that do nothing
  std::map<std::string, std::shared_ptr<const Compiled>> known;
};

} // namespace neurite::sim::jit

#endif // NEURITE_RUNTIME_SESSION_JIT_CODECACHE_H
