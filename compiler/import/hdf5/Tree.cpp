// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HDF5 files are untrusted and their library has a history of memory errors:
// it parses them in a child process that may crash, hang or swell without harm.

#include "compiler/import/hdf5/Tree.h"

#include "compiler/import/hdf5/Walk.h"
#include "runtime/host/ChildProcess.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dendrolith::hdf5 {

/// Looks at the first bytes here, so that a file of another kind is named as
/// what it is. Files that are no regular files could block an open.
static void checkSignature(const std::string &path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0)
    throw Error(
        fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  if (!S_ISREG(info.st_mode))
    throw Error(
        fmt::format("{}: not a regular file, expected an HDF5 file", path));
  int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    throw Error(
        fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  char head[8] = {};
  ssize_t n = ::pread(fd, head, sizeof head, 0);
  ::close(fd);
  auto starts = [&](const char *magic, ssize_t size) {
    return n >= size && std::memcmp(head, magic, size) == 0;
  };
  if (starts("\211HDF\r\n\032\n", 8))
    return;
  std::string found = "another kind of file";
  if (n == 0)
    found = "an empty file";
  else if (starts("PK\003\004", 4))
    found = "a zip archive (torch.save and numpy .npz write these)";
  else if (n >= 2 && head[0] == '\200' && head[1] >= 2 && head[1] <= 5)
    found = "a python pickle";
  throw Error(fmt::format("{}: expected an HDF5 file, found {}; write the "
                          "network with nir.write (.nir) or lava-dl's "
                          "export_hdf5 (.net)",
                          path, found));
}

static std::string describeDeath(const ProcessEnd &end) {
  if (end.outOfProcessorTime())
    return "reading it took more processor time than a network file may";
  if (end.signal)
    return fmt::format("the HDF5 library died on it (signal {})", end.signal);
  return "the HDF5 library gave up on it";
}

Node readFile(const std::string &path, const Limits &limits) {
  checkSignature(path);
  ProcessOptions options;
  options.memoryBytes = limits.memoryBytes;
  options.cpuSeconds = limits.cpuSeconds;
  options.wall = std::chrono::seconds(limits.wallSeconds);
  options.silent = true;
  options.outOfMemory = "needs more memory than a network file may";
  ChildProcess child(
      path, [&](FrameWriter &out) { sendFile(path, limits, out); }, options);
  std::string reason;
  try {
    Node root = decodeTree(child.frames(), limits);
    child.wait();
    return root;
  } catch (const TooLarge &) {
    reason = fmt::format("it holds more than {} elements, {} objects or {} "
                         "nested groups",
                         limits.elements, limits.objects, limits.depth);
  } catch (const FrameFailure &failure) {
    switch (failure.kind) {
    case FrameFailure::Reason::Refused:
      throw Error(path + ": " + printable(failure.message, 1000));
    case FrameFailure::Reason::TimedOut:
      throw Error(fmt::format("{}: reading it took longer than {} s; the file "
                              "is damaged or too large",
                              path, limits.wallSeconds));
    case FrameFailure::Reason::Closed:
      reason = describeDeath(child.wait());
      break;
    case FrameFailure::Reason::Malformed:
      reason = "the HDF5 library read nonsense from it";
      break;
    }
  }
  throw Error(
      fmt::format("{}: {}; the file is damaged or too large", path, reason));
}

const Node *Node::find(const std::string &name) const {
  for (const Member &member : members)
    if (member.name == name)
      return &member.node;
  return nullptr;
}

namespace {
/// `left` holds what the limits leave for the rest of the tree.
struct Decoder {
  FrameReader &in;
  Limits left;

  [[noreturn]] static void tooLarge() { throw TooLarge(); }
  std::string text() {
    uint32_t size = in.number<uint32_t>();
    if (size > left.stringBytes)
      tooLarge();
    left.stringBytes -= size;
    std::string value(size, '\0');
    in.bytes(value.data(), size);
    return value;
  }
  void data(Node &node) {
    uint8_t rank = in.number<uint8_t>();
    if (rank > 32)
      tooLarge();
    uint64_t count = 1;
    for (unsigned i = 0; i < rank; ++i) {
      node.shape.push_back(in.number<uint64_t>());
      if (node.shape[i] && count > left.elements / node.shape[i])
        tooLarge();
      count *= node.shape[i];
    }
    if (count > left.elements)
      tooLarge();
    left.elements -= count;
    if (node.kind == Node::Content::Strings) {
      for (uint64_t i = 0; i < count; ++i)
        node.strings.push_back(text());
      return;
    }
    node.number = static_cast<NumberClass>(in.number<uint8_t>());
    node.bytes = in.number<uint8_t>();
    if (node.number > NumberClass::Float)
      throw FrameFailure{FrameFailure::Reason::Malformed, {}};
    node.values.resize(count);
    in.bytes(node.values.data(), count * sizeof(double));
  }
  Node node(uint32_t depth) {
    if (depth == 0 || left.objects == 0)
      tooLarge();
    --left.objects;
    Node node;
    node.kind = static_cast<Node::Content>(in.number<uint8_t>());
    if (node.kind > Node::Content::Strings)
      throw FrameFailure{FrameFailure::Reason::Malformed, {}};
    node.attributes = in.number<uint32_t>();
    if (node.kind != Node::Content::Group) {
      data(node);
      return node;
    }
    uint32_t count = in.number<uint32_t>();
    for (uint32_t i = 0; i < count; ++i) {
      std::string name = text();
      node.members.push_back({std::move(name), this->node(depth - 1)});
    }
    return node;
  }
};
} // namespace

Node decodeTree(FrameReader &reader, const Limits &limits) {
  Decoder decoder{reader, limits};
  Node root = decoder.node(limits.depth + 1);
  reader.end();
  return root;
}

} // namespace dendrolith::hdf5
