// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Events of a sensor as arrays of their coordinates, beside dense input.

#ifndef DENDROLITH_RUNTIME_ARRAYS_EVENTARRAYS_H
#define DENDROLITH_RUNTIME_ARRAYS_EVENTARRAYS_H

#include "runtime/arrays/Npy.h"
#include "runtime/host/Signals.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dendrolith {

/// An archive (.npz) with an element in each array for each event:
///
/// t         its step, from 0 on
/// ch        its place in a step of any shape, counted in C order; or
/// x         its place in steps of one axis; (y, x) of two; (p, y, x) of three,
///           where p is the polarity
/// sample    its sample, from 0 on; or, where samples follow each other,
/// begin     (samples + 1): events begin[s] to begin[s + 1] are sample s;
///           without both there is one sample
///
/// and `steps`, one number, where steps without events follow the last one.
/// Events of one place and step add up, to 255 at most.
class EventArrays {
public:
  /// Whether the name is that of an archive.
  static bool isArchive(const std::string &path);

  /// Throws Error that begins with the path: an array that is missing, unknown,
  /// or has no integers, or not one for each event.
  explicit EventArrays(const std::string &path);

  /// The dense input with steps of shape `shape`. Throws Error that names the
  /// array, the event, and the range that it is out of.
  Samples toSamples(const std::vector<uint64_t> &shape) const;

private:
  const std::vector<int64_t> &numbers(const std::string &name) const;
  uint64_t number(const std::string &name, uint64_t event,
                  uint64_t limit) const;
  std::vector<uint64_t> samplesOfEvents(uint64_t &samples) const;

  std::string path;
  std::map<std::string, Array> arrays;
  uint64_t events = 0;
};

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_EVENTARRAYS_H
