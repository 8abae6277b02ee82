// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// .lava.pb files: bytes that may be anything.

#include "compiler/import/lava/Lava.h"

#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

namespace dendrolith {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

constexpr uint64_t kMostBytes = uint64_t(1) << 30;
constexpr uint64_t kMostMessages = uint64_t(1) << 22;
constexpr int kMostDepth = 32;
constexpr size_t kMostText = 4096;

/// Texts come back as names, in messages and reports.
void checkText(const std::string &text, const std::string &place,
               const FieldDescriptor &field) {
  auto isControl = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::string found;
  if (text.size() > kMostText)
    found = fmt::format("{} bytes", text.size());
  else if (utf8Prefix(text) != text.size())
    found = "bytes that are none";
  else if (std::any_of(text.begin(), text.end(), isControl))
    found = fmt::format("'{}' with control characters", printable(text));
  else
    return;
  throw Error(fmt::format("{}: {}: expected UTF-8 text of at most {} bytes "
                          "without control characters, found {}",
                          place, field.full_name(), kMostText, found));
}

/// Goes through the bytes before they are parsed: two bytes of a file can be a
/// message of a hundred bytes in memory.
class Scan {
public:
  Scan(const std::string &bytes, const std::string &place)
      : in(reinterpret_cast<const uint8_t *>(bytes.data()), int(bytes.size())),
        place(place) {
    in.PushLimit(int(bytes.size()));
  }

  /// False for damaged bytes and for too many messages; throws Error for texts
  /// that are none.
  bool message(const Descriptor &type, int depth) {
    while (uint32_t tag = in.ReadTag()) {
      const FieldDescriptor *field =
          type.FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
      bool isNested = field && WireFormatLite::GetTagWireType(tag) ==
                                   WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
      int length;
      if (isNested && field->type() == FieldDescriptor::TYPE_MESSAGE) {
        if (depth == 0 || ++messages > kMostMessages ||
            !in.ReadVarintSizeAsInt(&length) || length > in.BytesUntilLimit())
          return false;
        CodedInputStream::Limit limit = in.PushLimit(length);
        if (!message(*field->message_type(), depth - 1))
          return false;
        in.PopLimit(limit);
      } else if (isNested && field->type() == FieldDescriptor::TYPE_STRING) {
        std::string text;
        if (!in.ReadVarintSizeAsInt(&length) || !in.ReadString(&text, length))
          return false;
        checkText(text, place, *field);
      } else if (!WireFormatLite::SkipField(&in, tag)) {
        return false;
      }
    }
    return in.ConsumedEntireMessage();
  }

  uint64_t messages = 0;

private:
  CodedInputStream in;
  const std::string &place;
};

} // namespace

lava::Model parseLava(const std::string &bytes, const std::string &place) {
  lava::Model model;
  Scan scan(bytes, place);
  if (!scan.message(*lava::Model::descriptor(), kMostDepth) ||
      !model.ParseFromString(bytes))
    throw Error(fmt::format(
        "{}: expected a network of Lava processes (protobuf, "
        "compiler/lava/lava.proto), found damaged or other bytes{}",
        place,
        scan.messages > kMostMessages ? ", more messages than a network has"
                                      : ""));
  return model;
}

ImportedModel importLava(mlir::MLIRContext &context, const std::string &path) {
  return buildLava(context, parseLava(readFile(path, kMostBytes), path), path);
}

Importer lavaImporter() {
  return {{".lava.pb"},
          "a network of Lava processes",
          [](mlir::MLIRContext &context, const std::string &path,
             const ImportOptions &) { return importLava(context, path); }};
}

} // namespace dendrolith
