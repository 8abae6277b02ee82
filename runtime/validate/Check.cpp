// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This checks what holds for every field of the image. It finds them by
// reflection, so that a new field cannot be forgotten.

#include "runtime/validate/Check.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cmath>
#include <fmt/format.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/unknown_field_set.h>

using namespace dendrolith;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

namespace {
/// The way from the program to a field, written out on failure only.
struct Step {
  const Step *parent;
  const FieldDescriptor *field;
  int index; // -1 if the field is not repeated
};
} // namespace

static std::string pathText(const Step *step) {
  if (!step)
    return "program";
  std::string text = step->parent ? pathText(step->parent) + "." : "";
  text += step->field->name();
  return step->index < 0 ? text : fmt::format("{}[{}]", text, step->index);
}

/// Names and notes come back in messages and reports; only the chip's
/// description has lines.
static void checkText(const std::string &text, const Step &step) {
  if (utf8Prefix(text) != text.size())
    throw Error(pathText(&step) + ": expected UTF-8, found other bytes");
  if (step.field->number() == image::Program::kTargetYamlFieldNumber &&
      !step.parent)
    return;
  for (unsigned char c : text)
    if (c < 0x20 || c == 0x7f)
      throw Error(fmt::format("{}: expected text without control characters, "
                              "found byte {}",
                              pathText(&step), c));
}

static void checkMessage(const Message &message, const Step *parent) {
  const google::protobuf::Reflection *reflection = message.GetReflection();
  if (!reflection->GetUnknownFields(message).empty())
    throw Error(fmt::format(
        "{}: field number {} is not known to this version", pathText(parent),
        reflection->GetUnknownFields(message).field(0).number()));

  std::vector<const FieldDescriptor *> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor *field : fields) {
    bool repeated = field->is_repeated();
    bool isText = field->type() == FieldDescriptor::TYPE_STRING;
    FieldDescriptor::CppType type = field->cpp_type();
    if (!isText && type != FieldDescriptor::CPPTYPE_MESSAGE &&
        type != FieldDescriptor::CPPTYPE_DOUBLE &&
        type != FieldDescriptor::CPPTYPE_ENUM)
      continue;
    int size = repeated ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < size; ++i) {
      Step step{parent, field, repeated ? i : -1};
      if (type == FieldDescriptor::CPPTYPE_MESSAGE) {
        checkMessage(repeated
                         ? reflection->GetRepeatedMessage(message, field, i)
                         : reflection->GetMessage(message, field),
                     &step);
      } else if (isText) {
        std::string scratch;
        checkText(
            repeated ? reflection->GetRepeatedStringReference(message, field, i,
                                                              &scratch)
                     : reflection->GetStringReference(message, field, &scratch),
            step);
      } else if (type == FieldDescriptor::CPPTYPE_DOUBLE) {
        double value = repeated
                           ? reflection->GetRepeatedDouble(message, field, i)
                           : reflection->GetDouble(message, field);
        if (!std::isfinite(value))
          throw Error(fmt::format("{}: expected a finite number, found {}",
                                  pathText(&step), value));
      } else {
        int value = repeated
                        ? reflection->GetRepeatedEnumValue(message, field, i)
                        : reflection->GetEnumValue(message, field);
        if (!field->enum_type()->FindValueByNumber(value))
          throw Error(fmt::format("{}: {} is no {}", pathText(&step), value,
                                  field->enum_type()->name()));
      }
    }
  }
}

void check::checkFields(const Message &message) {
  checkMessage(message, nullptr);
}

std::string check::named(const char *what, const std::string &name) {
  return fmt::format("{} '{}'", what, printable(name));
}

void check::checkName(const std::string &place, const std::string &name) {
  if (name.empty())
    throw Error(place + ": expected a name, found an empty one");
  if (name.size() > kMaxName)
    throw Error(fmt::format("{}: expected a name of at most {} bytes, found {}",
                            place, kMaxName, name.size()));
}

uint64_t
check::checkShape(const std::string &place,
                  const google::protobuf::RepeatedField<uint64_t> &shape) {
  if (shape.size() > kMaxRank)
    throw Error(fmt::format("{}: expected a shape of at most {} axes, found {}",
                            place, kMaxRank, shape.size()));
  uint64_t product = 1;
  for (uint64_t dimension : shape) {
    if (dimension == 0)
      throw Error(place + ": expected a shape of positive sizes, found a 0");
    if (dimension > kMaxAccumulators / product)
      throw Error(fmt::format("{}: expected a shape of at most {} elements, "
                              "found more",
                              place, kMaxAccumulators));
    product *= dimension;
  }
  return product;
}
