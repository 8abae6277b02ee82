// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith explore MODEL --axis KEY=V1,V2`: a study of one model without a
// file.

#ifndef DENDROLITH_RUNTIME_DRIVER_EXPLOREMODEL_H
#define DENDROLITH_RUNTIME_DRIVER_EXPLOREMODEL_H

#include "runtime/explore/study/ReadStudy.h"
#include "runtime/options/Options.h"

#include <string>
#include <vector>

namespace dendrolith::driver {

struct ModelToExplore {
  std::string path, labels, metric, weights;
  std::vector<std::string> input, calibrate; ///< X.npy or NAME=X.npy
  std::vector<std::string> targets;          ///< none is "ideal"
  std::vector<std::string> axes;             ///< "KEY=V1,V2"
};

void bindModelToExplore(options::CommandOptions &options,
                        ModelToExplore &model);

/// Whether a file is a model, by its name.
bool isModelFile(const std::string &path);

/// The study that says the same. Throws UsageError for an axis that has no
/// values.
explore::StudySource studyOf(const ModelToExplore &model);

} // namespace dendrolith::driver

#endif // DENDROLITH_RUNTIME_DRIVER_EXPLOREMODEL_H
