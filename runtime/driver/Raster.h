// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Study networks bring their input and the spikes that must come out.

#ifndef NEURITE_RUNTIME_DRIVER_RASTER_H
#define NEURITE_RUNTIME_DRIVER_RASTER_H

#include "compiler/import/csr/File.h"
#include "runtime/Signals.h"
#include "simulator/Run.h"

#include <optional>
#include <string>
#include <vector>

namespace neurite::driver {

/// The stimulus in a file named .npz; none if the name ends otherwise. Throws
/// Error for an archive that is no study network.
std::optional<csr::Stimulus> loadStimulus(const std::string &path);

/// One sample of zeros and ones.
Samples toSamples(const csr::Stimulus &stimulus);

/// Throws Error that names the first spike that is missing or too many, with
/// steps from 1 on as in the file. `path`: of the stimulus.
void checkRaster(const std::vector<sim::SpikeEvent> &spikes,
                 const csr::Raster &expected, const std::string &path);

/// spikes.npz: `step` (from 1 on) and `id`, and `sample` if there are several.
std::string
formatSpikes(const std::vector<std::vector<sim::SpikeEvent>> &samples);

} // namespace neurite::driver

#endif // NEURITE_RUNTIME_DRIVER_RASTER_H
