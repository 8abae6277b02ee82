// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reader of NetX files makes of one, as JSON, for tests in Python; and
// what the writer makes of that again.
//
//   dendrolith-netx-tool FILE.net [AGAIN.net]

#include "compiler/export/netx/Netx.h"
#include "compiler/import/lava/Netx.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <google/protobuf/util/json_util.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  try {
    dendrolith::lava::NetxNetwork network = dendrolith::lava::readNetx(argv[1]);
    for (const dendrolith::Warning &warning : network.warnings)
      std::fprintf(stderr, "warning: %s\n",
                   dendrolith::lineOf(warning).c_str());
    if (argc > 2)
      dendrolith::lava::writeNetx(network.model, argv[2]);
    std::string text;
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    if (!google::protobuf::util::MessageToJsonString(network.model, &text,
                                                     options)
             .ok())
      return 2;
    std::puts(text.c_str());
    return 0;
  } catch (const dendrolith::Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
