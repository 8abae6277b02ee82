// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Workers.h"

namespace dendrolith {

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
  std::unique_lock<std::mutex> lock(mutex);
  run = &piece;
  missing = pieces = count;
  next = 0;
  failure = nullptr;
  if (!threads.empty() && count > 1) {
    ++round;
    wake.notify_all();
  }
  takePieces(0, lock);
  lock.unlock();
  waitABit([this] { return missing == 0; });
  lock.lock();
  done.wait(lock, [this] { return missing == 0; });
  if (failure)
    std::rethrow_exception(failure);
}

void Workers::takePieces(unsigned worker, std::unique_lock<std::mutex> &lock) {
  while (next < pieces) {
    const uint32_t i = next++;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      (*run)(i, worker);
    } catch (...) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown && (!failure || i < failed)) {
      failure = thrown;
      failed = i;
    }
    if (--missing == 0)
      done.notify_one();
  }
}

void Workers::work(unsigned worker) {
  uint64_t seen = 0;
  std::unique_lock<std::mutex> lock(mutex);
  while (!ending) {
    seen = round;
    takePieces(worker, lock);
    lock.unlock();
    waitABit([&] { return round != seen; });
    lock.lock();
    wake.wait(lock, [&] { return ending || round != seen; });
  }
}

} // namespace dendrolith
