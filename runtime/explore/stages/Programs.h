// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages `quantise` and `map`: programs of a study's models, each compiled
// once.

#ifndef DENDROLITH_RUNTIME_EXPLORE_STAGES_PROGRAMS_H
#define DENDROLITH_RUNTIME_EXPLORE_STAGES_PROGRAMS_H

#include "runtime/explore/point/Point.h"
#include "runtime/explore/stages/DesignSetup.h"
#include "runtime/explore/stages/StageFolder.h"
#include "runtime/session/ModelRequest.h"
#include "targets/loader/Target.h"
#include "targets/loader/price/CostTable.h"

#include <nlohmann/json_fwd.hpp>

#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dendrolith::explore {

// The chips of a study, each read once, and their cost tables.

class ChipCache {
public:
  /// The chip with these changes, as `dendrolith run --target` makes it. It
  /// stays for a while: some calls later it may be gone. Throws Error as
  /// Target::load() does.
  const Target &chip(const std::string &target,
                     std::initializer_list<const Changes *> changes = {});

  /// The tables that a run of the chip is priced with: one, or both ends of a
  /// band. `prices` are changes of them ("costs.lower.hops_ew"). Throws Error
  /// for a price that no table has.
  const std::vector<CostTable> &
  tables(const Target &chip, const std::string &costs, const Changes &prices);

private:
  std::map<std::string, std::unique_ptr<Target>> chips;
  std::set<std::string> known; ///< prices of chips that have been there
  std::map<std::string, std::vector<CostTable>> priced;
};

/// A mapped program, or why there is none.
struct Mapped {
  image::Program program;
  /// The SHA-256 of all in it that values depend on: not the chip's times and
  /// prices, and not what the mapper tells about itself.
  std::string digest;
  std::string refused; ///< empty where there is a program
  std::optional<Shortage> shortage;
};

/// What a program is made of: a design, and the times and prices that the
/// mapper minimises, which may be those of another one.
struct Wanted {
  DesignSetup design, mapFor;
};

/// Designs with the same text share a stage; a worker had better measure them
/// one after the other. Equal programs come of equal networks.
struct SharedStages {
  std::string network; ///< quantised
  std::string program; ///< mapped
};

class Programs {
public:
  /// `anyOrder`: designs of one quantised network do not follow each other, and
  /// several of those stay in memory.
  Programs(ChipCache &chips, const StageFolder &folder, bool anyOrder)
      : chips(chips), folder(folder), anyOrder(anyOrder) {}

  /// The SHA-256 of all that the program depends on. Throws Error.
  std::string keyOf(const Wanted &wanted);
  /// No file is read for it.
  static SharedStages sharedStagesOf(const Wanted &wanted);

  /// Adds to `effort` what was done for it. Throws Error for a request that
  /// contradicts itself.
  std::shared_ptr<const Mapped> program(const Wanted &wanted, Effort &effort);

  /// What a model runs on: the first samples of its files.
  const session::LoadedInputs &inputsOf(const DesignSetup &setup);

  /// The SHA-256 of a file, which is read once.
  std::string hashOf(const std::string &path);
  /// The SHA-256 of the files of arguments, which are FILE or NAME=FILE.
  nlohmann::ordered_json hashesOf(const std::vector<std::string> &arguments);

private:
  /// A model, quantised as the last one of its programs was.
  struct Model {
    session::LoadedModel loaded;
    bool calibrated = false;
    std::string quantised, mapped; ///< what for, by keys
  };
  nlohmann::ordered_json contentOf(const DesignSetup &setup);
  nlohmann::ordered_json flagsOf(const DesignSetup &setup);
  session::ModelRequest requestOf(const Wanted &wanted) const;
  std::string quantiseKeyOf(const DesignSetup &setup);
  Model &modelOf(const DesignSetup &setup, const std::string &quantised);
  bool quantise(Model &model, const Wanted &wanted, const std::string &key);
  void compile(const Wanted &wanted, const std::string &key, Mapped &mapped,
               Effort &effort);
  void remember(const std::string &key, std::shared_ptr<const Mapped> mapped);

  ChipCache &chips;
  const StageFolder &folder;
  const bool anyOrder;
  /// By what is loaded, the last one used first.
  std::map<std::string, std::list<Model>> models;
  std::map<std::string, std::string> hashes;
  std::vector<std::pair<std::string, std::shared_ptr<const Mapped>>> recent;
};

} // namespace dendrolith::explore

#endif // DENDROLITH_RUNTIME_EXPLORE_STAGES_PROGRAMS_H
