// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a checkpoint says about itself: the JSON text of its member `meta`, read
// key by key with messages that name the file, the key and what was found.

#ifndef DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_METAREADER_H
#define DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_METAREADER_H

#include "compiler/import/npz/common/Archive.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>

namespace dendrolith::npz {

/// Every function throws Error that begins with the file and the key.
class MetaReader {
public:
  /// Reads the member `meta`; it must be a JSON object.
  explicit MetaReader(Archive &archive);

  /// Throws an error about the value of a key that is there.
  [[noreturn]] void fail(const std::string &key,
                         const std::string &expected) const;
  bool has(const std::string &key) const;
  std::string text(const std::string &key, const std::string &otherwise) const;
  /// Reads a text that is one of `words`; gives its index.
  size_t choice(const std::string &key, size_t otherwise,
                const std::vector<std::string> &words,
                const std::string &expected) const;
  double number(const std::string &key, double otherwise) const;
  /// Reads true, false, 1 or 0.
  bool flag(const std::string &key, bool otherwise,
            const std::string &expected) const;
  /// Reads an integer in [least, most], which `expected` describes; nothing if
  /// the key is absent.
  std::optional<int64_t> integer(const std::string &key, double least,
                                 double most,
                                 const std::string &expected) const;
  /// Reads "n_micro", the passes that a neuron makes per token.
  int64_t microSteps(int64_t otherwise) const;
  /// Checks that nothing is there but `read`, and what training tools write
  /// about a run or what the arrays say themselves: any other key may say that
  /// the network is another one than this importer makes of the arrays.
  void only(const std::vector<std::string> &read) const;
  /// Checks a number that only one value of is read; `why` says what it is.
  void onlyNumber(const std::string &key, double value, const char *why) const;

private:
  std::shared_ptr<const nlohmann::json> json;
  std::string begin;
};

/// Whether the text says how answers are decoded: "mean", or "last=n" with n >=
/// 1.
bool isDecode(const std::string &text);

} // namespace dendrolith::npz

#endif // DENDROLITH_COMPILER_IMPORT_NPZ_COMMON_METAREADER_H
