// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What neurons sent and when, out of the recorded files of a result.

#ifndef DENDROLITH_SIMULATOR_REPORT_HTML_RASTERS_H
#define DENDROLITH_SIMULATOR_REPORT_HTML_RASTERS_H

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::report::html {

/// The contents of traces.npz and spikes.npz; empty where there is no such
/// file.
struct Recorded {
  std::string traces, spikes;
};

/// The recorded files of a result's folder.
Recorded readRecorded(const std::string &folder);

struct Rasters {
  struct Population {
    std::string name; ///< of a population
    uint64_t neurons = 0, ticks = 0;
    uint64_t events = 0; ///< all of them, of all samples
  };
  struct Event {
    uint32_t sample, row, tick, neuron;
  };
  std::vector<Population> rows;
  /// By sample, row, tick, neuron: all of the first samples, as many samples as
  /// there is room for; where the first alone is too long, a part of it.
  std::vector<Event> events;
  uint64_t samples = 0, samplesKept = 0;
  /// One in so many of the first sample's events is kept.
  uint64_t every = 1;
};

/// Values other than 0 that were traced by a population's name alone, and the
/// spikes of a study network; states are none. `place` begins messages.
Rasters rastersOf(const Recorded &recorded, uint64_t samples,
                  const std::string &place);

} // namespace dendrolith::report::html

#endif // DENDROLITH_SIMULATOR_REPORT_HTML_RASTERS_H
