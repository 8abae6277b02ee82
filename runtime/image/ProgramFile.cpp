// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/ProgramFile.h"

#include "runtime/image/Program.h"
#include "runtime/image/Sections.h"
#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

using namespace dendrolith;

static void validateAt(const image::Program &program, const CoreSet &wanted,
                       unsigned threads, const std::string &where) {
  try {
    validatePart(program, wanted, threads);
  } catch (const Error &error) {
    throw Error(
        fmt::format("{}: {}; recompile the model", where, error.what()));
  }
}

struct ProgramFile::Parts {
  explicit Parts(const std::string &path)
      : file(path, std::numeric_limits<int64_t>::max()) {
    std::string magic(std::min<uint64_t>(sections::kMagic.size(), file.size()),
                      '\0');
    file.readAt(0, magic.data(), magic.size());
    if (magic == sections::kMagic) {
      source = {path, file.size(),
                [this](uint64_t offset, char *into, size_t count) {
                  file.readAt(offset, into, count);
                }};
      index = sections::readIndex(source, digest);
      for (const image::CoreSections &core : index->cores())
        cores.push_back({core.id(), core.memory().bytes()});
      return;
    }
    program = message::read(file, digest);
    for (const image::Core &core : program.cores())
      cores.push_back(
          {core.id(), core.synapses().ByteSizeLong() + core.in_axons().size()});
  }

  InputFile file;
  std::string digest;
  std::vector<CoreBytes> cores;
  std::optional<image::Index> index; // of a file of sections
  sections::Source source;           // the same
  image::Program program;            // what has no sections
};

ProgramFile::ProgramFile(const std::string &path)
    : parts(std::make_unique<Parts>(path)) {}
ProgramFile::~ProgramFile() = default;
ProgramFile::ProgramFile(ProgramFile &&other) noexcept = default;

const std::string &ProgramFile::digest() const { return parts->digest; }
const std::vector<ProgramFile::CoreBytes> &ProgramFile::cores() const {
  return parts->cores;
}

std::string ProgramFile::targetYaml() const {
  return parts->index
             ? sections::readHead(parts->source, *parts->index).target_yaml()
             : parts->program.target_yaml();
}

image::Program ProgramFile::read(const CoreSet &wanted, unsigned threads) {
  image::Program program = std::move(parts->program);
  if (parts->index)
    program = sections::read(parts->source, *parts->index, wanted, threads);
  else
    dropMemory(program, wanted);
  validateAt(program, wanted, threads, parts->file.name());
  return program;
}

void dendrolith::dropMemory(image::Program &program, const CoreSet &wanted) {
  if (!wanted)
    return;
  for (image::Core &core : *program.mutable_cores())
    if (!wanted(core.id())) {
      core.clear_synapses();
      core.clear_in_axons();
    }
}

image::Program dendrolith::loadProgram(const std::string &path,
                                       std::string *digest) {
  ProgramFile file(path);
  if (digest)
    *digest = file.digest();
  return file.read();
}

image::Program dendrolith::parseProgram(std::string_view bytes,
                                        const std::string &where) {
  image::Program program;
  if (bytes.substr(0, sections::kMagic.size()) == sections::kMagic) {
    const sections::Source source = {
        where, bytes.size(), [&](uint64_t offset, char *into, size_t count) {
          std::copy_n(bytes.data() + offset, count, into);
        }};
    std::string digest;
    const image::Index index = sections::readIndex(source, digest);
    program = sections::read(source, index, {}, 1);
  } else {
    program = message::parse(bytes, where);
  }
  validateAt(program, {}, 1, where);
  return program;
}

namespace dendrolith::message {

namespace io = google::protobuf::io;

static constexpr std::string_view kMagic = "DENDROLITH\n";
static constexpr size_t kDigestSize = 64;
static constexpr size_t kHeaderSize = kMagic.size() + kDigestSize + 1;
/// Protobuf counts bytes in an int.
static constexpr size_t kMaxMessage = std::numeric_limits<int>::max();

static std::string messageOf(const image::Program &program) {
  const size_t size = program.ByteSizeLong();
  std::string message;
  message.reserve(size);
  io::StringOutputStream stream(&message);
  io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  program.SerializeToCodedStream(&coded);
  coded.Trim();
  return message;
}

std::string write(const image::Program &program, const Sink &sink) {
  const std::string message = messageOf(program);
  const std::string digest = sha256(message);
  sink(kMagic);
  sink(digest);
  sink("\n");
  sink(message);
  return digest;
}

/// Checks the first kHeaderSize bytes of a file, or the fewer that it has.
static void checkHeader(std::string_view header, const std::string &where) {
  std::string_view found = header.substr(0, kMagic.size());
  if (found.empty())
    throw Error(where + ": expected a program image, found an empty file");
  if (found != kMagic.substr(0, found.size()))
    throw Error(where + ": not a program image (expected the signature "
                        "'DENDROLITH'); compile the model first");
  if (header.size() < kHeaderSize)
    throw Error(fmt::format("{}: truncated program image: expected a header "
                            "of {} bytes, found {}; copy or compile it again",
                            where, kHeaderSize, header.size()));
}

namespace {
/// The message of a file, whose digest is taken piece by piece on the way to
/// the parser, while the piece is in the cache.
class MessageFile : public io::ZeroCopyInputStream {
public:
  explicit MessageFile(InputFile &file) : file(file), piece(kPiece, '\0') {}

  /// The digest; reads what the parser left.
  std::string digest() {
    const void *data = nullptr;
    int size = 0;
    while (Next(&data, &size)) {
    }
    return sum.digest();
  }

  bool Next(const void **data, int *size) override {
    if (back == 0) {
      filled = file.read(piece.data(), piece.size());
      sum.add(std::string_view(piece).substr(0, filled));
      given += filled;
      back = filled;
    }
    *data = piece.data() + filled - back;
    *size = static_cast<int>(back);
    return std::exchange(back, 0) > 0;
  }
  void BackUp(int count) override { back = static_cast<size_t>(count); }
  bool Skip(int count) override {
    const void *data = nullptr;
    int size = 0;
    for (; count > 0 && Next(&data, &size); count -= size)
      if (size > count) {
        BackUp(size - count);
        return true;
      }
    return count <= 0;
  }
  int64_t ByteCount() const override {
    return static_cast<int64_t>(given - back);
  }

private:
  static constexpr size_t kPiece = size_t(1) << 18;
  InputFile &file;
  std::string piece;
  size_t filled = 0, back = 0; // bytes of the piece; of them, not yet given
  uint64_t given = 0;
  Sha256 sum;
};
} // namespace

/// Parses what `stream` gives. The digest is checked first, because a parser
/// has nothing useful to say about altered bytes.
static image::Program parseMessage(io::ZeroCopyInputStream &stream,
                                   const std::string &where,
                                   std::string_view header,
                                   const std::function<std::string()> &digest) {
  // Protobuf would print its own view of malformed bytes.
  google::protobuf::LogSilencer silencer;
  image::Program program;
  const bool parsed = program.ParseFromZeroCopyStream(&stream);
  if (header.back() != '\n' ||
      digest() != header.substr(kMagic.size(), kDigestSize))
    throw Error(where + ": truncated or altered program image: its content "
                        "does not have the SHA-256 of its header; copy or "
                        "compile it again");
  if (!parsed)
    throw Error(where + ": malformed program image: the content is not a "
                        "program message; recompile the model");
  return program;
}

static void checkSize(uint64_t size, const std::string &where) {
  if (size > kMaxMessage)
    throw Error(fmt::format("{}: expected a program image of less than 2 GiB, "
                            "found {} bytes",
                            where, size));
}

image::Program parse(std::string_view bytes, const std::string &where) {
  checkSize(bytes.size(), where);
  std::string_view header = bytes.substr(0, kHeaderSize);
  checkHeader(header, where);
  std::string_view message = bytes.substr(kHeaderSize);
  io::ArrayInputStream stream(message.data(), static_cast<int>(message.size()));
  return parseMessage(stream, where, header, [&] { return sha256(message); });
}

image::Program read(InputFile &file, std::string &digest) {
  checkSize(file.size(), file.name());
  std::string header(kHeaderSize, '\0');
  header.resize(file.read(header.data(), header.size()));
  checkHeader(header, file.name());
  MessageFile message(file);
  image::Program program = parseMessage(message, file.name(), header,
                                        [&] { return message.digest(); });
  digest = header.substr(kMagic.size(), kDigestSize);
  return program;
}

} // namespace dendrolith::message
