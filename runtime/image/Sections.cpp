// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/Sections.h"

#include "runtime/host/Workers.h"
#include "targets/support/Error.h"
#include "targets/support/Sha256.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/util/field_mask_util.h>
#include <limits>

namespace dendrolith::sections {

namespace io = google::protobuf::io;
using google::protobuf::MessageLite;

constexpr size_t kDigest = 64, kLength = 16;
constexpr size_t kLastLine = kDigest + 1 + kLength + 1;
/// Protobuf counts bytes in an int.
constexpr uint64_t kMostBytes = std::numeric_limits<int>::max();

std::string rawSha256(std::string_view bytes) {
  const std::string hex = sha256(bytes);
  std::string raw;
  for (size_t i = 0; i < hex.size(); i += 2)
    raw += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return raw;
}

std::string ending(const std::string &index) {
  return index + fmt::format("{}\n{:016x}\n", sha256(index), index.size());
}

/// Equal messages give equal bytes.
static std::string bytesOf(const MessageLite &message, const char *what) {
  const uint64_t size = message.ByteSizeLong();
  if (size > kMostBytes)
    throw Error(fmt::format("the program image takes {} bytes for {}, expected "
                            "less than 2 GiB; divide the network over more "
                            "cores",
                            size, what));
  std::string bytes;
  bytes.reserve(size);
  io::StringOutputStream stream(&bytes);
  io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

static void put(const MessageLite &message, const char *what,
                image::Section &section, const Sink &sink) {
  const std::string bytes = bytesOf(message, what);
  section.set_bytes(bytes.size());
  section.set_sha256(rawSha256(bytes));
  sink(bytes);
}

static image::Program headOf(const image::Program &program) {
  using google::protobuf::util::FieldMaskUtil;
  google::protobuf::FieldMask mask;
  const auto *type = image::Program::descriptor();
  for (int f = 0; f < type->field_count(); ++f)
    if (type->field(f)->number() != image::Program::kCoresFieldNumber)
      mask.add_paths(type->field(f)->name());
  image::Program head;
  FieldMaskUtil::MergeMessageTo(program, mask, {}, &head);
  return head;
}

std::string write(const image::Program &program, const Sink &sink) {
  image::Index index;
  sink(kMagic);
  for (const image::Core &core : program.cores()) {
    image::CoreSections &sections = *index.add_cores();
    sections.set_id(core.id());
    {
      image::Core groups;
      groups.set_id(core.id());
      *groups.mutable_groups() = core.groups();
      *groups.mutable_programs() = core.programs();
      put(groups, "the groups of a core", *sections.mutable_groups(), sink);
    }
    image::Core memory;
    if (core.has_synapses())
      *memory.mutable_synapses() = core.synapses();
    memory.set_in_axons(core.in_axons());
    put(memory, "the synapses of a core", *sections.mutable_memory(), sink);
  }
  put(headOf(program), "all that belongs to no core", *index.mutable_head(),
      sink);
  const std::string bytes = bytesOf(index, "its index");
  sink(ending(bytes));
  return sha256(bytes);
}

/// Adds the section to `at`, where it begins.
static void pass(const Source &source, const image::Section &section,
                 uint64_t &at) {
  if (section.sha256().size() != kDigest / 2 || section.bytes() > kMostBytes)
    throw Error(fmt::format("{}: malformed program image: expected sections "
                            "of less than 2 GiB with a SHA-256, found one of "
                            "{} bytes; recompile the model",
                            source.name, section.bytes()));
  at += section.bytes();
}

static std::string textAt(const Source &source, uint64_t offset, size_t count) {
  std::string bytes(count, '\0');
  source.read(offset, bytes.data(), count);
  return bytes;
}

image::Index readIndex(const Source &source, std::string &digest) {
  auto refuse = [&](const char *what) {
    throw Error(fmt::format("{}: truncated or altered program image: {}; copy "
                            "or compile it again",
                            source.name, what));
  };
  if (source.size < kMagic.size() + kLastLine)
    refuse("it ends before its last line");
  const std::string line = textAt(source, source.size - kLastLine, kLastLine);
  digest = line.substr(0, kDigest);
  const std::string number = line.substr(kDigest + 1, kLength);
  if (line[kDigest] != '\n' || line.back() != '\n' ||
      number.find_first_not_of("0123456789abcdef") != std::string::npos)
    refuse("it does not end with the digest and the length of its index");
  const uint64_t length = std::stoull(number, nullptr, 16);
  const uint64_t room = source.size - kMagic.size() - kLastLine;
  if (length > std::min(room, kMostBytes))
    refuse("its index is longer than the file");
  const uint64_t end = source.size - kLastLine - length;
  const std::string bytes = textAt(source, end, length);
  if (sha256(bytes) != digest)
    refuse("its index does not have the SHA-256 of its last line");
  google::protobuf::LogSilencer silencer;
  image::Index index;
  const bool parsed = index.ParseFromString(bytes);
  index.DiscardUnknownFields();
  if (!parsed || bytesOf(index, "its index") != bytes)
    throw Error(source.name + ": malformed program image: the index is none "
                              "that this version writes; recompile the model");
  uint64_t at = kMagic.size();
  for (const image::CoreSections &core : index.cores()) {
    pass(source, core.groups(), at);
    pass(source, core.memory(), at);
  }
  pass(source, index.head(), at);
  if (at != end)
    throw Error(fmt::format("{}: malformed program image: its sections end at "
                            "byte {}, expected {}, where the index begins; "
                            "recompile the model",
                            source.name, at, end));
  return index;
}

/// Reads the section that begins at `offset`.
static void readPiece(const Source &source, const image::Section &section,
                      uint64_t offset, MessageLite &into) {
  std::string bytes;
  withMemoryFor(source.name, [&] { bytes.resize(section.bytes()); });
  source.read(offset, bytes.data(), bytes.size());
  if (rawSha256(bytes) != section.sha256())
    throw Error(fmt::format("{}: truncated or altered program image: the {} "
                            "bytes from byte {} on do not have the SHA-256 of "
                            "the index; copy or compile it again",
                            source.name, bytes.size(), offset));
  if (!into.ParseFromString(bytes))
    throw Error(fmt::format("{}: malformed program image: the {} bytes from "
                            "byte {} on are no section; recompile the model",
                            source.name, bytes.size(), offset));
}

/// Reads a core and puts its memory, if it is wanted, beside its groups.
static void readCore(const Source &source, const image::CoreSections &sections,
                     uint64_t offset, bool wanted, image::Core &core) {
  readPiece(source, sections.groups(), offset, core);
  auto refuse = [&](const char *what) {
    throw Error(fmt::format("{}: core {}: expected {}; recompile the model",
                            source.name, sections.id(), what));
  };
  if (core.id() != sections.id())
    refuse("a section of groups with the id of the index");
  if (core.has_synapses() || !core.in_axons().empty())
    refuse("no synapses in the section of groups");
  if (!wanted)
    return;
  image::Core memory;
  readPiece(source, sections.memory(), offset + sections.groups().bytes(),
            memory);
  const auto &unknown = memory.GetReflection()->GetUnknownFields(memory);
  if (memory.id() != 0 || memory.groups_size() > 0 ||
      memory.programs_size() > 0 || !unknown.empty())
    refuse("synapses and in-axons alone in the section of memory");
  if (memory.has_synapses())
    core.mutable_synapses()->Swap(memory.mutable_synapses());
  core.mutable_in_axons()->swap(*memory.mutable_in_axons());
}

image::Program readHead(const Source &source, const image::Index &index) {
  google::protobuf::LogSilencer silencer;
  uint64_t offset = kMagic.size();
  for (const image::CoreSections &core : index.cores())
    offset += core.groups().bytes() + core.memory().bytes();
  image::Program program;
  readPiece(source, index.head(), offset, program);
  if (program.cores_size() > 0)
    throw Error(source.name + ": malformed program image: expected no cores in "
                              "its head; recompile the model");
  return program;
}

image::Program read(const Source &source, const image::Index &index,
                    const CoreSet &wanted, unsigned threads) {
  google::protobuf::LogSilencer silencer;
  std::vector<uint64_t> offsets = {kMagic.size()};
  for (const image::CoreSections &core : index.cores())
    offsets.push_back(offsets.back() + core.groups().bytes() +
                      core.memory().bytes());
  image::Program program = readHead(source, index);
  std::vector<uint8_t> whole;
  for (const image::CoreSections &core : index.cores()) {
    whole.push_back(!wanted || wanted(core.id()));
    program.add_cores();
  }
  const size_t cores = whole.size();
  inParallel(cores, workersFor(threads, cores), [&](size_t c) {
    const image::CoreSections &sections = index.cores(static_cast<int>(c));
    readCore(source, sections, offsets[c], whole[c],
             *program.mutable_cores(static_cast<int>(c)));
  });
  return program;
}

} // namespace dendrolith::sections
