// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Record.h"

namespace dendrolith {

const char *toString(Provenance kind) {
  switch (kind) {
  case Provenance::Measured:
    return "measured";
  case Provenance::Fitted:
    return "fitted";
  case Provenance::PreSilicon:
    return "pre-silicon";
  case Provenance::Derived:
    return "derived";
  case Provenance::Scaled:
    return "scaled";
  case Provenance::Inherited:
    return "inherited";
  case Provenance::Assumed:
    return "assumed";
  }
  return "";
}

} // namespace dendrolith
