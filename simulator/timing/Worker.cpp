// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Worker.h"

#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>

namespace neurite::sim {

namespace {

/// The data of the frames, without what is reported as progress on the way.
class Incoming {
public:
  Incoming(FrameReader &frames, const Progress &progress)
      : frames(frames), progress(progress) {}

  size_t read(char *into, size_t room) {
    while (at == content.size() && !ended)
      next();
    const size_t count = std::min(room, content.size() - at);
    content.copy(into, count, at);
    at += count;
    return count;
  }

private:
  void next() {
    const Frame frame = frames.next(content);
    at = 0;
    if (frame == Frame::Data)
      return;
    uint64_t done[2];
    if (frame == Frame::End) {
      ended = true;
    } else if (frame == Frame::Note && content.size() == sizeof done) {
      content.copy(reinterpret_cast<char *>(done), sizeof done);
      if (progress)
        progress(done[0], done[1]);
    } else {
      throw FrameFailure{FrameFailure::Kind::Malformed, {}};
    }
    content.clear();
  }

  FrameReader &frames;
  const Progress &progress;
  std::string content; // of a frame
  size_t at = 0;
  bool ended = false;
};

} // namespace

void inWorker(
    const std::function<void(const Progress &, const ByteSink &)> &work,
    const std::function<void(const ByteSource &)> &take,
    const Progress &progress) {
  ProcessOptions options;
  options.outOfMemory = "out of memory; run fewer samples or traces";
  ChildProcess child(
      "cycle engine",
      [&](FrameWriter &out) {
        work(
            [&](uint64_t done, uint64_t total) {
              const uint64_t both[2] = {done, total};
              out.note(both, sizeof both);
            },
            [&](std::string_view bytes) {
              out.bytes(bytes.data(), bytes.size());
            });
      },
      options);
  try {
    Incoming incoming(child.frames(), progress);
    take([&](char *into, size_t room) { return incoming.read(into, room); });
    child.wait();
  } catch (const FrameFailure &failure) {
    const ProcessEnd end = child.wait();
    if (failure.kind == FrameFailure::Kind::Refused)
      throw Error(failure.message);
    if (failure.kind == FrameFailure::Kind::Malformed)
      throw Error("cycle engine: the worker process sent something else than "
                  "progress and a result");
    throw Error(fmt::format("cycle engine: the worker process ended by {} "
                            "before it had a result",
                            end.text()));
  }
}

std::string inWorker(const std::function<std::string(const Progress &)> &work,
                     const Progress &progress) {
  std::string bytes;
  inWorker(
      [&](const Progress &inside, const ByteSink &sink) { sink(work(inside)); },
      [&](const ByteSource &source) {
        char piece[1 << 12];
        while (size_t count = source(piece, sizeof piece))
          bytes.append(piece, count);
      },
      progress);
  return bytes;
}

} // namespace neurite::sim
