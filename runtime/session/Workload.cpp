// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/session/Workload.h"

#include "runtime/session/Progress.h"
#include "simulator/report/Result.h"

#include "compiler/pipelines/Rewrites.h"
#include "targets/loader/Discovery.h"

#include <fmt/format.h>

namespace neurite::session {

bool onChip(const std::string &engine) {
  return engine == "functional" || engine == "cycle";
}

/// Refuses real values for an input that carries events, by name.
static void checkEvents(const image::Program &program,
                        const LoadedInputs &inputs) {
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

Workload::Workload(const RunRequest &flags) : flags(flags) {
  Stopwatch watch;
  if (flags.isProgram())
    loadProgramImage();
  else
    loadModel();
  wallLoad = watch.seconds();
  if (model && flags.engine != "float")
    compile();
}

void Workload::loadProgramImage() {
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
}

void Workload::loadModel() {
  if (!flags.modelPath.empty())
    throw Error("--model is for a program image; '" + flags.path +
                "' is a model itself");
  if (flags.engine == "float" && removesDeadUnits(flags.model.compile.rewrites))
    throw Error("--rewrite dead-units changes the integer network, which "
                "--engine float does not have; choose another engine");
  model = importModel(flags.model, flags.path);
  std::vector<std::string> given = flags.inputs;
  if (given.empty() && model->isComplete())
    given = {flags.path};
  inputs = loadInputs(given, inputShapes(model->floatNetwork()));
}

/// The model that an image was compiled from.
void Workload::loadOrigin() {
  if (flags.modelPath.empty())
    return;
  origin = importModel(flags.model, flags.modelPath);
  if (origin->sha256() != program.model_sha256())
    throw Error("--model '" + flags.modelPath + "' is not what '" + flags.path +
                "' was compiled from ('" + program.model_name() +
                "'): its SHA-256 is " + origin->sha256() + ", expected " +
                program.model_sha256());
}

void Workload::compile() {
  Stopwatch watch;
  if (!model->isComplete() || !flags.model.calibrate.empty())
    calibrate(*model, flags.model, inputs);
  model->quantise(flags.model.compile);
  model->lower(flags.model.compile);
  program = model->emit();
  if (!flags.out.empty()) // where it is written
    programDigest = digestOf(program);
  checkEvents(program, inputs);
  wallCompile = watch.seconds();
}

Target Workload::chip() const {
  Target target =
      Target::parse(program.target_yaml(), flags.path + ", target_yaml");
  target.filename = flags.isProgram()
                        ? findTarget(program.target_name(), "")
                        : Target::load(flags.model.compile.target).filename;
  return target;
}

std::string Workload::decode() const {
  if (!model)
    return program.outputs().empty() ? "" : program.outputs(0).decode();
  auto outputs = model->floatNetwork().getOps<dend::OutputOp>();
  if (outputs.empty())
    return "";
  return (*outputs.begin()).getDecode().value_or("").str();
}

} // namespace neurite::session
