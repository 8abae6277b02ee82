// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the child hands a tree to its parent: a byte stream cut into frames, so
// that an error can end it anywhere. A frame is a kind and a length; the stream
// of data frames is the tree in pre-order.

#ifndef NEURITE_COMPILER_IMPORT_HDF5_WIRE_H
#define NEURITE_COMPILER_IMPORT_HDF5_WIRE_H

#include "compiler/import/hdf5/Tree.h"

#include <chrono>

namespace neurite::hdf5 {

enum class Frame : uint8_t { Data = 'D', Error = 'E', End = 'F' };
constexpr uint32_t maxFrame = 1u << 16;

/// Child's end. Write errors mean that the parent is gone: the child exits.
class FrameWriter {
public:
  explicit FrameWriter(int fd) : fd(fd) {}
  void bytes(const void *data, uint64_t size);
  template <typename T> void number(T value) { bytes(&value, sizeof value); }
  void text(const std::string &text);
  /// Drops what is not yet sent, sends the message and ends the stream.
  void error(const std::string &message);
  void end();

private:
  void send(Frame kind, const void *data, uint32_t size);
  int fd;
  std::string pending;
};

/// What became of the child, as far as its pipe tells.
struct WireFailure {
  enum class Kind { Refused, Closed, TimedOut, Malformed, TooLarge } kind;
  std::string message; ///< the child's own words where it refused
};

/// Parent's end; every length is checked before memory is taken for it.
class FrameReader {
public:
  using Clock = std::chrono::steady_clock;
  FrameReader(int fd, Clock::time_point deadline)
      : fd(fd), deadline(deadline) {}
  /// The next `size` data bytes. Throws WireFailure.
  void bytes(void *data, uint64_t size);
  template <typename T> T number() {
    T value;
    bytes(&value, sizeof value);
    return value;
  }
  /// Expects the End frame next.
  void end();

private:
  void raw(void *data, uint64_t size);
  void nextFrame();
  int fd;
  Clock::time_point deadline;
  Frame frame = Frame::Data;
  uint32_t left = 0;
};

/// Decodes one tree and checks it against the limits. Throws WireFailure.
Node decodeTree(FrameReader &reader, const Limits &limits);

} // namespace neurite::hdf5

#endif // NEURITE_COMPILER_IMPORT_HDF5_WIRE_H
