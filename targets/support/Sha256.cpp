// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Sha256.h"

#include "targets/support/Error.h"

#include <openssl/evp.h>

namespace dendrolith {

/// OpenSSL refuses when it has no memory or no provider of SHA-256.
static void check(bool done) {
  if (!done)
    throw Error("OpenSSL refused to compute a SHA-256 digest; check its "
                "installation and OPENSSL_CONF");
}

void Sha256::Free::operator()(evp_md_ctx_st *context) const {
  EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context(EVP_MD_CTX_new()) {
  check(context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::string_view bytes) {
  check(EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digest() {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  check(EVP_DigestFinal_ex(context.get(), bytes, &size));
  static const char digits[] = "0123456789abcdef";
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex += digits[bytes[i] >> 4];
    hex += digits[bytes[i] & 0xf];
  }
  return hex;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digest();
}

} // namespace dendrolith
