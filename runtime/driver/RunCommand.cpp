// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith run`: its flags, and what of a run is printed and written.

#include "runtime/driver/RunCommand.h"

#include "compiler/import/mlir/Ranc.h"
#include "runtime/driver/Command.h"
#include "runtime/driver/OutputFiles.h"
#include "runtime/driver/Terminal.h"
#include "runtime/options/ModelOptions.h"
#include "runtime/session/ResultFiles.h"
#include "simulator/report/html/RunPage.h"
#include "simulator/report/result/ResultFolder.h"
#include "simulator/report/result/TimelineFile.h"

#include "runtime/host/OutputDirectory.h"
#include "targets/support/Text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

namespace dendrolith::driver {
namespace {

/// 8 MB: longer outputs are written while the run goes on.
constexpr uint64_t kKeptValues = uint64_t(1) << 20;
/// The largest file that run.json has the digest of: 64 GiB.
constexpr uint64_t kLargestFile = uint64_t(1) << 36;

/// Whether --compare names a file of arrays, and not an engine.
bool isArrayFile(const std::string &value) {
  return value.size() > 4 && (value.substr(value.size() - 4) == ".npy" ||
                              value.substr(value.size() - 4) == ".npz");
}

void write(session::RunOutcome &outcome, OutputDirectory &out,
           const nlohmann::ordered_json &record) {
  session::writeResult(outcome, out, record);
  out.commit();
}

/// The page that `dendrolith report` makes of the same result.
report::html::Page pageOf(const session::RunOutcome &outcome) {
  report::html::Recorded recorded;
  for (const auto &[name, content] :
       session::recordingFiles(outcome.recording, outcome.single))
    if (name == "traces.npz")
      recorded.traces = bytesOf(content);
    else if (name == "spikes.npz")
      recorded.spikes = bytesOf(content);
  return report::html::runPage(outcome.result, outcome.tables, recorded,
                               "result");
}

/// The result for a program or for a person; `page` says that there is one.
void print(const RunFlags &flags, const session::RunOutcome &outcome,
           const std::string &page) {
  if (flags.printsNothing())
    return;
  if (flags.format == "json") {
    std::printf("%s\n", outcome.result.dump(2).c_str());
    return;
  }
  std::string text = flags.report == "full" ? outcome.report : outcome.brief;
  if (!flags.timeline.empty())
    text += "Timeline: " + report::timelineSummary(outcome.timeline) +
            "\nwrote " + flags.timeline + "\n";
  text += page;
  if (!flags.out.empty())
    text += "wrote " + flags.out;
  if (flags.report == "short")
    text += std::string(flags.out.empty() ? "More" : "; more") +
            ": --report full" +
            (flags.out.empty() ? "" : ", dendrolith report " + flags.out);
  text += "\n";
  if (outcome.expected && !outcome.expected->different)
    text += outcome.expected->text + "\n";
  std::fputs(text.c_str(), stdout);
}

} // namespace

Ran runAndWrite(RunFlags &flags) {
  session::check(flags.request);
  if (flags.request.ranked && !flags.request.ranked->ranks().first()) {
    // The first process writes.
    for (std::string *file : {&flags.out, &flags.timeline, &flags.html})
      file->clear();
    flags.request.timeline.rows = 0;
  }
  // Both are opened before the work, so that a bad path fails early.
  std::optional<OutputDirectory> out;
  if (!flags.out.empty())
    out.emplace(flags.out, report::resultFileNames());
  if (out)
    flags.request.out = &*out;
  flags.request.keptValues = kKeptValues;
  std::optional<AtomicFile> timeline;
  if (flags.request.timeline.rows)
    timeline.emplace(flags.timeline);
  std::optional<PageFile> html;
  if (!flags.html.empty())
    html.emplace(flags.html);
  session::RunOutcome outcome = session::run(flags.request);
  if (timeline) {
    timeline->write(report::timelineText(outcome.timeline, outcome.result));
    timeline->commit();
  }
  if (out)
    write(outcome, *out, flags.record);
  Ran ran;
  if (html)
    ran.page = html->write(pageOf(outcome));
  ran.outcome = std::move(outcome);
  return ran;
}

namespace {

/// The flags that several processes of one run must have in common: all but
/// those that may name files, which may lie elsewhere on another machine, and
/// those that suit each machine.
std::string commonFlags(const options::CommandOptions &options) {
  using Form = options::OptionType::Form;
  const std::set<std::string> own = {"MODEL", "input",   "target",
                                     "costs", "threads", "jit"};
  std::string text;
  for (const options::Option *row : options.bound()) {
    const Form form = row->type.form;
    if (form == Form::File || form == Form::Folder || own.count(row->name))
      continue;
    for (const std::string &value : options.valuesOf(row->name))
      if (!isArrayFile(value))
        text += (text.empty() ? "--" : " --") + row->name + " " + value;
  }
  return text;
}

/// "A:B", "A:", ":B" or one number; both ends are counted.
void readRange(const std::string &key, const std::string &text, uint64_t &first,
               uint64_t &end) {
  const size_t colon = text.find(':');
  const auto number = [&](const std::string &digits, uint64_t other) {
    if (digits.empty() && colon != text.npos && text.size() > 1)
      return other;
    if (digits.empty() || digits.size() > 18 ||
        digits.find_first_not_of("0123456789") != digits.npos)
      throw options::UsageError("--timeline: expected " + key +
                                "=A:B with numbers from 0 on, found '" + key +
                                "=" + text + "'");
    return uint64_t(std::stoull(digits));
  };
  first = number(text.substr(0, colon), 0);
  const uint64_t last = colon == text.npos
                            ? first
                            : number(text.substr(colon + 1), UINT64_MAX - 1);
  if (last < first)
    throw options::UsageError("--timeline: " + key + "=" + text +
                              " holds nothing, as its end lies before it");
  end = last + 1;
}

/// Takes ",samples=A:B" and ",steps=A:B" off the file's name.
void settleTimeline(std::string &file, sim::TimelineRequest &request) {
  if (file.empty())
    return;
  request.rows = report::kTimelineRows;
  for (size_t comma; (comma = file.rfind(',')) != file.npos;) {
    const std::string last = file.substr(comma + 1);
    if (last.rfind("samples=", 0) == 0)
      readRange("samples", last.substr(8), request.firstSample,
                request.endSample);
    else if (last.rfind("steps=", 0) == 0)
      readRange("steps", last.substr(6), request.firstStep, request.endStep);
    else
      break;
    file.resize(comma);
  }
  if (file.empty())
    throw options::UsageError("--timeline: expected the name of a file before "
                              "its ranges");
}

} // namespace

void settle(RunFlags &flags, const options::CommandOptions &options) {
  session::RunRequest &request = flags.request;
  options.check();
  // An archive may be a study network, which brings its own input.
  if (request.inputs.empty() && !request.isArchive() && !isRanc(request.path) &&
      !request.model.steps)
    throw options::UsageError("--input is required");
  if (!request.traces.empty() && flags.out.empty() && flags.html.empty())
    throw options::UsageError("--trace requires --out or --html");
  if (isArrayFile(request.compare)) {
    request.expected.swap(request.compare);
  } else if (!request.compare.empty() && request.compare != "float" &&
             request.compare != "reference") {
    throw options::UsageError("--compare: " + request.compare +
                              " not in {float,reference} and no .npy or .npz");
  }
  settleTimeline(flags.timeline, request.timeline);
  request.digest = !flags.out.empty() || !flags.html.empty();
  request.targetGiven = options.isGiven("target");
  request.modelFlags = givenToCompiler(options);
  request.commonFlags = commonFlags(options);
  // What a program reads is the result alone.
  if (flags.printsNothing() || flags.format == "json")
    request.model.listener.onFinding = nullptr;
}

void bindRun(options::CommandOptions &options, RunFlags &flags) {
  session::RunRequest &request = flags.request;
  options.bind("input", request.inputs);
  options.bind("labels", request.labels);
  options.bind("metric", request.metric);
  options.bind("engine", request.engine);
  options.bind("timing", request.timing);
  options.bind("costs", request.costs);
  options.bind("verify", request.verify);
  options.bind("threads", request.threads);
  options.bind("jit", request.jit);
  options.bind("trace", request.traces);
  options.bind("timeline", flags.timeline);
  options.bind("out", flags.out);
  options.bind("html", flags.html);
  options.bind("report", flags.report);
  options.bind("format", flags.format);
  options.bind("compare", request.compare);
  options.bind("layers", request.byLayer);
  options.bind("model", request.modelPath);
}

/// Every option of a run.
static void bindAll(options::CommandOptions &options, RunFlags &flags) {
  session::RunRequest &request = flags.request;
  options.bind("MODEL", request.path);
  bindRun(options, flags);
  bindModel(options, request.model);
  options.bind("map-verify", request.model.mapVerify);
}

/// The mapper minimises what this run is going to take.
static void settleMapping(session::RunRequest &request) {
  CompileOptions &compile = request.model.compile;
  compile.timing = request.timing;
  compile.costs = request.costs;
  compile.threads = request.threads;
}

/// Where a result goes, what is printed of it and how many threads work, which
/// do not decide it.
bool decides(const std::string &option) {
  static const std::set<std::string> others = {
      "out", "html", "timeline", "report", "format", "threads", "jit"};
  return !others.count(option);
}

/// What of a command line decides a result. Files have their digests.
nlohmann::ordered_json recordOf(const options::CommandOptions &options) {
  nlohmann::ordered_json given = nlohmann::ordered_json::array(),
                         files = nlohmann::ordered_json::object();
  for (const options::Option *row : options.bound()) {
    if (!options.isGiven(row->name) || !decides(row->name))
      continue;
    const auto &values = options.valuesOf(row->name);
    given.push_back({{"name", row->name}, {"values", values}});
    for (const std::string &value : values)
      for (const std::string &file : filesIn(value))
        files[file] = sha256OfFile(file, kLargestFile);
  }
  return {{"schema", 1}, {"options", given}, {"files", files}};
}

std::vector<std::string> filesIn(const std::string &value) {
  namespace fs = std::filesystem;
  const size_t name = value.find('=');
  for (const std::string &path :
       {value, name == value.npos ? value : value.substr(name + 1),
        value.substr(0, value.find(','))}) {
    std::error_code error;
    if (fs::is_regular_file(path, error)) {
      std::vector<std::string> files = {path};
      // A study network has its description beside it.
      const std::string beside = fs::path(path).replace_extension(".json");
      if (fs::path(path).extension() == ".npz" &&
          fs::is_regular_file(beside, error))
        files.push_back(beside);
      return files;
    }
    std::vector<std::string> files;
    if (isRanc(path))
      files = filesOfRanc(path);
    if (path.find('/') != path.npos && fs::exists(path + "/chip.yaml", error))
      for (const auto &entry : fs::directory_iterator(path, error))
        if (entry.path().extension() == ".yaml")
          files.push_back(entry.path().string());
    if (!files.empty()) {
      std::sort(files.begin(), files.end());
      return files;
    }
  }
  return {};
}

void runInto(const std::string &out, const GivenOptions &given) {
  RunFlags flags;
  options::CommandOptions options("run");
  bindAll(options, flags);
  for (const auto &[name, values] : given) {
    if (!options.find(name) || !decides(name))
      throw Error(fmt::format("a run that is repeated has no option '{}'",
                              printable(name)));
    if (values.empty())
      throw Error("expected a value of the option '" + name + "', found none");
    options.set(name, values);
  }
  options.set("out", {out});
  options.set("report", {"none"});
  settle(flags, options);
  settleMapping(flags.request);
  withMemoryFor(flags.request.path, [&] { runAndWrite(flags); });
}

session::RunRequest requestOf(const std::vector<std::string> &arguments) {
  RunFlags flags;
  options::CommandOptions options("run");
  bindAll(options, flags);
  readArguments(options, arguments);
  settle(flags, options);
  settleMapping(flags.request);
  return std::move(flags.request);
}

void addRun(Command &command) {
  auto flags = std::make_shared<RunFlags>();
  options::CommandOptions &options = command.options;
  session::RunRequest *request = &flags->request;
  request->ranked = RankedCommand::current();
  useTerminal(request->model);
  bindAll(options, *flags);
  command.run = [flags, &options] {
    settle(*flags, options);
    settleMapping(flags->request);
    if (!flags->out.empty())
      flags->record = recordOf(options);
    withMemoryFor(flags->request.path, [&] {
      const auto [outcome, page] = runAndWrite(*flags);
      print(*flags, outcome, page);
      if (outcome.expected && outcome.expected->different)
        throw Error(outcome.expected->text);
    });
  };
}

} // namespace dendrolith::driver
