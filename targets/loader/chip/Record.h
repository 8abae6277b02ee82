// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a number comes from. Every number of a chip or cost file carries a
// kind and a source; the plain structs of Target.h keep the bare values and the
// records keep the provenance, for printing and for hashing.

#ifndef DENDROLITH_TARGETS_LOADER_CHIP_RECORD_H
#define DENDROLITH_TARGETS_LOADER_CHIP_RECORD_H

#include <string>

namespace dendrolith {

/// How a number was obtained.
enum class Provenance {
  Measured,   // on silicon
  Fitted,     // regression against silicon
  PreSilicon, // published before silicon, from simulation of the circuit
  Derived,    // computed from published numbers
  Scaled,     // carried over from another process node or voltage
  Inherited,  // taken unchanged from another table
  Assumed     // no public source: our choice
};

/// The word used in the files: "measured", "pre-silicon", ...
const char *toString(Provenance kind);

/// One number with its provenance, as written in the file.
struct Record {
  std::string name;  // dotted path, "limits.compartments_per_core"
  std::string value; // as written: "1024", "unlimited", "[0, 6, 7]"
  std::string unit;  // "ps", "pJ", "words", ...; empty for flags and lists
  Provenance kind = Provenance::Assumed;
  std::string source; // key into the file's `sources`
  /// The ends between which a number is known to lie, where it has such; the
  /// value is the one that is used.
  std::string low = "", high = "";
};

/// A number that was changed: its key as Target::set() takes it, what it is and
/// what it was before the first change.
struct Override {
  std::string key, value, was;
};

} // namespace dendrolith

#endif // DENDROLITH_TARGETS_LOADER_CHIP_RECORD_H
