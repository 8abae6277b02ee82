// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Commands.h"
#include "runtime/driver/ModelFlags.h"
#include "runtime/session/MapVerify.h"
#include "simulator/report/ReportText.h"
#include "simulator/report/Result.h"
#include "simulator/report/TextTable.h"

#include "dialects/dend/LastUse.h"
#include "runtime/host/Files.h"
#include "runtime/image/ListPrograms.h"
#include "runtime/image/Program.h"
#include "targets/support/Error.h"

#include <cstdio>

namespace dendrolith::driver {
namespace {

struct CompileFlags {
  session::ModelRequest model;
  std::string path, output, emit;
  bool explain = false;
};

void writeText(const std::string &text, const std::string &output) {
  if (output.empty())
    std::fputs(text.c_str(), stdout);
  else
    writeAside(output, text);
}

void printFates(Compilation &model, const CompileFlags &flags) {
  static const char *words[] = {"kept exactly", "approximated", "refused",
                                "not reached"};
  report::TextTable table({"node", "type", "weights", "fidelity", "how"});
  uint64_t weights = 0;
  for (const NodeFate &fate : model.explain(flags.model.compile)) {
    weights += fate.weights;
    table.add({fate.name, fate.type,
               fate.weights ? std::to_string(fate.weights) : "",
               words[size_t(fate.fidelity)], fate.how});
  }
  std::printf("Fidelity on target '%s' (%llu weights and biases in the file)\n"
              "%s\n",
              flags.model.compile.target.c_str(),
              static_cast<unsigned long long>(weights), table.text().c_str());
}

/// The samples that mappings are simulated on: those of the calibration, or the
/// input that a study network brings.
std::map<std::string, Samples> samplesOf(Compilation &model,
                                         const CompileFlags &flags) {
  if (!model.calibrationSamples().empty() || !model.isComplete())
    return model.calibrationSamples();
  return session::loadInputs({flags.path},
                             session::inputShapes(model.floatNetwork()),
                             flags.model.steps, flags.model.listener)
      .samples;
}

/// Maps. Where only the image is asked for, nobody reads the model again.
void lowerOnce(Compilation &model, const CompileFlags &flags) {
  if (!flags.explain && flags.emit != "chip")
    dend::markLastUse(model.fixedNetwork());
  model.lower(flags.model.compile);
}

/// Quantises and maps. With --explain the report is printed first, whether or
/// not a program results.
std::optional<session::VerifiedMapping> makeProgram(Compilation &model,
                                                    const CompileFlags &flags) {
  std::optional<session::VerifiedMapping> verified;
  try {
    session::quantise(model, flags.model);
    if (flags.model.mapVerify)
      verified =
          session::mapVerified(model, flags.model, samplesOf(model, flags));
    else if (flags.emit != "dend-fixed")
      lowerOnce(model, flags);
  } catch (const Error &) {
    if (flags.explain)
      printFates(model, flags);
    throw;
  }
  if (flags.explain)
    printFates(model, flags);
  return verified;
}

void compile(const CompileFlags &flags) {
  if (flags.model.mapVerify && flags.emit.rfind("dend", 0) == 0)
    throw Error("--map-verify refines a mapping, which --emit " + flags.emit +
                " does not come to; leave out one of them");
  auto model = session::importModel(flags.model, flags.path);
  session::calibrate(*model, flags.model);
  if (flags.emit == "dend")
    return writeText(model->text("dend"), flags.output);
  const auto verified = makeProgram(*model, flags);
  if (flags.emit == "dend-fixed")
    return writeText(model->text("dend-fixed"), flags.output);
  if (flags.emit == "chip")
    return writeText(model->text("chip"), flags.output);
  image::Program program = model->emit();
  nlohmann::ordered_json facts = report::programFacts(program);
  if (verified)
    facts["map_verify"] = session::toJson(*verified);
  if (flags.emit == "microcode")
    return writeText(listPrograms(program), flags.output);
  if (flags.emit == "stats")
    return writeText(facts.dump(2) + "\n", flags.output);
  std::fputs(report::formatProgramFacts(facts).c_str(), stdout);
  if (verified)
    std::printf("\n%s", session::formatRounds(*verified).c_str());
  if (!flags.output.empty()) {
    saveProgram(program, flags.output);
    std::printf("\nwrote %s\n", flags.output.c_str());
  }
}

} // namespace

void addCompile(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "compile", "Quantise, schedule and map a model onto a chip");
  command->footer("Example: dendrolith compile net.nir --target loihi1 "
                  "--calibrate calib_x.npy -o net.dlp");
  auto flags = std::make_shared<CompileFlags>();
  command->add_option("MODEL", flags->path, modelHelp("Trained network: "))
      ->required();
  addModelFlags(*command, flags->model);
  addMapVerifyFlag(*command, flags->model);
  command
      ->add_option("--emit", flags->emit,
                   "Print a stage instead of writing an image")
      ->check(
          CLI::IsMember({"dend", "dend-fixed", "chip", "microcode", "stats"}));
  command->add_flag("--explain", flags->explain,
                    "What became of each node of the model: kept exactly, "
                    "approximated or refused");
  command
      ->add_option("--threads", flags->model.compile.threads,
                   "Threads of calibration and of the mapping's search, which "
                   "change no byte; 0 = one per processor")
      ->check(CLI::Range(0u, 1024u))
      ->capture_default_str();
  command->add_option("-o,--output", flags->output,
                      "Program image (.dlp), or file for --emit");
  command->callback(
      [flags] { withMemoryFor(flags->path, [&] { compile(*flags); }); });
}

} // namespace dendrolith::driver
