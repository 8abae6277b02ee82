// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/image/ProgramFile.h"

#include "runtime/image/OneMessage.h"
#include "runtime/image/Program.h"
#include "runtime/image/Sections.h"
#include "targets/support/Error.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

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
