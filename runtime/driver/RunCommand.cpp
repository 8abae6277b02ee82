// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith run`: its flags, and what of a run is printed and written.

#include "runtime/driver/Commands.h"
#include "runtime/driver/ModelFlags.h"
#include "runtime/driver/PageFile.h"
#include "runtime/driver/RunFlags.h"
#include "runtime/session/ResultFiles.h"
#include "simulator/report/ResultFolder.h"
#include "simulator/report/TimelineFile.h"
#include "simulator/report/html/RunPage.h"

#include "runtime/host/OutputDirectory.h"

#include <cstdio>

namespace dendrolith::driver {
namespace {

/// 8 MB: longer outputs are written while the run goes on.
constexpr uint64_t kKeptValues = uint64_t(1) << 20;

/// Whether a value of --compare is a file of arrays, as --expect takes it.
bool isArrayFile(const std::string &value) {
  return value.size() > 4 && (value.substr(value.size() - 4) == ".npy" ||
                              value.substr(value.size() - 4) == ".npz");
}

std::string checkCompared(const std::string &value) {
  return isArrayFile(value) || value == "float" || value == "reference"
             ? std::string()
             : value + " not in {float,reference} and no .npy or .npz";
}

void write(session::RunOutcome &outcome, OutputDirectory &out) {
  session::writeResult(outcome, out);
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
  if (flags.quiet)
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
    flags.request.timeline = false;
  }
  // Both are opened before the work, so that a bad path fails early.
  std::optional<OutputDirectory> out;
  if (!flags.out.empty())
    out.emplace(flags.out, report::resultFileNames());
  if (out)
    flags.request.out = &*out;
  flags.request.keptValues = kKeptValues;
  std::optional<AtomicFile> timeline;
  if (flags.request.timeline)
    timeline.emplace(flags.timeline);
  std::optional<PageFile> html;
  if (!flags.html.empty())
    html.emplace(flags.html);
  session::RunOutcome outcome = session::run(flags.request);
  if (timeline) {
    timeline->write(report::timelineText(outcome.timeline));
    timeline->commit();
  }
  if (out)
    write(outcome, *out);
  Ran ran;
  if (html)
    ran.page = html->write(pageOf(outcome));
  ran.outcome = std::move(outcome);
  return ran;
}

void settle(RunFlags &flags, const CLI::App &command) {
  session::RunRequest &request = flags.request;
  // An archive may be a study network, which brings its own input.
  if (request.inputs.empty() && !request.isArchive() && !request.model.steps)
    throw CLI::RequiredError("--input");
  if (!request.traces.empty() && flags.out.empty() && flags.html.empty())
    throw CLI::RequiresError("--trace", "--out or --html");
  if (isArrayFile(request.compare)) {
    if (!request.expected.empty())
      throw Error("--compare " + request.compare + " and --expect " +
                  request.expected +
                  " both name what the run must give; "
                  "leave out one of them");
    request.expected.swap(request.compare);
    request.expectedBy = "--compare";
  }
  request.byLayer = !flags.by.empty();
  request.timeline = !flags.timeline.empty();
  request.digest = !flags.out.empty() || !flags.html.empty();
  const CLI::Option *target = command.get_option_no_throw("--target");
  request.targetGiven = target && target->count() > 0;
  request.modelFlags = givenModelFlags(command);
  // What a program reads is the result alone.
  if (flags.quiet || flags.format == "json")
    request.model.listener.onFinding = nullptr;
}

void addRunFlags(CLI::App &command, RunFlags &flags) {
  session::RunRequest &request = flags.request;
  command.option_defaults()->group("Data");
  command.add_option(
      "--input", request.inputs,
      "X.npy or NAME=X.npy: (steps, *shape) or (samples, steps, "
      "*shape), token ids (steps) or (samples, steps); a study network "
      "(.npz) brings its own");
  command.add_option("--labels", request.labels,
                     "Y.npy: one class per sample, or per step (-100: not "
                     "asked) where each has an answer, or with --metric r2 "
                     "one answer; prints the score");
  command.add_option(
      "--metric", request.metric,
      "accuracy or r2, with [:mean|:last=N|:each]: the answer is the "
      "read-out over all or the last N ticks, or at each, else as the "
      "model says, else mean; the class its largest element");
  command.option_defaults()->group("Engine");
  command.add_option("--engine", request.engine, "Which engine")
      ->check(CLI::IsMember({"float", "reference", "functional", "cycle"}))
      ->capture_default_str();
  command.add_option("--timing", request.timing,
                     "Timing set of the chip (cycle engine)");
  command.add_option("--costs", request.costs,
                     "Cost table: a name or a .yaml file");
  command.add_flag("--verify", request.verify,
                   "Compare with the reference interpreter, and in the cycle "
                   "engine accumulators at every barrier");
  command.option_defaults()->group("What is recorded and compared");
  command.add_option("--trace", request.traces,
                     "NODE[:STATE],... to record in traces.npz of --out and "
                     "to show in the page of --html");
  command.add_option("--timeline", flags.timeline,
                     "F.json: the run in time for Perfetto or "
                     "chrome://tracing (cycle engine)");
  command.add_option(
      "--out", flags.out,
      "Folder for result.json, tables.json, outputs.npy, predicted.npy "
      "and traces.npz; replaces a result that is there");
  command.add_option("--html", flags.html,
                     "R.html: the report as one file for a browser, which "
                     "needs no network");
  command
      .add_option("--report", flags.report,
                  "short: ten lines; full: mapping, fit, quantisation, counts "
                  "and prices, too")
      ->check(CLI::IsMember({"short", "full"}))
      ->capture_default_str();
  command
      .add_option("--format", flags.format,
                  "What is printed: text, or json as in result.json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_flag("--quiet", flags.quiet,
                   "Print nothing but warnings and errors");
  command
      .add_option("--compare", request.compare,
                  "float or reference: run this engine too and print how far "
                  "both agree; a file: as --expect")
      ->check(checkCompared);
  command
      .add_option("--by", flags.by,
                  "layer: with --compare, how far each layer agrees, and "
                  "where it first does not")
      ->check(CLI::IsMember({"layer"}));
  command
      .add_option("--expect", request.expected,
                  "X.npy or X.npz: compare outputs, and POPULATION[:STATE], "
                  "with these arrays and print the first difference")
      ->check([](const std::string &value) {
        return isArrayFile(value) ? std::string()
                                  : value + " is no .npy or .npz";
      });
  command.add_option("--model", request.modelPath,
                     "For a program image: the model it was compiled from, "
                     "which --compare float runs");
  command.option_defaults()->group("Engine");
  command
      .add_option("--threads", request.threads,
                  "Samples at a time, or threads that share a sample of a "
                  "large network in the functional engine; and threads of a "
                  "compilation. 0 = one per processor. The result is the same")
      ->capture_default_str();
  command
      .add_option("--jit", request.jit,
                  "Whether neurons' programs, and step bodies in the float "
                  "engine, become machine code: auto, where the run is long "
                  "enough to pay for it; on, always; or off. The result is the "
                  "same")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
}

void addRun(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "run", "Run a program image, or compile a model and run it");
  command->footer("Example: dendrolith run net.nir --target loihi1 --calibrate "
                  "calib_x.npy --input test_x.npy --labels test_y.npy --engine "
                  "cycle --out out/net");
  auto flags = std::make_shared<RunFlags>();
  session::RunRequest *request = &flags->request;
  request->ranked = RankedCommand::current();
  command
      ->add_option("MODEL", request->path, modelHelp("Program image (.dlp), "))
      ->required();
  addRunFlags(*command, *flags);
  addModelFlags(*command, request->model);
  addMapVerifyFlag(*command, request->model);
  command->callback([flags, command] {
    settle(*flags, *command);
    // The mapper minimises what this run is going to take.
    CompileOptions &compile = flags->request.model.compile;
    if (compile.timing.empty())
      compile.timing = flags->request.timing;
    if (compile.costs.empty())
      compile.costs = flags->request.costs;
    compile.threads = flags->request.threads;
    withMemoryFor(flags->request.path, [&] {
      const auto [outcome, page] = runAndWrite(*flags);
      print(*flags, outcome, page);
      if (outcome.expected && outcome.expected->different)
        throw Error(outcome.expected->text);
    });
  });
}

} // namespace dendrolith::driver
