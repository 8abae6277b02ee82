// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chip by name or from text, and the changes that a user may ask for.

#ifndef DENDROLITH_TARGETS_LOADER_TARGET_H
#define DENDROLITH_TARGETS_LOADER_TARGET_H

#include "targets/loader/chip/Chip.h"
#include "targets/support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace dendrolith {

/// A validated chip description. It is a value and may be copied freely.
class Target : public Chip {
public:
  /// Loads a target by name ("loihi1"), which is looked up as Discovery.h says,
  /// or by path. Changes may follow, as set() takes them, and are checked
  /// together: "loihi2,mesh.tiles_x=19,mesh.tiles_y=2". Throws Error with
  /// file:line:column.
  static Target load(const std::string &nameOrPath);

  /// Reads a target from text; `filename` is used in messages and to find cost
  /// tables. Text with a `base` holds only what differs from that other target;
  /// yamlText then holds all of it.
  static Target parse(const std::string &text, const std::string &filename);

  /// Lifts one limit by its name in the file ("compartments_per_core",
  /// "registers") and records it in overriddenLimits. Throws Error naming those
  /// known.
  void overrideLimit(const std::string &limit);

  /// Replaces one number, flag or list by its place in the file: the name of a
  /// record of the chip ("mesh.tiles_x"), "timing.<set>." and the name of a
  /// record of that set ("timing.scaled.microcode.cycles.mac"), or
  /// "costs.<table>." and an event or `static` ("costs.davies2018.hops_ew").
  /// Words of a list are joined by + ("add+max"; "none" for no word), bands
  /// also take both ends ("0.5..0.7"), limits `unlimited` and prices
  /// `unpriced`. What describes an engine goes with it. The record becomes
  /// `assumed`, its source "command line", and yamlText and hash are those of
  /// the changed chip, in which a cost table finds its changed prices when it
  /// is loaded. Throws Error, and changes nothing, when there is no such number
  /// or the value is not allowed there.
  void set(const std::string &key, const std::string &value);
};

/// The names of those targets whose cores have an instruction. A file that
/// cannot be read is left out: it is no answer to this question.
std::vector<std::string> targetsWith(MicroOp op);

// One chip for all stages of a compilation.

/// A chip by name, which copies of this handle share: its file is read when the
/// first of them asks, and never again. A file that changes while a network is
/// compiled thus cannot give a program of two chips. May be asked from several
/// threads.
class SharedTarget {
public:
  SharedTarget() = default; ///< of no chip
  /// A name or a file, as Target::load() takes it. Reads nothing yet.
  explicit SharedTarget(std::string nameOrPath);

  explicit operator bool() const { return state != nullptr; }
  const std::string &name() const;
  /// Throws Error where Target::load() does.
  const Target &get() const;

  /// get(); a handle of no chip becomes one of `nameOrPath` first.
  const Target &getOr(const std::string &nameOrPath);

private:
  struct State;
  std::shared_ptr<State> state;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_TARGET_H
