// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model that is imported and compiled once and run often.

#ifndef DENDROLITH_RUNTIME_SESSION_PREPARED_H
#define DENDROLITH_RUNTIME_SESSION_PREPARED_H

#include "runtime/session/ModelRequest.h"

#include <memory>
#include <optional>
#include <string>

namespace dendrolith::session {

struct Prepared {
  std::shared_ptr<Compilation> model;
  /// None where only the float network was asked for.
  std::optional<image::Program> program;
  std::string programDigest;
  /// What import and compiler warned of, which each run's result repeats.
  Warnings imported, compiled;
};

/// Imports a model, without its program.
Prepared loadOnce(ModelRequest request, const std::string &path);

/// Imports, calibrates on the samples of the request, quantises and maps. The
/// listener of the request hears of warnings, too. Throws Error.
Prepared compileOnce(ModelRequest request, const std::string &path);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_PREPARED_H
