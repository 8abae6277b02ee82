// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/support/Sha256.h"
#include "targets/support/Sha256Rounds.h"

#include <algorithm>

namespace neurite {

// First 32 bits of the fractional parts of the cube roots of the first 64
// primes (FIPS 180-4, 4.2.2).
const uint32_t sha256rounds::roundConstants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

namespace {

using sha256rounds::roundConstants;
using sha256rounds::State;

uint32_t rotate(uint32_t x, int n) { return (x >> n) | (x << (32 - n)); }

void compressBlock(State &state, const unsigned char *block) {
  uint32_t w[64];
  for (int i = 0; i < 16; ++i)
    w[i] = uint32_t(block[4 * i]) << 24 | uint32_t(block[4 * i + 1]) << 16 |
           uint32_t(block[4 * i + 2]) << 8 | uint32_t(block[4 * i + 3]);
  for (int i = 16; i < 64; ++i) {
    uint32_t s0 =
        rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
    uint32_t s1 =
        rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (int i = 0; i < 64; ++i) {
    uint32_t s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + roundConstants[i] + w[i];
    uint32_t s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + t2;
  }
  State sum = {a, b, c, d, e, f, g, h};
  for (int i = 0; i < 8; ++i)
    state[i] += sum[i];
}

void compress(State &state, const unsigned char *data, size_t blocks) {
  static const bool fast = sha256rounds::hasInstructions();
  if (fast)
    return sha256rounds::compressFast(state, data, blocks);
  for (size_t i = 0; i < blocks; ++i)
    compressBlock(state, data + 64 * i);
}

} // namespace

void Sha256::add(std::string_view bytes) {
  auto data = [](std::string_view from) {
    return reinterpret_cast<const unsigned char *>(from.data());
  };
  size += bytes.size();
  if (!rest.empty()) {
    size_t taken = std::min(64 - rest.size(), bytes.size());
    rest += bytes.substr(0, taken);
    bytes.remove_prefix(taken);
    if (rest.size() < 64)
      return;
    compress(state, data(rest), 1);
  }
  compress(state, data(bytes), bytes.size() / 64);
  rest = bytes.substr(bytes.size() / 64 * 64);
}

std::string Sha256::digest() {
  // Padding: 0x80, zeros, the length in bits as 64-bit big-endian.
  const uint64_t bits = size * 8;
  std::string tail(1, char(0x80));
  while ((rest.size() + tail.size()) % 64 != 56)
    tail += char(0);
  for (int shift = 56; shift >= 0; shift -= 8)
    tail += char((bits >> shift) & 0xff);
  add(tail);

  static const char digits[] = "0123456789abcdef";
  std::string hex;
  for (uint32_t word : state)
    for (int shift = 28; shift >= 0; shift -= 4)
      hex += digits[(word >> shift) & 0xf];
  return hex;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digest();
}

} // namespace neurite
