// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith explore`: a study measured into a store, and a store looked at.

#include "runtime/driver/Command.h"
#include "runtime/driver/ExploreModel.h"
#include "runtime/driver/ExploreViews.h"
#include "runtime/driver/OutputFiles.h"
#include "runtime/driver/Terminal.h"
#include "runtime/explore/analysis/StageUse.h"
#include "runtime/explore/ask/AskFolder.h"
#include "runtime/explore/store/VerifyStore.h"
#include "runtime/explore/study/ReadStudy.h"
#include "runtime/explore/workers/Claims.h"
#include "runtime/explore/workers/RunWorkers.h"
#include "runtime/explore/workers/Slurm.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <thread>

namespace dendrolith::driver {
namespace {

using namespace explore;

struct ExploreFlags {
  std::string what, out, slurm;
  unsigned jobs = 0;
  bool dryRun = false, status = false, audit = false;
  std::vector<std::string> again;
  ModelToExplore model; ///< in place of a study, where it has axes
  ViewFlags views;
};

bool readNumber(const std::string &text, uint64_t &number) {
  const char *end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

/// "I/N", I below N: the task of an array that this process is. Its script says
/// so (Slurm.cpp), nobody else has a use for it.
void readShard(RunOptions &options) {
  const char *given = std::getenv("DENDROLITH_SHARD");
  const std::string text = given ? given : "0/1";
  const size_t slash = text.find('/');
  const bool good = slash != std::string::npos &&
                    readNumber(text.substr(0, slash), options.part) &&
                    readNumber(text.substr(slash + 1), options.parts) &&
                    options.part < options.parts;
  if (!good)
    throw Error("DENDROLITH_SHARD: expected I/N with I below N, found '" +
                printable(text) + "'");
}

std::string countsOf(const std::vector<StoredPoint> &points) {
  std::map<PointState, uint64_t> counts;
  for (const StoredPoint &stored : points)
    ++counts[stored.point.state];
  std::string text;
  for (const auto &[state, count] : counts)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", count, nameOf(state));
  return text.empty() ? "no point" : text;
}

void printStatus(const Store &store) {
  const auto points = store.points(/*withEffort=*/true);
  const uint64_t left = designsLeft(store, points);
  std::printf(
      "%s: %s, %s\n", store.study().name.c_str(), countsOf(points).c_str(),
      left ? fmt::format("{} to be measured", left).c_str() : "all measured");
  // The reason that is met most says what to look at first.
  std::map<std::pair<PointState, std::string>, uint64_t> reasons;
  for (const StoredPoint &stored : points)
    if (stored.point.state != PointState::Done)
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

/// Says that nothing is wrong and nothing missing, or is an Error.
void printVerified(const Store &store) {
  const Verified found = verify(store);
  for (const std::string &problem : found.problems)
    std::fprintf(stderr, "%s\n", problem.c_str());
  if (!found.problems.empty())
    throw Error(fmt::format("{}: {} of its files {} wrong; {} points are right",
                            store.folder(), found.problems.size(),
                            found.problems.size() == 1 ? "is" : "are",
                            found.points));
  if (found.missing)
    throw Error(fmt::format("{}: {} points are right, and {} of {} {} missing; "
                            "`dendrolith explore {}` measures them",
                            store.folder(), found.points, found.missing,
                            found.points + found.missing,
                            found.missing == 1 ? "is" : "are", store.folder()));
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
  for (uint64_t i = 0; !study.where.empty() && i < designs.size(); ++i)
    excluded += !!designs.excluded(designs.at(i));
  std::printf("%llu designs, of which 'where' excludes %llu\n",
              static_cast<unsigned long long>(designs.size()),
              static_cast<unsigned long long>(excluded));
}

std::set<PointState> statesOf(const std::vector<std::string> &names) {
  std::set<PointState> states;
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
        [=](const Design &design) { return measurer->sharedStagesOf(design); },
        [=](const Design &design) { return measurer->measure(design); }};
  };
}

/// Answers an outside optimiser until it says that it is done.
void answerOptimiser(const Store &store, const RunOptions &options) {
  Interrupts interrupts;
  AskServer server;
  // A worker stays, with what it has loaded, and reads itself what was asked
  // after it was forked.
  std::vector<Design> known;
  uint64_t asks = 0;
  const DesignList list = {0, [&](uint64_t number) {
                             while (known.size() <= number)
                               for (Design &design :
                                    readAsk(store.study(), ++asks))
                                 known.push_back(std::move(design));
                             return known[number];
                           }};
  StandingWorkers workers(store, list, meterOf(store), options);
  server.measure = [&](const std::vector<Design> &all, size_t first) {
    return !workers.measure(first, all.size()).stopped;
  };
  server.points = [&](const std::vector<Design> &designs) {
    return store.points(designs);
  };
  server.stopped = [&] { return interrupts.count() > 0; };
  server.say = options.say;
  serveAsks(store.study(), server);
  printStatus(store);
}

/// Measures what is missing. `quiet`: nothing is said of how far that went.
void measure(const Store &store, const ExploreFlags &flags, bool quiet) {
  RunOptions options;
  options.jobs = flags.jobs ? flags.jobs
                            : std::max(1u, std::thread::hardware_concurrency());
  options.again = statesOf(flags.again);
  readShard(options);
  options.say = [](const std::string &text) {
    std::fprintf(stderr, "%s\n", text.c_str());
  };
  if (store.study().strategy.method == Strategy::Method::Ask)
    return answerOptimiser(store, options);
  RunEnd end;
  {
    ProgressLine line("exploring");
    options.progress = [&](uint64_t done, uint64_t total) {
      line.show(done, total);
    };
    end = runWorkers(store, allDesigns(store), meterOf(store), options);
  }
  if (!quiet)
    printEnd(store, end, options.parts > 1);
}

/// Looks at a folder that was begun, if that is asked for; false where it is to
/// be measured.
bool look(const std::string &folder, const ExploreFlags &flags) {
  const Store store(folder);
  if (flags.dryRun)
    printDesigns(store.study());
  else if (flags.status && flags.views.format != "json")
    printStatus(store);
  else if (flags.audit)
    printVerified(store);
  else if (flags.views.any() || flags.status)
    showViews(store, flags.views);
  else
    return false;
  return true;
}

void submitTasks(const Store &store, const ExploreFlags &flags) {
  if (store.study().strategy.method == Strategy::Method::Ask)
    throw Error("an outside optimiser's designs are measured on this machine; "
                "leave --slurm out");
  const Submitted job =
      submit(store, {std::filesystem::read_symlink("/proc/self/exe").string(),
                     flags.slurm, flags.jobs});
  std::printf("job %s with %llu tasks; `dendrolith explore %s --status` says "
              "how far it is\n",
              job.job.c_str(), static_cast<unsigned long long>(job.tasks),
              store.folder().c_str());
}

/// A study's file, or a model and its axes as one.
StudySource sourceOf(const ExploreFlags &flags) {
  return flags.model.axes.empty() ? explore::sourceOf(flags.what)
                                  : studyOf(flags.model);
}

/// A model without --out is measured aside, and its table is what remains.
void exploreAside(const ExploreFlags &flags) {
  if (!flags.slurm.empty())
    throw options::UsageError("--slurm requires --out");
  const ScratchFolder scratch;
  const Store store = Store::of(sourceOf(flags), scratch.folder + "/points");
  measure(store, flags, /*quiet=*/true);
  ViewFlags views = flags.views;
  views.table = views.table || !views.any();
  showViews(store, views);
}

void checkUsage(const ExploreFlags &flags) {
  if (!std::filesystem::exists(flags.what))
    throw options::UsageError("WHAT: Path does not exist: " + flags.what);
  if (flags.model.axes.empty() && isModelFile(flags.what))
    throw options::UsageError("--axis is required: what of " + flags.what +
                              " is to be explored?");
}

void explore(ExploreFlags &flags) {
  checkUsage(flags);
  flags.model.path = flags.what;
  const bool isFolder = std::filesystem::is_directory(flags.what);
  if (isFolder && !flags.out.empty())
    throw Error(flags.what + ": is a store already; --out is for a study's "
                             "file");
  if (!isFolder && flags.dryRun)
    return printDesigns(readStudy(sourceOf(flags)));
  if (!isFolder && flags.out.empty() && !flags.model.axes.empty())
    return exploreAside(flags);
  if (!isFolder && flags.out.empty())
    throw options::UsageError("--out is required");
  if (!isFolder && (flags.status || flags.audit))
    throw Error("--status and --audit look at a folder that was begun: "
                "`dendrolith explore " +
                flags.out + " --status`");
  if (isFolder && look(flags.what, flags))
    return;
  const Store store = isFolder ? Store::again(flags.what)
                               : Store::of(sourceOf(flags), flags.out);
  if (!flags.slurm.empty())
    return submitTasks(store, flags);
  const bool quiet = flags.views.format != "text";
  measure(store, flags, quiet);
  if (quiet || flags.views.any())
    showViews(store, flags.views);
}

} // namespace

void addExplore(Command &command) {
  auto flags = std::make_shared<ExploreFlags>();
  options::CommandOptions &options = command.options;
  options.bind("WHAT", flags->what);
  options.bind("out", flags->out);
  options.bind("jobs", flags->jobs);
  options.bind("dry-run", flags->dryRun);
  options.bind("again", flags->again);
  options.bind("slurm", flags->slurm);
  options.bind("status", flags->status);
  options.bind("audit", flags->audit);
  bindModelToExplore(options, flags->model);
  bindViews(options, flags->views);
  options.exclude("audit", "status");
  command.run = [flags] { explore(*flags); };
}

} // namespace dendrolith::driver
