// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An archive of arrays whose numbers come while a run goes on, in any order:
// each goes at once to the place where the finished archive has it. Its bytes
// are those that writeNpz() makes of the same arrays in memory.

#ifndef DENDROLITH_RUNTIME_ARRAYS_NPZFILE_H
#define DENDROLITH_RUNTIME_ARRAYS_NPZFILE_H

#include "runtime/arrays/ValueFile.h"
#include "runtime/arrays/Zip.h"
#include "runtime/host/Content.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dendrolith {

class NpzFile {
public:
  /// How an array lies in the archive.
  struct Layout {
    std::vector<uint64_t> shape;
    ValueFile::ValueType form = ValueFile::ValueType::Int64;
  };
  using Layouts = std::map<std::string, Layout>; // by name

  /// Who puts numbers into it: this process, each of them once, or others, too.
  enum class Writers { ThisProcess, Several };

  /// Takes over `descriptor`, which reads and writes an empty file; `name`
  /// stands in errors. Throws Error, before anything is written, for arrays
  /// that an archive does not hold.
  NpzFile(int descriptor, std::string name, const Layouts &layouts,
          Writers writers = Writers::Several);

  /// Where the numbers of an array go; it may outlive this.
  std::shared_ptr<ValueFile> values(const std::string &array) const {
    return arrays.at(array);
  }

  /// Completes the archive when all numbers are there: their checksums stand in
  /// front of them, and where several processes have put them it reads them
  /// once for that. A second call does nothing.
  void finish();
  /// Hands over the finished archive.
  void read(const ByteSink &sink);

private:
  uint32_t checksumOf(size_t member) const;
  void readRange(uint64_t at, uint64_t end, const ByteSink &sink) const;

  const ValueFile::Descriptor descriptor;
  const std::string name;
  std::map<std::string, std::shared_ptr<ValueFile>> arrays;
  // In order of name.
  std::vector<zip::Stored> members;
  std::vector<std::string> heads; // of the arrays' own format
  uint64_t directoryAt = 0;
  bool finished = false;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_NPZFILE_H
