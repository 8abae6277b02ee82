// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "compiler/export/lava/WriteModel.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <cstdint>

namespace dendrolith::lava {

std::string serialize(const Model &model) {
  if (model.ByteSizeLong() > INT32_MAX)
    throw Error("the Lava model has " +
                std::to_string(model.ByteSizeLong() >> 20) +
                " MiB; protobuf reads at most 2047");
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true); // maps sorted by key
    model.SerializeToCodedStream(&coded);
  }
  return bytes;
}

void writeModel(const Model &model, const std::string &path) {
  writeAside(path, serialize(model));
}

} // namespace dendrolith::lava
