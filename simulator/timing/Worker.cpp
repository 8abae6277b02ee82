// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/timing/Worker.h"

#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"

#include <cstring>
#include <fmt/format.h>

namespace neurite::sim {

/// More bytes than this do not come from a worker of ours: traces of the
/// longest runs take up to 16 GiB.
static constexpr uint64_t kMaxResult = uint64_t(1) << 36;

/// Collects the result, reporting progress on the way.
static std::string receive(FrameReader &frames, const Progress &progress) {
  std::string bytes, content;
  for (;;) {
    Frame frame = frames.next(content);
    if (frame == Frame::End)
      return bytes;
    uint64_t done[2];
    if (frame == Frame::Data && content.size() <= kMaxResult - bytes.size()) {
      bytes += content;
    } else if (frame == Frame::Note && content.size() == sizeof done) {
      std::memcpy(done, content.data(), sizeof done);
      if (progress)
        progress(done[0], done[1]);
    } else {
      throw FrameFailure{FrameFailure::Kind::Malformed, {}};
    }
  }
}

std::string inWorker(const std::function<std::string(const Progress &)> &work,
                     const Progress &progress) {
  ProcessOptions options;
  options.outOfMemory = "out of memory; run fewer samples or traces";
  ChildProcess child(
      "cycle engine",
      [&](FrameWriter &out) {
        std::string result = work([&](uint64_t done, uint64_t total) {
          const uint64_t both[2] = {done, total};
          out.note(both, sizeof both);
        });
        out.bytes(result.data(), result.size());
      },
      options);
  try {
    std::string bytes = receive(child.frames(), progress);
    child.wait();
    return bytes;
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

} // namespace neurite::sim
