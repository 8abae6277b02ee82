// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to run and what comes of it.

#ifndef DENDROLITH_RUNTIME_SESSION_RUNREQUEST_H
#define DENDROLITH_RUNTIME_SESSION_RUNREQUEST_H

#include "runtime/host/OutputDirectory.h"
#include "runtime/host/StartRanks.h"
#include "runtime/session/Expected.h"
#include "runtime/session/ModelRequest.h"
#include "runtime/session/Recording.h"

#include "simulator/options/RunOptions.h"
#include "targets/loader/price/CostTable.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace dendrolith::session {

struct Prepared;

/// What to run and what to look at. Empty texts ask for nothing.
struct RunRequest {
  ModelRequest model;
  /// A program image (.dlp) or a model.
  std::string path;
  /// The model of `path`, imported and compiled before, so that many runs share
  /// that work; `model` then says only which steps are run. May be null.
  std::shared_ptr<const Prepared> prepared;
  /// What digest a program image must have, and what the events of its chip
  /// cost where `costs` names nothing: those of when it was held. Empty and
  /// null: as they are now.
  std::string programDigest;
  std::shared_ptr<const std::vector<CostTable>> prices;
  /// For a program image: the model that it was compiled from.
  std::string modelPath;
  /// Files with the inputs, "X.npy" or "NAME=X.npy"; a study network brings its
  /// own.
  std::vector<std::string> inputs;
  /// "float", "reference", "functional" or "cycle".
  std::string engine = "functional";
  /// Names of a timing set and of a cost table of the chip.
  std::string timing, costs;
  /// What to record: "NODE[:STATE],...".
  std::string traces;
  /// A file of answers, and how answers are judged ("r2:mean").
  std::string labels, metric;
  /// Another engine, "float" or "reference", to compare with.
  std::string compare;
  /// Both recorded and compared layer by layer, too.
  bool byLayer = false;
  /// A file of arrays that the run must give.
  std::string expected;
  /// The run again in the reference interpreter, every value equal.
  bool verify = false;
  /// The run in time, for a picture (cycle engine).
  sim::TimelineRequest timeline;
  /// The SHA-256 of a compiled program: a walk over all of its tables.
  bool digest = true;
  /// Samples at a time in the engines of a chip; 0 is one per processor.
  unsigned threads = 0;
  /// Whether neurons' programs, and step bodies in the float engine, become
  /// machine code: "auto" is in a run that is long enough to pay for it, "on"
  /// in every run, "off" never.
  std::string jit = "auto";
  /// An output of more values than this is not held in memory: it is written as
  /// the run goes, where it is the only one into outputs.npy of `out`, else
  /// into a file without a name there or, without `out`, in the system's folder
  /// for temporary files. RunOutcome has it in such a file then. Where all
  /// traces together have more, they are written into traces.npz of `out`, but
  /// for those of the float and the reference engine and those that are
  /// compared.
  uint64_t keptValues = UINT64_MAX;
  OutputDirectory *out = nullptr;
  /// The processes that run this together, of which the first returns and the
  /// others throw RankedCommand::Done. Null: this one alone.
  RankedCommand *ranked = nullptr;
  /// Flags given that those processes must have in common, as text.
  std::string commonFlags;
  /// Flags given that a compiled program cannot follow, as text for the error,
  /// and whether a target was.
  std::string modelFlags;
  bool targetGiven = false;

  bool isProgram() const { return endsWith(".dlp"); }
  bool isArchive() const { return endsWith(".npz"); }
  bool endsWith(const std::string &ending) const {
    return path.size() > ending.size() &&
           path.compare(path.size() - ending.size(), ending.npos, ending) == 0;
  }
};

/// What a run leaves behind.
struct RunOutcome {
  Recording recording;
  nlohmann::ordered_json result; ///< the content of result.json
  nlohmann::ordered_json tables; ///< that of tables.json: what is long
  std::string report;            ///< the same for people, lines of text
  std::string brief;             ///< ten of them
  /// The class of each answer; empty where answers are no classes.
  std::vector<int64_t> predicted;
  /// Answers of a sample, where it answers at each tick.
  std::optional<uint64_t> predictedTicks;
  /// Inputs had no axis of samples, so that outputs need none.
  bool single = false;
  sim::Timeline timeline; ///< where it was asked for
  /// How the run compares with RunRequest::expected, where it is given. A
  /// difference is no Error: everything else is there all the same.
  std::optional<Expected::Outcome> expected;
};

/// Throws Error for a request that contradicts itself, before anything is read.
void check(const RunRequest &request);

} // namespace dendrolith::session

#endif // DENDROLITH_RUNTIME_SESSION_RUNREQUEST_H
