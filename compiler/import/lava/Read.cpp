// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .lava.pb files: bytes that nobody has checked.

#include "compiler/import/lava/Lava.h"

#include "runtime/Files.h"
#include "targets/Error.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

namespace neurite {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr uint64_t kMostBytes = uint64_t(1) << 30;
constexpr uint64_t kMostMessages = uint64_t(1) << 22;
constexpr int kMostDepth = 32;

/// Counts the messages that parsing would make: two bytes of a file can be one
/// of a hundred bytes in memory. False for damaged bytes.
bool countMessages(CodedInputStream &in, const Descriptor &type, int depth,
                   uint64_t &count) {
  while (uint32_t tag = in.ReadTag()) {
    const FieldDescriptor *field =
        type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
    bool nested = field && field->type() == FieldDescriptor::TYPE_MESSAGE &&
                  WireFormatLite::GetTagWireType(tag) ==
                      WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
    if (!nested) {
      if (!WireFormatLite::SkipField(&in, tag))
        return false;
      continue;
    }
    int length;
    if (depth == 0 || ++count > kMostMessages ||
        !in.ReadVarintSizeAsInt(&length))
      return false;
    CodedInputStream::Limit limit = in.PushLimit(length);
    if (!countMessages(in, *field->message_type(), depth - 1, count))
      return false;
    in.PopLimit(limit);
  }
  return in.ConsumedEntireMessage();
}

} // namespace

ImportedModel importLava(mlir::MLIRContext &context, const std::string &path) {
  lava::Model model;
  {
    std::string bytes = readFile(path, kMostBytes);
    CodedInputStream in(reinterpret_cast<const uint8_t *>(bytes.data()),
                        int(bytes.size()));
    uint64_t count = 0;
    if (!countMessages(in, *lava::Model::descriptor(), kMostDepth, count) ||
        !model.ParseFromString(bytes))
      throw Error(fmt::format(
          "{}: expected a network of Lava processes (protobuf, "
          "compiler/lava/lava.proto), found damaged or other bytes{}",
          path,
          count > kMostMessages ? ", more messages than a network has" : ""));
  }
  return buildLava(context, model, path);
}

} // namespace neurite
