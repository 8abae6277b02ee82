// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Command.h"
#include "runtime/driver/Terminal.h"
#include "runtime/options/ModelOptions.h"
#include "runtime/session/Check.h"
#include "runtime/session/MapVerify.h"
#include "simulator/report/result/Result.h"
#include "simulator/report/text/ReportText.h"
#include "simulator/report/text/TextTable.h"

#include "dialects/dend/LastUse.h"
#include "runtime/host/Files.h"
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
    throw Error("map-verify of --tuning refines a mapping, which --emit " +
                flags.emit + " does not come to; leave out one of them");
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
  session::checkLoading(program, flags.model.listener);
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

void addCompile(Command &command) {
  auto flags = std::make_shared<CompileFlags>();
  CompileOptions &compiler = flags->model.compile;
  options::CommandOptions &options = command.options;
  options.bind("MODEL", flags->path);
  useTerminal(flags->model);
  bindModel(options, flags->model);
  options.bind("map-verify", flags->model.mapVerify);
  options.bind("emit", flags->emit);
  options.bind("explain", flags->explain);
  options.bind("timing", compiler.timing);
  options.bind("costs", compiler.costs);
  options.bind("threads", compiler.threads);
  options.bind("out", flags->output);
  command.run = [flags] {
    withMemoryFor(flags->path, [&] { compile(*flags); });
  };
}

} // namespace dendrolith::driver
