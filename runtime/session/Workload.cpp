// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Workload.h"

#include "compiler/pipelines/Rewrites.h"
#include "runtime/host/Files.h"
#include "runtime/image/Program.h"
#include "runtime/session/ModelInputs.h"
#include "runtime/session/Stopwatch.h"
#include "simulator/events/StepLimits.h"
#include "simulator/report/result/Result.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/Sha256.h"

#include <fmt/format.h>

#include <cstring>

namespace dendrolith::session {

bool onChip(const std::string &engine) {
  return engine == "functional" || engine == "cycle";
}

Workload::Workload(const RunRequest &request) : request(request) {
  Stopwatch watch;
  if (request.prepared)
    usePrepared();
  else if (request.isProgram())
    loadProgramImage();
  else
    loadModel();
  wallLoad = watch.seconds();
  if (model && !request.prepared && request.engine != "float")
    compile();
  words = report::memoryOf(program);
}

void Workload::gatherWords(Ranks &ranks) {
  if (!ranks.first()) {
    ranks.send({reinterpret_cast<const char *>(words.data()),
                words.size() * sizeof words[0]});
    return;
  }
  for (unsigned r = 1; r < ranks.size(); ++r) {
    const std::string bytes = ranks.receive(r);
    for (size_t i = 0; i < bytes.size() / sizeof words[0]; ++i) {
      uint64_t theirs;
      std::memcpy(&theirs, bytes.data() + i * sizeof theirs, sizeof theirs);
      words.at(i) = std::max(words.at(i), theirs);
    }
  }
}

/// The checks that an input has to pass are those of a model compiled for the
/// run; what the compiler had to say then is said for each run.
void Workload::usePrepared() {
  const Prepared &prepared = *request.prepared;
  const bool isFloat = request.engine == "float";
  if (!isFloat && !prepared.program)
    throw Error("'" + request.path +
                "' is loaded, not compiled, so only the "
                "float engine can run it; compile it for a target");
  model = prepared.model;
  for (const Warning &warning : prepared.imported)
    request.model.listener.warn(warning);
  inputs = loadRunInputs(*model, request.path, request.inputs,
                         request.model.steps, request.model.listener);
  if (isFloat)
    return;
  for (const Warning &warning : prepared.compiled)
    request.model.listener.warn(warning);
  checkSamples(*model, inputs.samples);
  program = *prepared.program;
  programDigest = prepared.programDigest;
}

void Workload::loadProgramImage() {
  bool floatBeside = request.compare == "float" && !request.modelPath.empty();
  if (!onChip(request.engine) || !(request.compare.empty() || floatBeside))
    throw Error("a program image holds the integers of a mapped network; "
                "give the model file for the float and reference engines, "
                "or --model FILE beside --compare float");
  if (request.verify && request.engine == "functional")
    throw Error("--verify compares the functional engine with the "
                "reference interpreter, which needs the model file; or "
                "choose --engine cycle");
  ProgramFile file(request.path);
  programDigest = file.digest();
  if (!request.programDigest.empty() && request.programDigest != programDigest)
    throw Error("'" + request.path +
                "': the image was changed after it was loaded; load it again");
  program =
      file.read(request.ranked ? dealCores(file) : CoreSet(), request.threads);
  for (const image::Warning &warning : program.warnings())
    request.model.listener.warn(
        {warning.code(), warning.where(), warning.text()});
  if (request.targetGiven)
    useTarget();
  if (!request.modelFlags.empty())
    throw Error("'" + request.path + "' is compiled already, without " +
                request.modelFlags + "; compile the model with it again");
  inputs = loadInputs(request.inputs, inputShapes(program), request.model.steps,
                      request.model.listener);
  checkSamples(program, inputs.samples);
  loadOrigin();
}

CoreSet Workload::dealCores(const ProgramFile &file) {
  const Target compiled =
      Target::parse(file.targetYaml(), request.path + ", target_yaml");
  std::vector<sim::CoreWork> work;
  for (const ProgramFile::CoreBytes &core : file.cores())
    work.push_back({core.id, core.bytes});
  const Ranks &ranks = request.ranked->ranks();
  rankCores = sim::shareChips(work, compiled.mesh, ranks.size());
  // What fills a chip's queues is not known from a part of its cores.
  if (sim::LimitedTraffic::isNeeded(compiled))
    return {};
  const sim::CoreShare own = rankCores[ranks.rank()];
  return [first = work[own.first].id, last = work[own.end - 1].id](
             uint32_t id) { return first <= id && id <= last; };
}

/// Times and prices are the run's: an image takes those of a given target whose
/// other numbers are those that it was compiled for.
void Workload::useTarget() {
  const Target compiled =
      Target::parse(program.target_yaml(), request.path + ", target_yaml");
  const Target wanted = Target::load(request.model.compile.target);
  const std::string difference = shapeDifference(compiled, wanted);
  if (!difference.empty())
    throw Error("'" + request.path + "' is compiled for target '" +
                program.target_name() + "', not for '" +
                request.model.compile.target + "': " + difference +
                "; only times and prices may differ, compile the model again "
                "for another target");
  program.set_target_name(wanted.name);
  program.set_target_yaml(wanted.yamlText);
  chipFile = wanted.filename;
}

void Workload::loadModel() {
  if (!request.modelPath.empty())
    throw Error("--model is for a program image; '" + request.path +
                "' is a model itself");
  if (request.engine == "float" &&
      removesDeadUnits(request.model.compile.rewrites))
    throw Error("--rewrite dead-units changes the integer network, which "
                "--engine float does not have; choose another engine");
  LoadedModel loaded =
      session::loadModel(request.model, request.path, request.inputs);
  model = std::move(loaded.compilation);
  inputs = std::move(loaded.inputs);
}

void Workload::loadOrigin() {
  if (request.modelPath.empty())
    return;
  origin = importModel(request.model, request.modelPath);
  if (origin->sha256() != program.model_sha256())
    throw Error("--model '" + request.modelPath + "' is not what '" +
                request.path + "' was compiled from ('" + program.model_name() +
                "'): its SHA-256 is " + origin->sha256() + ", expected " +
                program.model_sha256());
}

void Workload::compile() {
  Stopwatch watch;
  if (!model->isComplete() || !request.model.calibrate.empty())
    calibrate(*model, request.model, inputs);
  quantise(*model, request.model);
  checkSamples(*model, inputs.samples);
  if (request.model.mapVerify) {
    const auto &samples = model->calibrationSamples();
    verified = mapVerified(*model, request.model,
                           samples.empty() ? inputs.samples : samples);
    program = std::move(verified->program);
  } else {
    model->lower(request.model.compile);
    program = model->emit();
  }
  if (request.digest)
    programDigest = digestOf(program);
  wallCompile = watch.seconds();
}

const Target &Workload::chip() const {
  if (!known) {
    known =
        Target::parse(program.target_yaml(), request.path + ", target_yaml");
    known->filename = !request.isProgram() ? model->target().filename
                      : chipFile.empty() ? findTarget(program.target_name(), "")
                                         : chipFile;
  }
  return *known;
}

std::string Workload::decode() const {
  if (!model)
    return program.outputs().empty() ? "" : program.outputs(0).decode();
  auto outputs = model->floatNetwork().getOps<dend::OutputOp>();
  if (outputs.empty())
    return "";
  return (*outputs.begin()).getDecode().value_or("").str();
}

static Common commonFile(const std::string &what, const std::string &digest,
                         const std::string &file) {
  return {what, digest,
          fmt::format("'{}' with SHA-256 {}...", file, digest.substr(0, 16))};
}

std::vector<Common> commonOf(const Workload &workload) {
  const RunRequest &request = workload.request;
  const std::string chip = sha256(workload.program.target_yaml()),
                    flags = request.commonFlags.empty() ? std::string("none")
                                                        : request.commonFlags;
  std::vector<Common> common = {
      {"version of Dendrolith", DENDROLITH_VERSION, DENDROLITH_VERSION},
      {"list of flags", flags, flags},
      commonFile("image", workload.programDigest, request.path),
      commonFile("chip", chip, workload.program.target_name())};
  const auto hashes = hashesOf(workload.inputs);
  for (const auto &[name, path] : workload.inputs.files)
    common.push_back(commonFile("input '" + name + "'", hashes.at(name), path));
  for (const auto &[what, file] :
       {std::pair("file of --compare", request.expected),
        std::pair("file of --labels", request.labels)})
    if (!file.empty())
      common.push_back(commonFile(what, sha256OfFile(file, UINT64_MAX), file));
  return common;
}

/// Lets `heard` have the warnings that the listener of the request hears.
static void keepWarnings(ModelRequest &request, Warnings &heard) {
  request.listener.onWarning =
      [&heard, tell = request.listener.onWarning](const Warning &warning) {
        heard.push_back(warning);
        if (tell)
          tell(warning);
      };
}

Prepared loadOnce(ModelRequest request, const std::string &path) {
  Prepared prepared;
  keepWarnings(request, prepared.imported);
  prepared.model = importModel(request, path);
  return prepared;
}

Prepared compileOnce(ModelRequest request, const std::string &path) {
  Prepared prepared = loadOnce(request, path);
  keepWarnings(request, prepared.compiled);
  calibrate(*prepared.model, request);
  quantise(*prepared.model, request);
  prepared.model->lower(request.compile);
  prepared.program = prepared.model->emit();
  prepared.programDigest = digestOf(*prepared.program);
  return prepared;
}

} // namespace dendrolith::session
