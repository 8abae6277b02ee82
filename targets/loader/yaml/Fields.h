// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strict reading of the YAML tree: every key is expected, every value has one
// type. RecordReader.h adds the numbers with unit, kind and source.

#ifndef DENDROLITH_TARGETS_LOADER_YAML_FIELDS_H
#define DENDROLITH_TARGETS_LOADER_YAML_FIELDS_H

#include "targets/loader/chip/Record.h"
#include "targets/loader/yaml/Yaml.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dendrolith::yaml {

/// Times and counts above this are refused: sums of many must fit 64 bits.
constexpr uint64_t maxNumber = 1000000000000000; // 10^15

/// A map whose keys have been checked: all required ones are there, all others
/// are optional ones.
class Fields {
public:
  Fields(const Node &node, const std::string &what,
         std::vector<std::string> required,
         const std::vector<std::string> &optional = {});

  const Node &at(const std::string &key) const;   // of a required key
  const Node *find(const std::string &key) const; // null when absent
  const Node &node() const { return map; }

private:
  const Node &map;
};

std::string readText(const Node &node, const std::string &what);
bool readFlag(const Node &node, const std::string &what);
uint64_t readUnsigned(const Node &node, const std::string &what, uint64_t min,
                      uint64_t max);
int64_t readInteger(const Node &node, const std::string &what, int64_t min,
                    int64_t max);
/// Finite, >= 0, <= maxNumber, written in decimal.
double readReal(const Node &node, const std::string &what);
Provenance readKind(const Node &node);
/// One of `words`.
std::string readWord(const Node &node, const std::string &what,
                     const std::vector<std::string> &words);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_YAML_FIELDS_H
