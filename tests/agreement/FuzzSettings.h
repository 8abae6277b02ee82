// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long and from which seed random tests run: DENDROLITH_FUZZ_SECONDS,
// DENDROLITH_FUZZ_SEED, DENDROLITH_FUZZ_BODIES.

#ifndef DENDROLITH_TESTS_AGREEMENT_FUZZSETTINGS_H
#define DENDROLITH_TESTS_AGREEMENT_FUZZSETTINGS_H

#include <cstdlib>

namespace dendrolith::test {

inline double fuzzSetting(const char *name, double usual) {
  const char *text = std::getenv(name);
  return text ? std::atof(text) : usual;
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_AGREEMENT_FUZZSETTINGS_H
