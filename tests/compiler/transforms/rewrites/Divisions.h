// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of divided neurons share: the bits that a network gives, and the
// divisions to try.

#ifndef DENDROLITH_TESTS_COMPILER_TRANSFORMS_REWRITES_DIVISIONS_H
#define DENDROLITH_TESTS_COMPILER_TRANSFORMS_REWRITES_DIVISIONS_H

#include <random>
#include <string>
#include <vector>

namespace dendrolith::test {

/// The state "v" of @S over two samples of random inputs @x, so many wide.
template <typename Interpreter>
std::vector<int64_t> run(Interpreter &interpreter, size_t width) {
  std::mt19937 random(7);
  std::vector<int64_t> all;
  for (int sample = 0; sample < 2; ++sample) {
    interpreter.reset();
    for (int tick = 0; tick < 40; ++tick) {
      std::vector<double> x(width);
      for (double &value : x)
        value = random() % 3 ? 0 : double(int(random() % 81) - 40);
      interpreter.tick({{"x", x}});
      const std::vector<int64_t> &v = interpreter.state("S", "v").raw;
      all.insert(all.end(), v.begin(), v.end());
    }
  }
  return all;
}

/// Five compartments in every division into two parts and more: "1+4", "2+3",
/// ..., "1+1+1+1+1".
inline std::vector<std::string> divisionsOfFive() {
  std::vector<std::string> all;
  // A bit says whether a part ends behind a compartment.
  for (unsigned ends = 1; ends < 16; ++ends) {
    std::string sizes;
    int size = 1;
    for (unsigned c = 0; c < 4; ++c, ++size)
      if (ends >> c & 1) {
        sizes += std::to_string(size) + "+";
        size = 0;
      }
    all.push_back(sizes + std::to_string(size));
  }
  return all;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_COMPILER_TRANSFORMS_REWRITES_DIVISIONS_H
