// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/mapping/Workers.h"

namespace neurite {

Workers::Workers(unsigned count, std::function<bool()> isOver)
    : over(std::move(isOver)) {
  for (unsigned worker = 1; worker < count; ++worker)
    threads.emplace_back([this, worker] { work(worker); });
}

Workers::~Workers() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    ending = true;
  }
  wake.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void Workers::share(uint32_t count,
                    const std::function<void(uint32_t, unsigned)> &piece) {
  if (threads.empty() || count < 2) {
    for (uint32_t i = 0; i < count; ++i)
      piece(i, 0);
    return;
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    run = &piece;
    pieces = count;
    next = 0;
    busy = unsigned(threads.size());
    ++round;
  }
  wake.notify_all();
  for (uint32_t i; (i = next++) < count;)
    piece(i, 0);
  std::unique_lock<std::mutex> lock(mutex);
  done.wait(lock, [this] { return busy == 0; });
}

void Workers::work(unsigned worker) {
  uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return ending || round != seen; });
      if (ending)
        return;
      seen = round;
    }
    for (uint32_t i; (i = next++) < pieces;)
      (*run)(i, worker);
    std::lock_guard<std::mutex> lock(mutex);
    if (--busy == 0)
      done.notify_one();
  }
}

} // namespace neurite
