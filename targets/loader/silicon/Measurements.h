// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What somebody measured on a chip, as a file says it: a row for each number,
// with its source and with the network that it was measured on, so that it can
// be held against what is predicted. targets/silicon has those that are
// shipped.

#ifndef DENDROLITH_TARGETS_LOADER_SILICON_MEASUREMENTS_H
#define DENDROLITH_TARGETS_LOADER_SILICON_MEASUREMENTS_H

#include "targets/loader/silicon/Quantities.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dendrolith::silicon {

/// Where a number was published, and under which licence its files are.
struct Publication {
  std::string key, citation, repository, commit, licence;
};

/// A file of others. The user fetches it.
struct FetchedFile {
  std::string name; ///< in the folder of fetched files
  Publication from;
  std::string path; ///< in the repository
  std::string sha256, place;
};

/// Neurons of a population on consecutive cores, as a vendor's tool deals them:
/// so many columns of every feature map on each.
struct ColumnSplit {
  std::string population;
  uint64_t first = 0, channels = 1, rows = 1, columns = 1;
  uint64_t perCore = 1, firstCore = 0;
};

/// A network and what it is run on. Exactly one of `shipped`, `generate` and
/// `fetched` says where it comes from.
struct Workload {
  std::string name, place;
  std::string shipped;          ///< file beside that of the measurements
  std::string generate;         ///< options of `dendrolith generate`
  std::string fetched;          ///< name of a FetchedFile
  std::string run;              ///< options of `dendrolith run`
  std::vector<uint64_t> silent; ///< shape of an input of zeros, steps first
  std::vector<ColumnSplit> split;
  uint64_t firstStep = 0; ///< steps before it are a ramp
  std::string standsFor;  ///< how it differs from what was measured
};

struct Measurement {
  std::string id, chip, board, place;
  std::string workload; ///< empty where there is nothing to run
  std::string because;  ///< why the row is not rebuilt; else empty
  Quantity quantity = Quantity::Other;
  std::string what;                     ///< the quantity as the file names it
  std::string counter;                  ///< name of a counter
  uint64_t firstCore = 0, lastCore = 0; ///< of a counter
  std::optional<uint64_t> phase; ///< of a time: steps that are this modulo
  uint64_t period = 1;           ///< this
  double value = 0;              ///< in ns, pJ, mW or 1; as written for Other
  double uncertainty = 0;        ///< of reading or of several runs, as value
  std::string unit;              ///< as written
  double scale = 1;              ///< of that unit in the unit of value
  uint64_t runs = 1;
  std::string scope, excludes, where, read, note;
  Publication source;

  /// Whether the scope has what is modelled and no more.
  bool isModelled() const { return scope == "cores" || scope == "chip"; }
};

struct Measurements {
  std::string filename;
  std::vector<FetchedFile> files;
  std::vector<Workload> workloads;
  std::vector<Measurement> rows;

  const Workload &workload(const std::string &name) const;
  const FetchedFile &file(const std::string &name) const;
};

/// Reads a file. Throws Error with file:line:column.
Measurements readMeasurements(const std::string &filename);
Measurements parseMeasurements(const std::string &text,
                               const std::string &filename);

/// The shipped files, and those in the folders of $DENDROLITH_TARGETS.
std::vector<std::string> shippedMeasurements();

} // namespace dendrolith::silicon

#endif // DENDROLITH_TARGETS_LOADER_SILICON_MEASUREMENTS_H
