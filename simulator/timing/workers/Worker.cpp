// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/workers/Worker.h"

#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <fmt/format.h>
#include <memory>
#include <numeric>
#include <poll.h>
#include <utility>
#include <vector>

namespace dendrolith::sim {

namespace {

class Worker {
public:
  /// Is told the steps done so far and all of them.
  using Note = std::function<void(uint64_t done, uint64_t total)>;

  Worker(const ChildProcess::Work &work, const ProcessOptions &options,
         Note note)
      : child("cycle engine", work, options), note(std::move(note)) {}

  int descriptor() const { return child.descriptor(); }

  /// Reads what is there, which is progress, or the beginning of the result:
  /// then `take` reads all of it, and true is returned. Throws Error.
  bool read(const std::function<void(const ByteSource &)> &take) {
    try {
      next();
      if (content.empty() && !ended)
        return false;
      take([&](char *into, size_t room) { return copy(into, room); });
      child.wait();
      return true;
    } catch (const FrameFailure &failure) {
      const ProcessEnd end = child.wait();
      if (failure.kind == FrameFailure::Reason::Refused)
        throw Error(failure.message);
      if (failure.kind == FrameFailure::Reason::Malformed)
        throw Error("cycle engine: the worker process sent something else than "
                    "progress and a result");
      throw Error(fmt::format("cycle engine: the worker process ended by {} "
                              "before it had a result",
                              end.text()));
    }
  }

private:
  /// Reads a frame: progress, which is reported, or data into `content`.
  void next() {
    const Frame frame = child.frames().next(content);
    at = 0;
    if (frame == Frame::Data)
      return;
    uint64_t done[2];
    if (frame == Frame::End) {
      ended = true;
    } else if (frame == Frame::Note && content.size() == sizeof done) {
      content.copy(reinterpret_cast<char *>(done), sizeof done);
      note(done[0], done[1]);
    } else {
      throw FrameFailure{FrameFailure::Reason::Malformed, {}};
    }
    content.clear();
  }

  size_t copy(char *into, size_t room) {
    while (at == content.size() && !ended)
      next();
    const size_t count = std::min(room, content.size() - at);
    content.copy(into, count, at);
    at += count;
    return count;
  }

  ChildProcess child;
  const Note note;
  std::string content; // of a frame
  size_t at = 0;
  bool ended = false;
};

/// Waits until one of them has something, or has ended, and says which.
size_t waitForOne(const std::vector<std::unique_ptr<Worker>> &workers) {
  std::vector<pollfd> waits;
  std::vector<size_t> who;
  for (size_t w = 0; w < workers.size(); ++w)
    if (workers[w]) {
      waits.push_back({workers[w]->descriptor(), POLLIN, 0});
      who.push_back(w);
    }
  while (::poll(waits.data(), waits.size(), -1) < 0)
    if (errno != EINTR)
      throw Error("cycle engine: no word from its worker processes");
  size_t first = 0;
  while (first + 1 < waits.size() && waits[first].revents == 0)
    ++first;
  return who[first];
}

/// Nobody wants to hear of progress any more.
struct Stopped {
  std::exception_ptr why;
};

/// Steps done and all steps, by worker.
struct Steps {
  explicit Steps(size_t workers) : done(workers), all(workers) {}
  std::vector<uint64_t> done, all;
};

} // namespace

void inWorkers(
    size_t count,
    const std::function<void(size_t, const Progress &, const ByteSink &)> &work,
    const std::function<void(size_t, const ByteSource &)> &take,
    const Progress &progress) {
  ProcessOptions options;
  options.outOfMemory = "out of memory; run fewer samples or traces";
  Steps steps(count);
  const auto note = [&](size_t worker, uint64_t done, uint64_t total) {
    steps.done[worker] = done;
    steps.all[worker] = total;
    auto sum = [](const std::vector<uint64_t> &of) {
      return std::accumulate(of.begin(), of.end(), uint64_t(0));
    };
    try {
      if (progress)
        progress(sum(steps.done), sum(steps.all));
    } catch (...) {
      throw Stopped{std::current_exception()};
    }
  };
  std::vector<std::unique_ptr<Worker>> workers;
  for (size_t w = 0; w < count; ++w)
    workers.push_back(std::make_unique<Worker>(
        [&, w](FrameWriter &out) {
          work(
              w,
              [&](uint64_t done, uint64_t total) {
                const uint64_t both[2] = {done, total};
                out.note(both, sizeof both);
              },
              [&](std::string_view bytes) {
                out.bytes(bytes.data(), bytes.size());
              });
        },
        options,
        [&note, w](uint64_t done, uint64_t total) { note(w, done, total); }));

  // An error counts once all workers before its own are through. Those after
  // it are not wanted any more.
  std::exception_ptr failure;
  size_t left = count;
  while (left > 0) {
    const size_t w = waitForOne(workers);
    bool done = true;
    try {
      done =
          workers[w]->read([&](const ByteSource &source) { take(w, source); });
    } catch (const Stopped &stopped) {
      std::rethrow_exception(stopped.why);
    } catch (const Error &) {
      failure = std::current_exception();
      for (size_t after = w + 1; after < count; ++after)
        if (workers[after]) {
          workers[after] = nullptr;
          --left;
        }
    }
    if (done) {
      workers[w] = nullptr;
      --left;
    }
  }
  if (failure)
    std::rethrow_exception(failure);
}

std::string inWorker(const std::function<std::string(const Progress &)> &work,
                     const Progress &progress) {
  std::string bytes;
  inWorkers(
      1,
      [&](size_t, const Progress &inside, const ByteSink &sink) {
        sink(work(inside));
      },
      [&](size_t, const ByteSource &source) {
        char piece[1 << 12];
        while (size_t count = source(piece, sizeof piece))
          bytes.append(piece, count);
      },
      progress);
  return bytes;
}

} // namespace dendrolith::sim
