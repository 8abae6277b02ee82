// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same digest by the instructions that newer x86-64 has for it.

#include "targets/support/Sha256Rounds.h"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>

namespace neurite::sha256rounds {

bool hasInstructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  // SSSE3 and SSE4.1, then SHA.
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1))
    return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

/// Registers hold A B E F and C D G H, first letters in the highest lanes.
__attribute__((target("sha,ssse3,sse4.1"))) void
compressFast(State &state, const unsigned char *data, size_t blocks) {
  const __m128i bigEndian =
      _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto word = [&](int i) { return static_cast<int>(state[i]); };
  __m128i abef = _mm_set_epi32(word(0), word(1), word(4), word(5));
  __m128i cdgh = _mm_set_epi32(word(2), word(3), word(6), word(7));
  for (; blocks > 0; --blocks, data += 64) {
    const __m128i abefBefore = abef, cdghBefore = cdgh;
    __m128i w[4]; // words of the schedule, a ring of 16
    for (int i = 0; i < 4; ++i)
      w[i] = _mm_shuffle_epi8(
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(data + 16 * i)),
          bigEndian);
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) {
      if (i >= 4) {
        __m128i last = w[(i + 3) & 3];
        __m128i sum =
            _mm_add_epi32(_mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]),
                          _mm_alignr_epi8(last, w[(i + 2) & 3], 4));
        w[i & 3] = _mm_sha256msg2_epu32(sum, last);
      }
      __m128i k = _mm_add_epi32(
          w[i & 3], _mm_loadu_si128(reinterpret_cast<const __m128i *>(
                        roundConstants + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
    }
    abef = _mm_add_epi32(abef, abefBefore);
    cdgh = _mm_add_epi32(cdgh, cdghBefore);
  }
  alignas(16) uint32_t first[4], second[4];
  _mm_store_si128(reinterpret_cast<__m128i *>(first), abef);
  _mm_store_si128(reinterpret_cast<__m128i *>(second), cdgh);
  state = {first[3], first[2], second[3], second[2],
           first[1], first[0], second[1], second[0]};
}

} // namespace neurite::sha256rounds

#else

namespace neurite::sha256rounds {
bool hasInstructions() { return false; }
void compressFast(State &, const unsigned char *, size_t) {}
} // namespace neurite::sha256rounds

#endif
