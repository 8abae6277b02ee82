// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// KEY=VALUE: numbers of a chip, and prices of its cost tables, that a user
// changes. All of it works on the tree, so that the outcome is a whole file.

#ifndef DENDROLITH_TARGETS_LOADER_FILES_OVERRIDE_H
#define DENDROLITH_TARGETS_LOADER_FILES_OVERRIDE_H

#include "targets/loader/chip/Record.h"
#include "targets/loader/yaml/Yaml.h"

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::yaml {

/// Changes the value of the record at `key` (dotted, as in the file) and marks
/// it as assumed, from the command line; returns what it was, or nothing where it
/// has this value already and stays as it is. `records` tell the unit of a
/// limit that was `unlimited`. Throws Error when there is no such record; the
/// value itself is not checked. What describes an engine goes with it.
std::optional<std::string> replaceRecord(Node &root,
                                         const std::vector<Record> &records,
                                         const std::string &key,
                                         const std::string &value);

/// The same for the price of an event, or for `static`, in the tree of a cost
/// table. An event whose group is decided as a whole is taken out of it.
std::string replacePrice(Node &table, const std::string &event,
                         const std::string &value);

/// The `overrides` of a chip's tree.
std::vector<Override> readOverrides(const Node &node);

/// Adds a change to the tree, or gives that of the same key its new value.
void addOverride(Node &root, const Override &change);

} // namespace dendrolith::yaml

#endif // DENDROLITH_TARGETS_LOADER_FILES_OVERRIDE_H
