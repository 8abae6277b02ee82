// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run should give, from a file, and the first place where it does not,
// with the states there.

#ifndef DENDROLITH_RUNTIME_SESSION_EXPECTED_H
#define DENDROLITH_RUNTIME_SESSION_EXPECTED_H

#include "runtime/arrays/Npy.h"
#include "runtime/session/Recording.h"

namespace dendrolith::session {

class Expected {
public:
  /// Looks into an .npy file (of the only output) or an .npz archive, whose
  /// members are named as an output or, as --trace, POPULATION[:STATE]. Throws
  /// Error.
  explicit Expected(const std::string &path);

  /// Finds the members in a program. Throws Error for a name it has not.
  void resolve(const image::Program &program);

  /// What must be recorded: the members that are no outputs, and every state of
  /// the populations compared.
  const std::vector<sim::TraceRequest> &traces() const { return requests; }

  /// Compares every value. Throws Error for an array of another shape.
  struct Outcome {
    uint64_t values = 0, different = 0;
    /// One line: arrays and values that are equal, or the first difference by
    /// sample, step (from 1 on, as Lava counts) and neuron.
    std::string text;
  };
  Outcome compare(const Recording &recording) const;

private:
  /// Its numbers are read when its shape is known to be right.
  struct Member {
    std::string name; ///< in the file; for .npy that of the output
    ArrayHead head;
    int output = -1; ///< in the program's order; -1: a trace
    std::string population, state;
  };
  struct Layer {
    std::vector<uint64_t> shape;
    std::vector<std::string> states;
  };

  Array load(const Member &member) const;

  std::string path;
  std::vector<Member> members;
  std::map<std::string, Layer> layers; ///< by population
  std::vector<sim::TraceRequest> requests;
};

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_EXPECTED_H
