// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the program image as JSON: the names and the order of the fields are
// those of runtime/image/program.proto, so that they are written down once.

#ifndef DENDROLITH_SIMULATOR_REPORT_RESULT_MESSAGEJSON_H
#define DENDROLITH_SIMULATOR_REPORT_RESULT_MESSAGEJSON_H

#include <google/protobuf/message.h>
#include <nlohmann/json.hpp>

namespace dendrolith::report {

/// Every field of the message, set or not, in the order of the declaration.
nlohmann::ordered_json toJson(const google::protobuf::Message &message);

/// An array of the messages of a repeated field.
template <typename Repeated>
nlohmann::ordered_json rowsToJson(const Repeated &messages) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto &message : messages)
    rows.push_back(toJson(message));
  return rows;
}

} // namespace dendrolith::report

#endif // DENDROLITH_SIMULATOR_REPORT_RESULT_MESSAGEJSON_H
