// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a child process tells its parent through a pipe: bytes cut into short
// frames, so that an error can end them anywhere and a note can stand between
// them. A frame is a kind (1 byte), a length (4 bytes) and so many bytes. The
// data frames together are one stream of any length, which an end frame closes.

#ifndef DENDROLITH_RUNTIME_HOST_FRAMES_H
#define DENDROLITH_RUNTIME_HOST_FRAMES_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace dendrolith {

enum class Frame : uint8_t { Data = 'D', Note = 'N', Error = 'E', End = 'F' };
constexpr uint32_t kMaxFrame = 1u << 16; // bytes behind the head

/// The child's end. A write that fails means that the parent is gone: the child
/// exits.
class FrameWriter {
public:
  explicit FrameWriter(int fd) : fd(fd) {}
  void bytes(const void *data, uint64_t size);
  template <typename T> void number(T value) { bytes(&value, sizeof value); }
  /// The length in 32 bits, then the bytes.
  void text(const std::string &text);
  /// Sends a frame of its own at once, in front of data that is not yet sent.
  void note(const void *data, uint32_t size);
  /// Drops what is not yet sent, sends the message and ends the stream.
  void error(const std::string &message);
  void end();

private:
  void send(Frame kind, const void *data, uint32_t size);
  int fd;
  std::string pending;
};

/// What became of the stream, as far as the pipe tells.
struct FrameFailure {
  enum class Reason { Refused, Closed, TimedOut, Malformed } kind;
  std::string message; ///< the child's own words where it refused
};

/// The parent's end. The child is not trusted: every length is checked before
/// memory is taken for it.
class FrameReader {
public:
  using Clock = std::chrono::steady_clock;
  /// Without a deadline it waits for as long as the child takes.
  FrameReader(int fd, std::optional<Clock::time_point> deadline)
      : fd(fd), deadline(deadline) {}

  /// The next `size` bytes of the stream. Throws FrameFailure; a note is
  /// malformed here.
  void bytes(void *data, uint64_t size);
  template <typename T> T number() {
    T value;
    bytes(&value, sizeof value);
    return value;
  }
  /// Expects the end of the stream next. Throws FrameFailure.
  void end();

  /// The next frame whole, of at most kMaxFrame bytes, as its kind says: Data,
  /// Note or End. Throws FrameFailure. Not to be mixed with bytes().
  Frame next(std::string &content);

private:
  void raw(void *data, uint64_t size);
  void nextHead();
  int fd;
  std::optional<Clock::time_point> deadline;
  Frame frame = Frame::Data;
  uint32_t left = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_HOST_FRAMES_H
