// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/SpareThreads.h"

#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace dendrolith {

bool SpareThreads::take() {
  const std::lock_guard<std::mutex> lock(mutex);
  if (spare == 0)
    return false;
  --spare;
  return true;
}

void SpareThreads::giveBack() {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ++spare;
  }
  freed.notify_one();
}

/// Whoever waits has none, so that those that are taken belong to threads that
/// work, and come back.
void SpareThreads::takeBack() {
  std::unique_lock<std::mutex> lock(mutex);
  freed.wait(lock, [this] { return spare > 0; });
  --spare;
}

namespace {

/// The pieces of one call.
class Pieces {
public:
  Pieces(size_t count, const std::function<void(size_t)> &run,
         std::function<bool()> take, std::function<void()> giveBack)
      : count(count), run(run), take(std::move(take)),
        giveBack(std::move(giveBack)) {}

  /// Takes pieces until none is left.
  void work() {
    for (;;) {
      size_t mine = 0;
      {
        const std::lock_guard<std::mutex> lock(mutex);
        if (next == count)
          return;
        mine = next++;
        if (next < count && take())
          getHelp();
      }
      try {
        run(mine);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!failure || mine < failed) {
          failure = std::current_exception();
          failed = mine;
        }
      }
    }
  }

  /// A thread that helps, or has helped; none where all of them were had. Those
  /// that it got to help are there once it has ended.
  std::thread helper() {
    const std::lock_guard<std::mutex> lock(mutex);
    std::thread last;
    if (!helpers.empty()) {
      last = std::move(helpers.back());
      helpers.pop_back();
    }
    return last;
  }

  void rethrow() const {
    if (failure)
      std::rethrow_exception(failure);
  }

private:
  void getHelp() {
    try {
      helpers.emplace_back([this] {
        work();
        giveBack();
      });
    } catch (const std::system_error &) {
      giveBack(); // the machine has no more of them
    }
  }

  const size_t count;
  const std::function<void(size_t)> &run;
  const std::function<bool()> take;
  const std::function<void()> giveBack;
  std::mutex mutex; // guards what follows
  size_t next = 0;
  std::vector<std::thread> helpers;
  std::exception_ptr failure; // what the first piece that failed has thrown
  size_t failed = 0;
};

} // namespace

void SpareThreads::share(size_t count, const std::function<void(size_t)> &run) {
  Pieces pieces(count, run, [this] { return take(); }, [this] { giveBack(); });
  pieces.work();
  std::thread helper = pieces.helper();
  if (helper.joinable())
    idle([&] {
      for (; helper.joinable(); helper = pieces.helper())
        helper.join();
    });
  pieces.rethrow();
}

} // namespace dendrolith
