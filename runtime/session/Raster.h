// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Study networks bring their input and the spikes that must come out.

#ifndef DENDROLITH_RUNTIME_SESSION_RASTER_H
#define DENDROLITH_RUNTIME_SESSION_RASTER_H

#include "compiler/import/study/File.h"
#include "runtime/host/Content.h"
#include "runtime/host/Signals.h"
#include "simulator/Run.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::session {

/// The stimulus in a file named .npz; none if the name ends otherwise or the
/// archive is no study network. Throws Error for what is no archive.
std::optional<study::Stimulus> loadStimulus(const std::string &path);

/// One sample of zeros and ones.
Samples toSamples(const study::Stimulus &stimulus);

/// Throws Error that names the first spike that is missing or too many, with
/// steps from 1 on as in the file, which is at `path`.
void checkRaster(const sim::SpikeList &spikes, const study::Raster &expected,
                 const std::string &path);

/// spikes.npz: `step` (from 1 on) and `id`, and `sample` if there are several.
void writeSpikes(const std::vector<sim::SpikeList> &samples,
                 const ByteSink &sink);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RASTER_H
