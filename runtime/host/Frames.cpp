// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/Frames.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

namespace dendrolith {

//===----------------------------------------------------------------------===//
// The child's end
//===----------------------------------------------------------------------===//

void FrameWriter::send(Frame kind, const void *data, uint32_t size) {
  char head[5] = {static_cast<char>(kind)};
  std::memcpy(head + 1, &size, sizeof size);
  iovec parts[2] = {{head, sizeof head}, {const_cast<void *>(data), size}};
  for (iovec *part = parts; part != parts + 2;) {
    ssize_t written = ::writev(fd, part, static_cast<int>(parts + 2 - part));
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      _exit(1); // nobody listens any more
    while (part != parts + 2 && size_t(written) >= part->iov_len)
      written -= part++->iov_len;
    if (part != parts + 2) {
      part->iov_base = static_cast<char *>(part->iov_base) + written;
      part->iov_len -= written;
    }
  }
}

void FrameWriter::bytes(const void *data, uint64_t size) {
  const char *from = static_cast<const char *>(data);
  while (size) {
    if (pending.empty() && size >= kMaxFrame) {
      send(Frame::Data, from, kMaxFrame);
      from += kMaxFrame;
      size -= kMaxFrame;
      continue;
    }
    uint64_t taken = std::min<uint64_t>(size, kMaxFrame - pending.size());
    pending.append(from, taken);
    from += taken;
    size -= taken;
    if (pending.size() == kMaxFrame) {
      send(Frame::Data, pending.data(), kMaxFrame);
      pending.clear();
    }
  }
}

void FrameWriter::text(const std::string &text) {
  number<uint32_t>(text.size());
  bytes(text.data(), text.size());
}

void FrameWriter::note(const void *data, uint32_t size) {
  send(Frame::Note, data, size);
}

void FrameWriter::error(const std::string &message) {
  pending.clear();
  send(Frame::Error, message.data(),
       std::min<size_t>(message.size(), kMaxFrame));
}

void FrameWriter::end() {
  if (!pending.empty())
    send(Frame::Data, pending.data(), pending.size());
  pending.clear();
  send(Frame::End, nullptr, 0);
}

//===----------------------------------------------------------------------===//
// The parent's end
//===----------------------------------------------------------------------===//

void FrameReader::raw(void *data, uint64_t size) {
  char *to = static_cast<char *>(data);
  while (size) {
    if (deadline) {
      auto wait = std::chrono::duration_cast<std::chrono::milliseconds>(
          *deadline - Clock::now());
      if (wait.count() <= 0)
        throw FrameFailure{FrameFailure::Reason::TimedOut, {}};
      pollfd poll{fd, POLLIN, 0};
      int ready = ::poll(
          &poll, 1, static_cast<int>(std::min<int64_t>(wait.count(), 1000)));
      if (ready == 0 || (ready < 0 && errno == EINTR))
        continue;
    }
    ssize_t got = ::read(fd, to, size);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      throw FrameFailure{FrameFailure::Reason::Closed, {}};
    to += got;
    size -= got;
  }
}

void FrameReader::nextHead() {
  char head[5];
  raw(head, sizeof head);
  frame = static_cast<Frame>(head[0]);
  std::memcpy(&left, head + 1, sizeof left);
  if (left > kMaxFrame)
    throw FrameFailure{FrameFailure::Reason::Malformed, {}};
  if (frame == Frame::Error) {
    std::string message(left, '\0');
    raw(message.data(), left);
    throw FrameFailure{FrameFailure::Reason::Refused, message};
  }
}

void FrameReader::bytes(void *data, uint64_t size) {
  char *to = static_cast<char *>(data);
  while (size) {
    if (left == 0)
      nextHead();
    if (frame != Frame::Data)
      throw FrameFailure{FrameFailure::Reason::Malformed, {}};
    uint64_t taken = std::min<uint64_t>(size, left);
    raw(to, taken);
    to += taken;
    size -= taken;
    left -= taken;
  }
}

void FrameReader::end() {
  if (left == 0)
    nextHead();
  if (frame != Frame::End || left != 0)
    throw FrameFailure{FrameFailure::Reason::Malformed, {}};
}

Frame FrameReader::next(std::string &content) {
  nextHead();
  if (frame != Frame::Data && frame != Frame::Note &&
      !(frame == Frame::End && left == 0))
    throw FrameFailure{FrameFailure::Reason::Malformed, {}};
  content.resize(left);
  raw(content.data(), left);
  left = 0;
  return frame;
}

} // namespace dendrolith
