// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading numbers that say where they come from.

#ifndef DENDROLITH_TARGETS_LOADER_YAML_RECORDREADER_H
#define DENDROLITH_TARGETS_LOADER_YAML_RECORDREADER_H

#include "targets/loader/chip/AreaData.h"
#include "targets/loader/chip/Record.h"
#include "targets/loader/yaml/Fields.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dendrolith::yaml {

/// Times in ps above this (one second) are refused: any product with a number
/// of tiles and any sum over a step must fit 64 bits.
constexpr uint64_t maxTime = 1000000000000; // 10^12

using Sources = std::vector<std::pair<std::string, std::string>>;
Sources readSources(const Node &node);

/// The `source` of a record: a key of the file's `sources`.
std::string readSource(const Node &node, const Sources &sources);

/// Reads records {value, unit, kind, source[, note]} of one section and appends
/// their provenance to `out` under `prefix`. A number may say {low, high}
/// beside its value: between them it is known to lie.
class RecordReader {
public:
  RecordReader(const Sources &sources, std::vector<Record> &out,
               std::string prefix)
      : sources(sources), out(out), prefix(std::move(prefix)) {}

  uint64_t number(const Fields &fields, const std::string &key,
                  const std::string &unit, uint64_t min = 0,
                  uint64_t max = maxNumber);
  int64_t integer(const Fields &fields, const std::string &key,
                  const std::string &unit, int64_t min, int64_t max);
  /// A number or the word `unlimited`.
  std::optional<uint64_t> limit(const Fields &fields, const std::string &key,
                                const std::string &unit, uint64_t min = 1);
  bool flag(const Fields &fields, const std::string &key);
  /// A real number, 0 or more: {value, ...}, or {low, high, ...} where it is
  /// not known exactly. With `node` the record may say at which process node
  /// (nm) it holds.
  UnitNumber interval(const Fields &fields, const std::string &key,
                      const std::string &unit,
                      std::optional<uint64_t> *node = nullptr);
  /// A list of numbers that rises strictly.
  std::vector<uint64_t> rising(const Fields &fields, const std::string &key,
                               const std::string &unit, uint64_t max);
  /// A list of distinct words out of `known`.
  std::vector<std::string> words(const Fields &fields, const std::string &key,
                                 const std::vector<std::string> &known,
                                 bool allowEmpty);

  /// The same section one level deeper.
  RecordReader under(const std::string &key) const {
    return RecordReader(sources, out, prefix + "." + key);
  }

private:
  using Parse = std::function<std::string(const Node &, const std::string &)>;
  void record(const Fields &fields, const std::string &key,
              const std::string &unit, const Parse &parse,
              bool mayHaveBand = false);
  /// What all records have; `parts` are the members of one.
  void finish(const Fields &parts, Record record, const std::string &unit);

  const Sources &sources;
  std::vector<Record> &out;
  std::string prefix;
};

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_YAML_RECORDREADER_H
