// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 (FIPS 180-4), by which files and programs are named after their
// content. OpenSSL computes it; this header keeps OpenSSL's names out of the
// rest of the tree.

#ifndef DENDROLITH_TARGETS_SUPPORT_SHA256_H
#define DENDROLITH_TARGETS_SUPPORT_SHA256_H

#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace dendrolith {

/// The digest of `bytes` as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same digest of bytes that come in pieces.
class Sha256 {
public:
  Sha256();
  void add(std::string_view bytes);
  /// The digest of all that was added; nothing may be added after it.
  std::string digest();

private:
  struct Free {
    void operator()(evp_md_ctx_st *context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_SUPPORT_SHA256_H
