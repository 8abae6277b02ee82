// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Workers.h"

namespace neurite {

/// Waits a moment for what is about to happen: an engine shares work thousands
/// of times a second, and going to sleep and being woken takes as long as a
/// small piece of it. Whoever needs the processor meanwhile gets it.
template <typename Happened> static void waitABit(Happened happened) {
  constexpr int kLooks = 100;
  for (int look = 0; look < kLooks && !happened(); ++look)
    std::this_thread::yield();
}

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
  const bool alone = threads.empty() || count < 2;
  {
    std::lock_guard<std::mutex> lock(mutex);
    run = &piece;
    pieces = count;
    next = 0;
    failure = nullptr;
    if (!alone) {
      busy = unsigned(threads.size());
      ++round;
    }
  }
  if (!alone)
    wake.notify_all();
  takePieces(0);
  waitABit([this] { return busy == 0; });
  std::unique_lock<std::mutex> lock(mutex);
  done.wait(lock, [this] { return busy == 0; });
  if (failure)
    std::rethrow_exception(failure);
}

void Workers::takePieces(unsigned worker) {
  for (uint32_t i; (i = next++) < pieces;)
    try {
      (*run)(i, worker);
    } catch (...) {
      std::lock_guard<std::mutex> lock(mutex);
      if (!failure || i < failed) {
        failure = std::current_exception();
        failed = i;
      }
    }
}

void Workers::work(unsigned worker) {
  uint64_t seen = 0;
  for (;;) {
    waitABit([&] { return round != seen; });
    {
      std::unique_lock<std::mutex> lock(mutex);
      wake.wait(lock, [&] { return ending || round != seen; });
      if (ending)
        return;
      seen = round;
    }
    takePieces(worker);
    std::lock_guard<std::mutex> lock(mutex);
    if (--busy == 0)
      done.notify_one();
  }
}

} // namespace neurite
