// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the targets behind the HDF5 child share: bytes as the child sends them,
// and the context in which networks are built.

#ifndef DENDROLITH_TESTS_FUZZ_TREE_H
#define DENDROLITH_TESTS_FUZZ_TREE_H

#include "compiler/import/hdf5/Tree.h"
#include "tests/fuzz/Fuzz.h"

#include "mlir/IR/MLIRContext.h"

#include <memory>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

/// libMLIR is not instrumented: it hands out memory of its allocators that our
/// side of the same templates has poisoned. A definition: a target is one file.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0";
}

namespace dendrolith::fuzz {

inline hdf5::Limits smallLimits() {
  hdf5::Limits limits;
  limits.elements = limits.stringBytes = 1 << 14;
  limits.objects = 1 << 10;
  limits.wallSeconds = 1;
  return limits;
}

/// The parent's end of the pipe with those bytes in it; `framed` says that the
/// frames around the tree are among them.
inline int pipeOf(const uint8_t *data, size_t size, bool framed) {
  int fd = memfd_create("tree", MFD_CLOEXEC);
  if (framed) {
    require(write(fd, data, size) == ssize_t(size), "no memory file");
  } else {
    FrameWriter writer(fd);
    writer.bytes(data, size);
    writer.end();
  }
  lseek(fd, 0, SEEK_SET);
  return fd;
}

/// None where the parent refuses the bytes.
inline std::optional<hdf5::Node> treeOf(const uint8_t *data, size_t size,
                                        bool framed,
                                        const hdf5::Limits &limits) {
  int fd = pipeOf(data, size, framed);
  std::optional<hdf5::Node> tree;
  try {
    FrameReader reader(fd, FrameReader::Clock::now() + std::chrono::seconds(1));
    tree = hdf5::decodeTree(reader, limits);
  } catch (const FrameFailure &) {
  } catch (const hdf5::TooLarge &) {
  }
  close(fd);
  return tree;
}

/// A context keeps every constant it has seen: a new one now and then.
inline mlir::MLIRContext &context() {
  static std::unique_ptr<mlir::MLIRContext> current;
  static unsigned uses = 0;
  if (uses++ % 4096 == 0)
    current = std::make_unique<mlir::MLIRContext>(
        mlir::MLIRContext::Threading::DISABLED);
  return *current;
}

} // namespace dendrolith::fuzz

#endif // DENDROLITH_TESTS_FUZZ_TREE_H
