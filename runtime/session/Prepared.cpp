// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Prepared.h"

#include "runtime/image/Program.h"

namespace dendrolith::session {

/// Lets `heard` have the warnings that the listener of the request hears.
static void keepWarnings(ModelRequest &request, Warnings &heard) {
  request.listener.onWarning =
      [&heard, tell = request.listener.onWarning](const Warning &warning) {
        heard.push_back(warning);
        if (tell)
          tell(warning);
      };
}

Prepared loadOnce(ModelRequest request, const std::string &path) {
  Prepared prepared;
  keepWarnings(request, prepared.imported);
  prepared.model = importModel(request, path);
  return prepared;
}

Prepared compileOnce(ModelRequest request, const std::string &path) {
  Prepared prepared = loadOnce(request, path);
  keepWarnings(request, prepared.compiled);
  calibrate(*prepared.model, request);
  quantise(*prepared.model, request);
  prepared.model->lower(request.compile);
  prepared.program = prepared.model->emit();
  prepared.programDigest = digestOf(*prepared.program);
  return prepared;
}

} // namespace dendrolith::session
