// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way to spoil the small program, and the start of the message that must
// say where.

#ifndef DENDROLITH_TESTS_RUNTIME_MUTATION_H
#define DENDROLITH_TESTS_RUNTIME_MUTATION_H

#include "tests/runtime/ProgramFixture.h"
#include "tests/runtime/TestSupport.h"

#include <functional>
#include <string>

namespace dendrolith::test {

struct Mutation {
  std::string place; // the message begins with it
  std::string what;  // and contains this
  std::function<void(image::Program &)> apply;
};

inline void expectRefused(const std::vector<Mutation> &mutations,
                          const image::Program &whole = smallProgram()) {
  for (size_t i = 0; i < mutations.size(); ++i) {
    image::Program program = whole;
    mutations[i].apply(program);
    std::string message = errorOf([&] { validate(program); });
    EXPECT_EQ(message.rfind(mutations[i].place, 0), 0u)
        << "mutation " << i << ": " << message;
    EXPECT_NE(message.find(mutations[i].what), std::string::npos)
        << "mutation " << i << ": " << message;
  }
}

} // namespace dendrolith::test

#endif // DENDROLITH_TESTS_RUNTIME_MUTATION_H
