// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long and from which seed random tests run: NEURITE_FUZZ_SECONDS,
// NEURITE_FUZZ_SEED, NEURITE_FUZZ_BODIES.

#ifndef NEURITE_TESTS_AGREEMENT_FUZZSETTINGS_H
#define NEURITE_TESTS_AGREEMENT_FUZZSETTINGS_H

#include <cstdlib>

namespace neurite::test {

inline double fuzzSetting(const char *name, double usual) {
  const char *text = std::getenv(name);
  return text ? std::atof(text) : usual;
}

} // namespace neurite::test

#endif // NEURITE_TESTS_AGREEMENT_FUZZSETTINGS_H
