// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program image or a model on one of four engines, and what it leaves.

#include "runtime/driver/Run.h"

#include "runtime/driver/Expected.h"
#include "runtime/driver/Progress.h"
#include "runtime/driver/ReportText.h"
#include "runtime/driver/Result.h"
#include "runtime/driver/TimelineFile.h"
#include "runtime/driver/Utilisation.h"

#include "compiler/pipelines/Rewrites.h"
#include "runtime/Files.h"
#include "runtime/Program.h"
#include "targets/Discovery.h"
#include "targets/Sha256.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>

namespace neurite::driver {
namespace {

using Json = nlohmann::ordered_json;

bool onChip(const std::string &engine) {
  return engine == "functional" || engine == "cycle";
}

/// Refuses real values for an input that carries events, by name.
void checkEvents(const image::Program &program, const LoadedInputs &inputs) {
  for (const image::Input &input : program.inputs()) {
    if (input.kind() != image::Input::BINARY)
      continue;
    const Samples &samples = inputs.samples.at(input.name());
    for (size_t i = 0; i < samples.values.size(); ++i) {
      double value = samples.values[i];
      if (value == 0 || value == 1)
        continue;
      uint64_t width = samples.width();
      throw Error(fmt::format(
          "input '{}' is {} at sample {}, step {}, element {}, but on target "
          "'{}' it carries binary events: expected only 0 and 1; encode the "
          "values as events, compile with --input-bits, or with samples for "
          "--calibrate that hold such values, on a target that takes them "
          "('ideal', 'loihi2')",
          input.name(), value, i / width / samples.steps,
          i / width % samples.steps, i % width, program.target_name()));
    }
  }
}

/// Everything a run carries from stage to stage.
class Run {
public:
  explicit Run(const RunFlags &flags) : flags(flags) {}

  void execute() {
    if (!flags.timeline.empty()) {
      if (flags.engine != "cycle")
        throw Error("--timeline shows when things happen, which the " +
                    flags.engine +
                    " engine does not know; choose --engine cycle");
      timeline.emplace(flags.timeline);
    }
    if (!flags.expected.empty()) {
      if (flags.engine == "float")
        throw Error("--compare " + flags.expected +
                    " compares integers, which the float engine has not; "
                    "choose another engine");
      expected.emplace(flags.expected);
    }
    load();
    if (expected)
      expected->resolve(program);
    metric = chooseMetric(flags.metric, modelDecode());
    if (!flags.metric.empty() && flags.labels.empty() && flags.compare.empty())
      throw Error("--metric " + flags.metric +
                  " judges answers; give --labels, or --compare for the same "
                  "answers as another engine");
    Stopwatch watch;
    Recording recording = runEngine(flags.engine, recorded());
    wallSimulate = watch.seconds() - wallPrepare;
    if (flags.verify)
      verify(recording);
    finish(recording);
  }

private:
  /// Of the first output, which is the answer.
  std::string modelDecode() const {
    if (!model)
      return program.outputs().empty() ? "" : program.outputs(0).decode();
    auto outputs = model->floatNetwork().getOps<dend::OutputOp>();
    if (outputs.empty())
      return "";
    return (*outputs.begin()).getDecode().value_or("").str();
  }

  std::vector<sim::TraceRequest> requested() const {
    auto traces = parseTraces(flags.traces);
    return flags.engine == "float" ? traces : tracesOfParts(traces, program);
  }

  /// What is recorded beside it to compare with a file.
  std::vector<sim::TraceRequest> recorded() const {
    std::vector<sim::TraceRequest> traces = requested();
    if (expected)
      traces.insert(traces.end(), expected->traces().begin(),
                    expected->traces().end());
    return traces;
  }

  /// Without the traces that only the comparison wanted. Throws Error for the
  /// first difference, once everything is written.
  void compareWithFile(Recording &recording, Json &json) {
    if (!expected)
      return;
    Expected::Outcome outcome = expected->compare(recording);
    json["compare_file"] = {{"file", flags.expected},
                            {"values", outcome.values},
                            {"different", outcome.different}};
    (outcome.different ? difference : equality) = outcome.text;
    std::map<std::string, Array> asked;
    for (const sim::TraceRequest &trace : requested()) {
      std::string name = trace.population;
      if (!trace.state.empty())
        name += ":" + trace.state;
      asked[name] = std::move(recording.traces.at(name));
    }
    recording.traces = std::move(asked);
  }

  void load() {
    Stopwatch watch;
    if (flags.isProgram()) {
      bool floatBeside = flags.compare == "float" && !flags.modelPath.empty();
      if (!onChip(flags.engine) || !(flags.compare.empty() || floatBeside))
        throw Error("a program image holds the integers of a mapped network; "
                    "give the model file for the float and reference engines, "
                    "or --model FILE beside --compare float");
      if (flags.verify && flags.engine == "functional")
        throw Error("--verify compares the functional engine with the "
                    "reference interpreter, which needs the model file; or "
                    "choose --engine cycle");
      program = loadProgram(flags.path, &programDigest);
      if (flags.targetGiven)
        throw Error("'" + flags.path + "' is compiled for target '" +
                    program.target_name() +
                    "'; compile the model again for another one");
      if (!flags.modelFlags.empty())
        throw Error("'" + flags.path + "' is compiled already, without " +
                    flags.modelFlags + "; compile the model with it again");
      inputs = loadInputs(flags.inputs, inputShapes(program));
      checkEvents(program, inputs);
      loadOrigin();
      wallLoad = watch.seconds();
      return;
    }
    if (!flags.modelPath.empty())
      throw Error("--model is for a program image; '" + flags.path +
                  "' is a model itself");
    if (flags.engine == "float" &&
        removesDeadUnits(flags.model.compile.rewrites))
      throw Error("--rewrite dead-units changes the integer network, which "
                  "--engine float does not have; choose another engine");
    model = importWith(flags.model, flags.path);
    std::vector<std::string> given = flags.inputs;
    if (given.empty() && model->isComplete())
      given = {flags.path};
    inputs = loadInputs(given, inputShapes(model->floatNetwork()));
    wallLoad = watch.seconds();
    if (flags.engine != "float")
      compile();
  }

  /// The model that an image was compiled from.
  void loadOrigin() {
    if (flags.modelPath.empty())
      return;
    origin = importWith(flags.model, flags.modelPath);
    if (origin->sha256() != program.model_sha256())
      throw Error("--model '" + flags.modelPath + "' is not what '" +
                  flags.path + "' was compiled from ('" + program.model_name() +
                  "'): its SHA-256 is " + origin->sha256() + ", expected " +
                  program.model_sha256());
  }

  void compile() {
    Stopwatch watch;
    if (!model->isComplete() || !flags.model.calibrate.empty())
      calibrateWith(*model, flags.model, inputs);
    model->quantise(flags.model.compile);
    model->lower(flags.model.compile);
    program = model->emit();
    if (!flags.out.empty()) // where it is written
      programDigest = digestOf(program);
    checkEvents(program, inputs);
    wallCompile = watch.seconds();
  }

  Recording interpret(Compilation &from, bool real,
                      const std::vector<sim::TraceRequest> &traces,
                      const std::function<void(uint64_t, uint64_t)> &progress) {
    return runInterpreter(real ? from.floatNetwork() : from.fixedNetwork(),
                          from.constants(), inputs.samples, traces, progress,
                          inputs.expected.has_value());
  }

  Recording runEngine(const std::string &engine,
                      const std::vector<sim::TraceRequest> &traces) {
    Progress bar(engine + " engine");
    auto progress = [&](uint64_t done, uint64_t total) {
      bar.show(done, total);
    };
    if (!onChip(engine))
      return interpret(model ? *model : *origin, engine == "float", traces,
                       progress);
    Target target = chip();
    sim::RunOptions options;
    options.verify = flags.verify;
    options.timing = flags.timing;
    options.timelineEvents = timeline ? kTimelineEvents : 0;
    options.traces = traces;
    options.spikes = inputs.expected.has_value();
    options.threads = flags.threads;
    options.progress = progress;
    if (engine == "cycle") {
      result = sim::runCycle(program, target, inputs.samples, options);
    } else {
      Stopwatch watch;
      // Nothing needs the tables any more, and large ones are most of it.
      sim::FunctionalProgram prepared(&program, target);
      wallPrepare = watch.seconds();
      result = prepared.run(inputs.samples, options);
    }
    return recordingOf(result);
  }

  /// As the image has it; only its cost tables lie beside a file, which an
  /// image names and does not choose.
  Target chip() const {
    Target target =
        Target::parse(program.target_yaml(), flags.path + ", target_yaml");
    target.filename = flags.isProgram()
                          ? findTarget(program.target_name(), "")
                          : Target::load(flags.model.compile.target).filename;
    return target;
  }

  /// --verify beside the cycle engine's own check: the whole run again in the
  /// reference interpreter, every output and trace equal.
  void verify(const Recording &recording) {
    if (!onChip(flags.engine))
      throw Error("--verify compares the functional or cycle engine with the "
                  "reference; choose --engine functional or cycle");
    if (!model) {
      std::printf("Verified: accumulators equal at every barrier (no model "
                  "file given, so not compared with the reference)\n");
      return;
    }
    Recording reference = runEngine("reference", recorded());
    if (recording.spikes != reference.spikes)
      throw Error("verification failed: spikes of the " + flags.engine +
                  " engine differ from the reference interpreter");
    for (size_t o = 0; o < recording.outputs.size(); ++o)
      if (recording.outputs[o].values != reference.outputs[o].values)
        throw Error("verification failed: output '" +
                    recording.outputs[o].name + "' of the " + flags.engine +
                    " engine differs from the reference interpreter");
    for (const auto &[name, trace] : recording.traces)
      if (trace.ints != reference.traces.at(name).ints)
        throw Error("verification failed: trace '" + name + "' of the " +
                    flags.engine +
                    " engine differs from the reference interpreter");
    std::printf("Verified: %zu output(s) and %zu trace(s) equal to the "
                "reference interpreter at every tick\n",
                recording.outputs.size(), recording.traces.size());
  }

  /// The spikes that came with the input are the ones that came out.
  std::string checkExpected(const Recording &recording, Json &json) const {
    if (!inputs.expected)
      return "";
    checkRaster(recording.spikes.front(), *inputs.expected, inputs.expectedIn);
    json["raster"] = {{"spikes", inputs.expected->size()},
                      {"equal_to", inputs.expectedIn}};
    return fmt::format("Raster: {} spikes, equal to those of '{}'\n",
                       inputs.expected->size(), inputs.expectedIn);
  }

  void finish(Recording &recording) {
    Json json;
    json["neurite"] = NEURITE_VERSION;
    json["engine"] = flags.engine;
    std::string text;
    if (flags.engine != "float") {
      Json facts = programFacts(program);
      json.update(facts);
      text += formatProgramFacts(facts) + "\n";
    } else {
      json["model"] = {{"name", model->name()}};
      for (const auto &[key, value] : model->policies())
        text += key + ": " + value + "\n";
      for (const std::string &line : model->rewriteLines())
        text += line + "\n";
    }
    std::string raster = checkExpected(recording, json);
    compareWithFile(recording, json);
    addMetrics(json, recording);
    json["wall_s"] = {{"load", wallLoad},
                      {"compile", wallCompile},
                      {"prepare", wallPrepare},
                      {"simulate", wallSimulate}};
    if (onChip(flags.engine)) {
      text += addChip(json);
    } else {
      json["samples"] = recording.samples;
      json["ticks"] = recording.ticks;
      text += plainText(json);
    }
    text += raster;
    json["peak_rss_mb"] = peakResidentMb();
    if (timeline) {
      timeline->write(timelineText(result.timeline));
      timeline->commit();
    }
    if (!flags.out.empty()) {
      OutputDirectory out(flags.out);
      for (const auto &[name, bytes] : recordingFiles(recording, inputs.single))
        out.write(name, bytes);
      // Last: a folder with a result is complete.
      out.write("result.json", json.dump(2) + "\n");
      out.commit();
    }
    std::fputs(text.c_str(), stdout);
    if (timeline)
      std::printf("Timeline: %s\nwrote %s\n",
                  timelineSummary(result.timeline).c_str(),
                  flags.timeline.c_str());
    if (!flags.out.empty())
      std::printf("wrote %s\n", flags.out.c_str());
    if (!difference.empty())
      throw Error(difference);
    if (!equality.empty())
      std::printf("%s\n", equality.c_str());
  }

  void addMetrics(Json &json, const Recording &recording) {
    if (recording.outputs.empty()) {
      if (!flags.labels.empty() || !flags.metric.empty())
        throw Error("--labels and --metric judge the answers of an output, of "
                    "which the network has none");
      if (!flags.compare.empty())
        addSpikeComparison(json, recording);
      return;
    }
    std::vector<double> labels;
    if (!flags.labels.empty()) {
      Answers given = answers(recording, metric.decode);
      labels = loadLabels(flags.labels, metric, given);
      json[metric.name] = score(metric, given, labels);
    }
    if (!flags.labels.empty() || !flags.compare.empty())
      json["metric"] = {{"name", metric.name},
                        {"decode", toString(metric.decode)},
                        {"from", metric.from}};
    if (flags.compare.empty())
      return;
    Recording other = runEngine(flags.compare, {});
    Json compared = toJson(driver::compare(other, recording, metric));
    compared["engine"] = flags.compare;
    if (!labels.empty())
      compared[metric.name] =
          score(metric, answers(other, metric.decode), labels);
    json["compare"] = compared;
  }

  /// --compare where nothing reaches the host: spike by spike.
  void addSpikeComparison(Json &json, const Recording &recording) {
    Recording other = runEngine(flags.compare, {});
    json["compare"] = {{"engine", flags.compare},
                       {"spikes_equal", other.spikes == recording.spikes}};
  }

  std::string plainText(const Json &json) {
    std::string text = std::to_string(json.at("samples").get<uint64_t>()) +
                       " samples of " +
                       std::to_string(json.at("ticks").get<uint64_t>()) +
                       " ticks in the " + flags.engine + " engine\n";
    if (json.contains("accuracy"))
      text += "Accuracy: " +
              std::to_string(100 * json.at("accuracy").get<double>()) + " %\n";
    if (json.contains("r2"))
      text += fmt::format("R2: {:.4f}\n", json.at("r2").get<double>());
    return text;
  }

  std::string addChip(Json &json) {
    Target target = chip();
    const TimingSet &timing = target.timing(flags.timing);
    std::vector<CostTable> tables = chooseCosts(flags.costs, target);
    json["program_sha256"] = programDigest;
    json["target"] = {{"name", target.name},
                      {"sha256", target.hash},
                      {"file", target.filename},
                      {"yaml", target.yamlText}};
    json["timing"] = {{"name", timing.name}, {"sha256", timing.hash}};
    addExecution(json, result);
    addUtilisation(json, result);
    std::string bills =
        addEnergy(json, result.counts, tables, timing, result.timePs);
    json["peak_rss_mb"] = peakResidentMb();
    return formatResult(json, bills);
  }

  const RunFlags &flags;
  std::unique_ptr<Compilation> model, origin; // origin: of an image
  image::Program program;
  LoadedInputs inputs;
  sim::RunResult result;
  std::optional<Expected> expected;
  std::string difference, equality;   // of --compare FILE
  std::optional<AtomicFile> timeline; // opened first: a bad path fails early
  Metric metric;
  std::string programDigest;
  double wallLoad = 0, wallCompile = 0, wallPrepare = 0, wallSimulate = 0;
};

} // namespace

void execute(const RunFlags &flags) {
  withMemoryFor(flags.path, [&] { Run(flags).execute(); });
}

} // namespace neurite::driver
