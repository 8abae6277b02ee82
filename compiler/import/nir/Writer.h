// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose file it is: what a training tool's exporter leaves in it.

#ifndef DENDROLITH_COMPILER_IMPORT_NIR_WRITER_H
#define DENDROLITH_COMPILER_IMPORT_NIR_WRITER_H

#include "compiler/import/nir/Dynamics.h"

namespace dendrolith::nir {

/// A file's tool as setTool() takes it, and what it is known by. Without a
/// name, several tools write such a file, or none that is known.
struct Writer {
  std::string tool, sign;
  bool isShared = false; ///< Norse and Sinabs write the same
  /// Tools whose signature it has as well, and that.
  std::vector<std::pair<std::string, std::string>> others = {};
};

/// Finds the tool by the signature of its exporter. A file that says its dt or
/// its producer is no tool's.
Writer writerOf(const Graph &graph);

/// The options of a file: those given, on top of the rule that the file says,
/// or of that of its tool, which is looked for where none is given.
NirOptions optionsFor(const Graph &graph, const NirOptions &given);

/// The length of a step in which a tool's network was trained, in the file's
/// unit; nothing where there is no tool.
std::optional<double> stepOfTool(const Graph &graph, const std::string &tool);

/// Decay factors alone: steps that no file can tell from those of a tool.
bool isOfDecays(const Graph &graph);

/// Throws Findings of all that was assumed, where options are strict.
void refuseAssumptions(const Graph &graph, const Policy &policy);

/// Warns where a rule is a guess, and where a traced network seems to have lost
/// its last layer.
void warnOfWriter(Graph &graph, const Policy &policy);

} // namespace dendrolith::nir

#endif // DENDROLITH_COMPILER_IMPORT_NIR_WRITER_H
