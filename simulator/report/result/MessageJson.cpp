// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "simulator/report/result/MessageJson.h"

#include <nlohmann/json.hpp>

#include <google/protobuf/descriptor.h>

#include <stdexcept>

namespace dendrolith::report {

using Json = nlohmann::ordered_json;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// A field that is not repeated.
static Json single(const Message &message, const FieldDescriptor &field) {
  const Reflection &of = *message.GetReflection();
  switch (field.cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT32:
    return of.GetInt32(message, &field);
  case FieldDescriptor::CPPTYPE_INT64:
    return of.GetInt64(message, &field);
  case FieldDescriptor::CPPTYPE_UINT32:
    return of.GetUInt32(message, &field);
  case FieldDescriptor::CPPTYPE_UINT64:
    return of.GetUInt64(message, &field);
  case FieldDescriptor::CPPTYPE_DOUBLE:
    return of.GetDouble(message, &field);
  case FieldDescriptor::CPPTYPE_BOOL:
    return of.GetBool(message, &field);
  case FieldDescriptor::CPPTYPE_STRING:
    return of.GetString(message, &field);
  case FieldDescriptor::CPPTYPE_MESSAGE:
    return toJson(of.GetMessage(message, &field));
  case FieldDescriptor::CPPTYPE_FLOAT:
  case FieldDescriptor::CPPTYPE_ENUM:
    break; // no row has one
  }
  throw std::logic_error("field " + field.full_name() +
                         " has a type that rows do not have");
}

/// A repeated field, of rows within a row.
static Json repeated(const Message &message, const FieldDescriptor &field) {
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
    throw std::logic_error("field " + field.full_name() +
                           " repeats what is no row");
  const Reflection &of = *message.GetReflection();
  Json rows = Json::array();
  for (int i = 0; i < of.FieldSize(message, &field); ++i)
    rows.push_back(toJson(of.GetRepeatedMessage(message, &field, i)));
  return rows;
}

Json toJson(const Message &message) {
  Json json = Json::object();
  const auto &descriptor = *message.GetDescriptor();
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor &field = *descriptor.field(i);
    json[field.name()] =
        field.is_repeated() ? repeated(message, field) : single(message, field);
  }
  return json;
}

} // namespace dendrolith::report
