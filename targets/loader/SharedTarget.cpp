// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/SharedTarget.h"

#include <mutex>

namespace dendrolith {

struct SharedTarget::State {
  std::string name;
  std::mutex loading;
  std::optional<Target> target;
};

SharedTarget::SharedTarget(std::string nameOrPath)
    : state(std::make_shared<State>()) {
  state->name = std::move(nameOrPath);
}

const std::string &SharedTarget::name() const { return state->name; }

const Target &SharedTarget::get() const {
  std::lock_guard<std::mutex> lock(state->loading);
  if (!state->target)
    state->target = Target::load(state->name);
  return *state->target;
}

const Target &SharedTarget::getOr(const std::string &nameOrPath) {
  if (!state)
    *this = SharedTarget(nameOrPath);
  return get();
}

} // namespace dendrolith
