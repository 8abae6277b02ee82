// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/driver/Command.h"
#include "runtime/driver/Terminal.h"
#include "runtime/options/ModelOptions.h"

#include "compiler/export/lava/ExportNetwork.h"
#include "compiler/export/lava/ExportProgram.h"
#include "compiler/export/netx/Hdf5File.h"
#include "compiler/export/netx/Netx.h"
#include "compiler/import/nir/Nir.h"
#include "runtime/host/Files.h"
#include "runtime/image/Program.h"
#include "runtime/session/Check.h"
#include "targets/support/Error.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <unistd.h>

namespace dendrolith::driver {
namespace {

struct ExportFlags {
  session::ModelRequest model;
  std::string path, format, output, given;
  std::vector<std::string> inputs; // of a run with the same number ranges
  bool targetGiven = false;

  bool isProgram() const {
    return path.size() > 4 && path.compare(path.size() - 4, 4, ".dlp") == 0;
  }
};

/// Sets number ranges as a run with the same flags does, which calibrates on
/// the first samples of its own input.
void setRanges(Compilation &model, const ExportFlags &flags) {
  if (!flags.inputs.empty())
    return session::calibrate(
        model, flags.model,
        session::loadInputs(flags.inputs,
                            session::inputShapes(model.floatNetwork()), 0,
                            flags.model.listener));
  session::calibrate(model, flags.model);
  if (flags.model.calibrate.empty() && !flags.model.steps &&
      !model.isComplete())
    flags.model.listener.warn(
        {"export-ranges", "the network",
         "without --calibrate or --input number ranges come from the model's "
         "own examples, if it has any, and from its weights; run calibrates on "
         "the first samples of its input, so that its integers may differ: "
         "give "
         "that input with --input, or --calibrate to both"});
}

void printChoices(const dendrolith::Choices &choices) {
  std::printf("Choices\n");
  for (const auto &[key, value] : choices)
    std::printf("  %s: %s\n", key.c_str(), value.c_str());
}

lava::Model modelOf(const ExportFlags &flags) {
  if (flags.isProgram()) {
    if (flags.targetGiven || !flags.given.empty() || !flags.inputs.empty())
      throw Error("'" + flags.path +
                  "' is compiled already; flags that quantise belong to a "
                  "model file");
    std::string digest;
    image::Program program = loadProgram(flags.path, &digest);
    lava::Model model = lava::exportProgram(program);
    model.set_source_hash(digest);
    return model;
  }
  auto compilation = session::importModel(flags.model, flags.path);
  setRanges(*compilation, flags);
  session::quantise(*compilation, flags.model);
  lava::Model model =
      lava::exportNetwork(compilation->fixedNetwork(), flags.format != "lava");
  model.set_source_hash(compilation->sha256());
  printChoices(compilation->choices());
  std::printf("  target: %s\n\n", flags.model.compile.target.c_str());
  return model;
}

void printSummary(const lava::Model &model) {
  std::map<std::string, size_t> classes;
  for (const lava::Process &process : model.processes())
    ++classes[process.lava_class()];
  for (const auto &[name, count] : classes)
    std::printf("%4zu  %s\n", count, name.c_str());
  for (const lava::Output &output : model.outputs())
    std::printf("output '%s': %s of '%s', %llu steps behind the inputs\n",
                output.name().c_str(), output.source_port().c_str(),
                output.source().c_str(),
                static_cast<unsigned long long>(output.latency()));
}

/// NIR has no integers, so that nothing of a chip goes into its file.
void exportNir(const ExportFlags &flags) {
  const size_t end = flags.path.rfind(".nir");
  if (end == flags.path.npos || end + 4 != flags.path.size())
    throw Error("'" + flags.path +
                "': --format nir writes the network of a .nir file as it was "
                "understood, and no other; give --format lava");
  if (flags.targetGiven || !flags.inputs.empty() ||
      !flags.model.calibrate.empty())
    throw Error("--format nir writes a network of real numbers; leave out "
                "--target, --calibrate and --input, which quantise");
  auto compilation = session::importModel(flags.model, flags.path);
  if (!flags.model.compile.rewrites.empty())
    throw Error("--format nir writes the network of the file; leave out "
                "--rewrite, which makes another one");
  writeAside(flags.output,
             lava::hdf5Bytes(explicitNir(flags.path, flags.model.import)));
  printChoices(compilation->choices());
  std::printf("\nwrote %s\n", flags.output.c_str());
}

/// A model's program, for the chip of the format where none is named.
image::Program programOf(const session::ModelRequest &request,
                         const std::string &path) {
  auto compilation = session::importModel(request, path);
  session::calibrate(*compilation, request);
  session::quantise(*compilation, request);
  return session::mapProgram(*compilation, request.compile).program;
}

/// The files that load an open chip, in a folder.
void exportLoader(const ExportFlags &flags) {
  session::ModelRequest request = flags.model;
  if (!flags.targetGiven)
    request.compile.target = flags.format;
  const image::Program program = flags.isProgram()
                                     ? loadProgram(flags.path)
                                     : programOf(request, flags.path);
  if (program.target_name() != flags.format)
    throw Error("--format " + flags.format + " loads the chip '" +
                flags.format + "', and the program is for '" +
                program.target_name() + "'; give --target " + flags.format);
  const auto files =
      session::loaderFiles(program, flags.format, flags.model.listener);
  std::filesystem::create_directories(flags.output);
  for (const auto &[name, text] : files)
    writeAside((std::filesystem::path(flags.output) / name).string(), text);
  std::printf("wrote %zu files to %s\n", files.size(), flags.output.c_str());
}

void exportModel(const ExportFlags &flags) {
  if (flags.format == "odin" || flags.format == "tinyodin" ||
      flags.format == "ranc" || flags.format == "catalyst-n1")
    return exportLoader(flags);
  if (flags.format == "nir")
    return exportNir(flags);
  lava::Model model = modelOf(flags);
  model.set_schema_version(lava::kSchemaVersion);
  model.set_producer("dendrolith " DENDROLITH_VERSION);
  std::optional<unsigned> resetOffset;
  if (flags.format == "netx")
    resetOffset = lava::writeNetx(model, flags.output);
  else
    lava::writeModel(model, flags.output);
  printSummary(model);
  std::printf("\nwrote %s\n", flags.output.c_str());
  if (resetOffset)
    std::printf(
        "Layers have biases, which NetX applies before their first input "
        "comes: "
        "load the file as netx.hdf5.Network(..., reset_interval=N, "
        "reset_offset=%u), here with --import "
        "reset-interval=N,reset-offset=%u, where N is more than the steps of a "
        "sample\n",
        *resetOffset, *resetOffset);
}

} // namespace

void addExport(Command &command) {
  auto flags = std::make_shared<ExportFlags>();
  options::CommandOptions &options = command.options;
  options.bind("MODEL", flags->path);
  useTerminal(flags->model);
  bindModel(options, flags->model);
  options.bind("input", flags->inputs);
  options.bind("format", flags->format);
  options.bind("out", flags->output);
  command.run = [flags, &options] {
    flags->targetGiven = options.isGiven("target");
    flags->given = givenToCompiler(options);
    exportModel(*flags);
  };
}

// `dendrolith cosim`: the Python package compares (dendrolith/cosim.py).

void addCosim(Command &command) {
  struct Flags {
    session::ModelRequest model;
    std::string path, rtl, engine;
    std::vector<std::string> inputs;
  };
  auto flags = std::make_shared<Flags>();
  options::CommandOptions &options = command.options;
  options.bind("MODEL", flags->path);
  options.bind("engine", flags->engine);
  options.bind("RTL", flags->rtl);
  bindModel(options, flags->model);
  options.bind("input", flags->inputs);
  command.run = [flags, &options] {
    std::vector<std::string> words = {
        "python3", "-c",
        "import sys\n"
        "try:\n"
        "    from dendrolith.cosim import main\n"
        "except ImportError as error:\n"
        "    sys.exit(f'error: cosim needs the Python package dendrolith, "
        "which "
        "python3 does not find ({error}); pip install dendrolith-*.whl, or put "
        "runtime/python into PYTHONPATH')\n"
        "sys.exit(main(sys.argv[1:]))\n",
        flags->path, flags->rtl};
    for (const options::Option *row : options.bound())
      if (!row->isArgument() && row->isOnLine() && options.isGiven(row->name))
        for (const std::string &value : options.valuesOf(row->name))
          words.insert(words.end(), {"--" + row->name, value});
    std::vector<char *> arguments;
    for (std::string &word : words)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    std::error_code none;
    ::setenv("DENDROLITH_BIN",
             std::filesystem::read_symlink("/proc/self/exe", none).c_str(), 1);
    std::fflush(stdout);
    ::execvp("python3", arguments.data());
    throw Error("cosim needs python3, which cannot be started; install it");
  };
}

} // namespace dendrolith::driver
