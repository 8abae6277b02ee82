// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith explore`: a study measured into a store, and a store looked at.

#include "runtime/driver/Commands.h"
#include "runtime/driver/Explore.h"
#include "runtime/driver/ProgressLine.h"
#include "runtime/explore/analysis/StageUse.h"
#include "runtime/explore/ask/AskFolder.h"
#include "runtime/explore/store/VerifyStore.h"
#include "runtime/explore/study/ReadStudy.h"
#include "runtime/explore/workers/Claims.h"
#include "runtime/explore/workers/Interrupts.h"
#include "runtime/explore/workers/RunWorkers.h"
#include "runtime/explore/workers/Slurm.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <thread>

namespace dendrolith::driver {
namespace {

using namespace explore;

struct ExploreFlags {
  std::string what, out, slurm, shard;
  unsigned jobs = 0;
  uint64_t tasks = 0;
  bool dryRun = false, yes = false, status = false, verify = false;
  std::vector<std::string> again;
};

/// "I/N": I below N.
void readShard(const std::string &text, RunOptions &options) {
  const size_t slash = text.find('/');
  const bool good =
      slash != std::string::npos &&
      CLI::detail::lexical_cast(text.substr(0, slash), options.part) &&
      CLI::detail::lexical_cast(text.substr(slash + 1), options.parts) &&
      options.part < options.parts;
  if (!good)
    throw Error("--shard: expected I/N with I below N, found '" +
                printable(text) + "'");
}

std::string countsOf(const std::vector<StoredPoint> &points) {
  std::map<State, uint64_t> counts;
  for (const StoredPoint &stored : points)
    ++counts[stored.point.state];
  std::string text;
  for (const auto &[state, count] : counts)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", count, nameOf(state));
  return text.empty() ? "no point" : text;
}

void printStatus(const Store &store) {
  const auto points = store.points();
  // What an outside optimiser will ask for is not known.
  const bool listed = store.study().strategy.form != Strategy::Form::Ask;
  const uint64_t left = listed ? store.designs().size() - points.size() : 0;
  std::printf(
      "%s: %s, %s\n", store.study().name.c_str(), countsOf(points).c_str(),
      left ? fmt::format("{} to be measured", left).c_str() : "all measured");
  // The reason that is met most says what to look at first.
  std::map<std::pair<State, std::string>, uint64_t> reasons;
  for (const StoredPoint &stored : points)
    if (stored.point.state != State::Done)
      ++reasons[{stored.point.state, stored.point.reason}];
  std::vector<std::pair<uint64_t, std::string>> lines;
  for (const auto &[reason, count] : reasons)
    lines.emplace_back(count, fmt::format("{}: {}", nameOf(reason.first),
                                          printable(reason.second, 160)));
  std::stable_sort(
      lines.begin(), lines.end(),
      [](const auto &a, const auto &b) { return a.first > b.first; });
  for (size_t i = 0; i < std::min<size_t>(lines.size(), 5); ++i)
    std::printf("  %llu %s\n", static_cast<unsigned long long>(lines[i].first),
                lines[i].second.c_str());
  const std::string stages = textOf(stageUseOf(points));
  if (!stages.empty())
    std::printf("stages done, the others reused: %s\n", stages.c_str());
  const auto workers = Claims(store.folder()).others();
  if (!workers.empty())
    std::printf("being measured by %s\n",
                fmt::format("{}", fmt::join(workers, ", ")).c_str());
}

/// Whether nothing is wrong.
void printVerified(const Store &store) {
  const Verified found = verify(store);
  for (const std::string &problem : found.problems)
    std::fprintf(stderr, "%s\n", problem.c_str());
  if (!found.problems.empty())
    throw Error(fmt::format("{}: {} of its files {} wrong; {} points are right",
                            store.folder(), found.problems.size(),
                            found.problems.size() == 1 ? "is" : "are",
                            found.points));
  std::printf("%s: %llu points, all right\n", store.folder().c_str(),
              static_cast<unsigned long long>(found.points));
}

void printDesigns(const Study &study) {
  const Designs designs(study);
  auto several = [](size_t count, const char *what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  };
  std::printf("%s: %s, %s, %s engine\n", study.name.c_str(),
              several(study.models.size(), "model").c_str(),
              several(study.targets.size(), "target").c_str(),
              study.engine.c_str());
  for (const Axis &axis : study.axes)
    std::printf("  %s: %s\n", axis.name.c_str(),
                axis.values.size() <= 8
                    ? fmt::format("{}", fmt::join(axis.values, ", ")).c_str()
                    : fmt::format("{} values, {} to {}", axis.values.size(),
                                  axis.values.front(), axis.values.back())
                          .c_str());
  uint64_t excluded = 0;
  for (uint64_t i = 0; i < designs.size(); ++i)
    excluded += !!designs.excluded(designs.at(i));
  std::printf("%llu designs, of which 'where' excludes %llu\n",
              static_cast<unsigned long long>(designs.size()),
              static_cast<unsigned long long>(excluded));
}

std::set<State> statesOf(const std::vector<std::string> &names) {
  std::set<State> states;
  for (const std::string &name : names)
    states.insert(stateOf(name).value());
  return states;
}

/// What is left, and how to go on.
void printEnd(const Store &store, const RunEnd &end, bool isPart) {
  std::printf(
      "%llu points measured in %.1f s (%.0f a minute), %llu were there\n",
      static_cast<unsigned long long>(end.measured), end.seconds,
      end.seconds > 0 ? double(end.measured) / end.seconds * 60 : 0,
      static_cast<unsigned long long>(end.before));
  if (end.left && !isPart) {
    const std::string how =
        fmt::format("`dendrolith explore {}` goes on with the "
                    "{} that are left",
                    store.folder(), end.left);
    if (end.stopped)
      throw Error("stopped by a signal; " + how);
    std::printf("%s; %s\n",
                end.outOfTime ? "the budget of seconds is over" : "not all",
                how.c_str());
    return;
  }
  if (!isPart)
    printStatus(store);
}

MakeMeter meterOf(const Store &store) {
  return [&store] {
    auto measurer =
        std::make_shared<Measurer>(store.study(), store.folder() + "/stages");
    return Meter{
        [=](const Design &design) { return measurer->groupOf(design); },
        [=](const Design &design) { return measurer->measure(design); }};
  };
}

/// Answers an outside optimiser until it says that it is done.
void answerOptimiser(const Store &store, const RunOptions &options) {
  Interrupts interrupts;
  AskServer server;
  server.measure = [&](const std::vector<Design> &designs) {
    const DesignList list = {designs.size(),
                             [&](uint64_t i) { return designs[i]; }};
    return !runWorkers(store, list, meterOf(store), options).stopped;
  };
  server.points = [&](const std::vector<Design> &designs) {
    return store.points(designs);
  };
  server.stopped = [&] { return interrupts.count() > 0; };
  server.say = options.say;
  serveAsks(store.study(), server);
  printStatus(store);
}

void measure(const Store &store, const ExploreFlags &flags) {
  RunOptions options;
  options.jobs = flags.jobs ? flags.jobs
                            : std::max(1u, std::thread::hardware_concurrency());
  options.again = statesOf(flags.again);
  if (!flags.shard.empty())
    readShard(flags.shard, options);
  options.say = [](const std::string &text) {
    std::fprintf(stderr, "%s\n", text.c_str());
  };
  if (store.study().strategy.form == Strategy::Form::Ask)
    return answerOptimiser(store, options);
  RunEnd end;
  {
    ProgressLine line("exploring");
    options.progress = [&](uint64_t done, uint64_t total) {
      line.show(done, total);
    };
    end = runWorkers(store, allDesigns(store), meterOf(store), options);
  }
  printEnd(store, end, options.parts > 1);
}

/// Whether there was something to show.
bool showViews(const Store &store, const std::vector<ExploreView> &views) {
  bool shown = false;
  for (const ExploreView &view : views)
    shown = view(store) || shown;
  return shown;
}

void explore(const ExploreFlags &flags, const std::vector<ExploreView> &views) {
  const bool isFolder = std::filesystem::is_directory(flags.what);
  if (isFolder && !flags.out.empty())
    throw Error(flags.what + ": is a store already; --out is for a study's "
                             "file");
  if (!isFolder && flags.dryRun) {
    StudySource source = sourceOf(flags.what);
    source.manyPoints = flags.yes;
    return printDesigns(readStudy(source));
  }
  if (!isFolder && flags.out.empty())
    throw CLI::RequiredError("--out");
  if (!isFolder && (flags.status || flags.verify))
    throw Error("--status and --verify look at a folder that was begun: "
                "`dendrolith explore " +
                flags.out + " --status`");
  const std::string folder = isFolder ? flags.what : flags.out;
  if (isFolder) {
    const Store store(folder);
    if (flags.dryRun)
      return printDesigns(store.study());
    if (flags.status)
      return printStatus(store);
    if (flags.verify)
      return printVerified(store);
    if (showViews(store, views))
      return;
  }
  const Store store = isFolder ? Store::again(folder)
                               : Store::of(flags.what, folder, flags.yes);
  if (!flags.slurm.empty()) {
    if (store.study().strategy.form == Strategy::Form::Ask)
      throw Error("an outside optimiser's designs are measured on this "
                  "machine; leave --slurm out");
    const Submitted job =
        submit(store, {std::filesystem::read_symlink("/proc/self/exe").string(),
                       flags.slurm, flags.tasks});
    std::printf("job %s with %llu tasks; `dendrolith explore %s --status` says "
                "how far it is\n",
                job.job.c_str(), static_cast<unsigned long long>(job.tasks),
                folder.c_str());
    return;
  }
  measure(store, flags);
  showViews(store, views);
}

} // namespace

void addExplore(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "explore", "Measure the designs of a study, and look at them");
  command->footer("Example: dendrolith explore study.yaml -o STUDY --jobs 2");
  auto flags = std::make_shared<ExploreFlags>();
  command
      ->add_option("WHAT", flags->what,
                   "A study (.yaml), or the folder of one that was begun")
      ->required()
      ->check(CLI::ExistingPath);
  command->add_option("-o,--out", flags->out,
                      "Folder for the points of a study");
  command
      ->add_option("--jobs", flags->jobs,
                   "Worker processes; 0 = one per processor")
      ->capture_default_str();
  command->add_flag("--dry-run", flags->dryRun,
                    "Say which designs there are, and measure none");
  command->add_flag("--yes", flags->yes,
                    "More than a million points are meant");
  command
      ->add_option("--again", flags->again,
                   "Measure points again that ended so: unfit, invalid, failed "
                   "or timeout, separated by commas")
      ->delimiter(',')
      ->check(CLI::IsMember({"unfit", "invalid", "failed", "timeout"}));
  CLI::Option *slurm = command->add_option(
      "--slurm", flags->slurm,
      "Submit a Slurm job array; the text goes to sbatch (\"-p main "
      "--mem=2G\")");
  command
      ->add_option("--tasks", flags->tasks,
                   "Tasks of that array (else 40 at "
                   "the most)")
      ->check(CLI::PositiveNumber)
      ->needs(slurm);
  command->add_option("--shard", flags->shard, "I/N: task I of N of an array")
      ->group("");
  CLI::Option *status =
      command->add_flag("--status", flags->status, "How far a study is");
  command
      ->add_flag("--verify", flags->verify,
                 "Look for files that are corrupt, foreign or half-written")
      ->excludes(status);
  const std::vector<ExploreView> views = {addViews(*command),
                                          addPage(*command)};
  command->callback([flags, views] { explore(*flags, views); });
}

} // namespace dendrolith::driver
