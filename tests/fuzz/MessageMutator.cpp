// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How libFuzzer changes protobuf messages: one field at any depth, lengths kept
// right, so that most mutants are messages still. The contents of blobs and
// texts libFuzzer changes itself.

#include <algorithm>
#include <cstdint>
#include <google/protobuf/unknown_field_set.h>
#include <random>
#include <string>

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

class MessageMutator {
public:
  explicit MessageMutator(unsigned seed) : random(seed) {}

  void message(UnknownFieldSet &fields) {
    uint64_t choice = below(16);
    if (fields.empty() || choice == 0) {
      fields.AddVarint(1 + int(below(20)), number(0));
      return;
    }
    int at = int(below(uint64_t(fields.field_count())));
    if (choice == 1) {
      fields.DeleteSubrange(at, 1);
    } else if (choice == 2) {
      UnknownFieldSet copy;
      copy.AddField(fields.field(at));
      fields.MergeFrom(copy);
    } else {
      field(*fields.mutable_field(at));
    }
  }

private:
  uint64_t below(uint64_t n) { return random() % n; }

  /// Near the old value, a small one, near a power of two, or anything.
  uint64_t number(uint64_t old) {
    uint64_t near = below(3) - 1;
    switch (below(4)) {
    case 0:
      return old + near;
    case 1:
      return below(8);
    case 2:
      return (uint64_t(1) << below(64)) + near;
    default:
      return random();
    }
  }

  void field(UnknownField &field) {
    switch (field.type()) {
    case UnknownField::TYPE_VARINT:
      return field.set_varint(number(field.varint()));
    case UnknownField::TYPE_FIXED64:
      return field.set_fixed64(number(field.fixed64()));
    case UnknownField::TYPE_LENGTH_DELIMITED:
      return content(*field.mutable_length_delimited());
    default:
      return;
    }
  }

  /// A message within the message where it can be one, else a blob.
  void content(std::string &bytes) {
    UnknownFieldSet inner;
    if (!bytes.empty() && below(4) && inner.ParseFromString(bytes)) {
      message(inner);
      inner.SerializeToString(&bytes);
      return;
    }
    size_t used = bytes.size();
    bytes.resize(used + 1 + below(64));
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(bytes.data()),
                                  used, bytes.size()));
  }

  std::mt19937_64 random;
};

} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  UnknownFieldSet fields;
  std::string bytes(reinterpret_cast<char *>(data), size);
  if (fields.ParseFromString(bytes)) {
    MessageMutator mutator(seed);
    // Several small changes reach further than one.
    for (unsigned i = 0; i <= seed % 3; ++i)
      mutator.message(fields);
    if (fields.SerializeToString(&bytes) && bytes.size() <= maxSize) {
      std::copy(bytes.begin(), bytes.end(), data);
      return bytes.size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
