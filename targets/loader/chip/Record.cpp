// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "targets/loader/chip/Record.h"

namespace dendrolith {

const char *toString(Kind kind) {
  switch (kind) {
  case Kind::Measured:
    return "measured";
  case Kind::Fitted:
    return "fitted";
  case Kind::PreSilicon:
    return "pre-silicon";
  case Kind::Derived:
    return "derived";
  case Kind::Scaled:
    return "scaled";
  case Kind::Inherited:
    return "inherited";
  case Kind::Assumed:
    return "assumed";
  }
  return "";
}

} // namespace dendrolith
