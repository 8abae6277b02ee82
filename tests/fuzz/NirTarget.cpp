// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the HDF5 child sends, as a hostile child might: a byte of import
// options, then the tree of a file. The graph is read and its network built.

#include "compiler/import/hdf5/Wire.h"
#include "compiler/import/nir/Nir.h"
#include "tests/fuzz/Fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

using namespace neurite;

/// libMLIR is not instrumented: it hands out memory of its allocators that our
/// side of the same templates has poisoned.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0";
}

static hdf5::Limits smallLimits() {
  hdf5::Limits limits;
  limits.elements = limits.stringBytes = 1 << 14;
  limits.objects = 1 << 10;
  limits.wallSeconds = 1;
  return limits;
}

/// The low bits of `byte` choose what NIR leaves open; the highest says that
/// the frames around the tree are in the input too.
static nir::NirOptions optionsOf(uint8_t byte) {
  nir::NirOptions options;
  options.limits = smallLimits();
  options.integrator = static_cast<nir::Integrator>((byte & 3) % 3);
  options.timeUnit = static_cast<nir::TimeUnit>((byte >> 2 & 3) % 3);
  options.reset = static_cast<nir::Reset>(byte >> 4 & 1);
  options.ifConvention = static_cast<nir::IfConvention>(byte >> 5 & 1);
  options.loopDelay = byte >> 6 & 1;
  return options;
}

/// The parent's end of the pipe with those bytes in it.
static int fileOf(const uint8_t *data, size_t size, bool framed) {
  int fd = memfd_create("tree", MFD_CLOEXEC);
  if (framed) {
    fuzz::require(write(fd, data, size) == ssize_t(size), "no memory file");
  } else {
    hdf5::FrameWriter writer(fd);
    writer.bytes(data, size);
    writer.end();
  }
  lseek(fd, 0, SEEK_SET);
  return fd;
}

static std::unique_ptr<mlir::MLIRContext> freshContext() {
  return std::make_unique<mlir::MLIRContext>(
      mlir::MLIRContext::Threading::DISABLED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return -1;
  // A context keeps every constant it has seen: a new one now and then.
  static std::unique_ptr<mlir::MLIRContext> context = freshContext();
  static unsigned uses = 0;
  if (++uses % 4096 == 0)
    context = freshContext();
  nir::NirOptions options = optionsOf(data[0]);
  int fd = fileOf(data + 1, size - 1, data[0] >> 7);
  hdf5::Node tree;
  try {
    hdf5::FrameReader reader(fd, hdf5::FrameReader::Clock::now() +
                                     std::chrono::seconds(1));
    tree = hdf5::decodeTree(reader, options.limits);
  } catch (const hdf5::WireFailure &) {
    close(fd);
    return -1;
  }
  close(fd);
  bool taken = fuzz::accepted([&] {
    ImportedModel model = importNir(*context, "fuzz.nir", tree, options);
    model.module->print(llvm::nulls());
  });
  return taken ? 0 : -1;
}
