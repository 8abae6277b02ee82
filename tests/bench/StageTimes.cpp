// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Seconds of processor time of each stage of one network, from its file to the
// results of all engines, as one line of JSON; stages.py makes a table of many.
// Stages are the calls that `dendrolith run` makes, on one thread.

#include "compiler/lowering/MapJob.h"
#include "runtime/image/Program.h"
#include "runtime/session/ModelRequest.h"
#include "runtime/session/RunInterpreter.h"
#include "simulator/Run.h"
#include "targets/support/Error.h"

#include "mlir/IR/OwningOpRef.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <cstdio>

namespace {

using namespace dendrolith;

/// Seconds of this process and of those that it has waited for, as the cycle
/// engine runs in one of its own.
double processorSeconds() {
  double sum = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    ::getrusage(who, &used);
    for (const timeval &time : {used.ru_utime, used.ru_stime})
      sum += double(time.tv_sec) + 1e-6 * double(time.tv_usec);
  }
  return sum;
}

class Stages {
public:
  template <typename Work> auto time(const char *stage, Work work) {
    const double before = processorSeconds();
    struct AtEnd {
      ~AtEnd() { to[stage] = processorSeconds() - before; }
      nlohmann::ordered_json &to;
      const char *stage;
      double before;
    } end{json, stage, before};
    return work();
  }

  nlohmann::ordered_json json;
};

/// What the mapper alone takes: the compiler maps and lowers in one pass, which
/// "lower" has as a whole.
void mapAlone(Stages &stages, Compilation &model) {
  auto network = toMapNetwork(model.fixedNetwork(), model.target());
  if (failed(network))
    throw Error("the network cannot be brought to the mapper");
  MappingOptions options;
  auto placed = modelPlacement(*network);
  auto numbers = modelNumbers(*network);
  if (failed(placed) || failed(numbers))
    throw Error("the model's own placement cannot be read");
  options.model = std::move(*placed);
  options.numbers = std::move(*numbers);
  stages.time("map", [&] {
    if (!mapNetwork(network->map, model.target(), options))
      throw Error("the network does not fit");
  });
}

void timeStages(Stages &stages, const session::ModelRequest &request,
                const std::string &path, const std::vector<std::string> &inputs,
                const std::vector<std::string> &engines) {
  session::LoadedModel loaded = stages.time(
      "load", [&] { return session::loadModel(request, path, inputs); });
  Compilation &model = *loaded.compilation;
  stages.time("calibrate", [&] {
    if (!model.isComplete() || !request.calibrate.empty())
      session::calibrate(model, request, loaded.inputs);
  });
  stages.time("quantise", [&] { session::quantise(model, request); });
  mapAlone(stages, model);
  stages.time("lower", [&] { model.lower(request.compile); });
  const image::Program program =
      stages.time("emit", [&] { return model.emit(); });
  const std::string bytes =
      stages.time("write", [&] { return serialize(program); });
  stages.time("check", [&] { validate(program); });
  // Reading checks, too.
  stages.time("read", [&] { parseProgram(bytes, "the image"); });
  stages.json["read"] =
      stages.json["read"].get<double>() - stages.json["check"].get<double>();
  const std::map<std::string, Samples> &samples = loaded.inputs.samples;
  for (const std::string &engine : engines)
    stages.time(engine.c_str(), [&] {
      if (engine == "functional")
        sim::runFunctional(program, model.target(), samples, {});
      else if (engine == "cycle")
        sim::runCycle(program, model.target(), samples, {});
      else {
        session::InterpreterRun interpreted{
            engine == "float" ? model.floatNetwork() : model.fixedNetwork(),
            model.constants(), samples};
        interpreted.fast = engine == "float";
        session::runInterpreter(interpreted);
      }
    });
}

} // namespace

int main(int count, char **words) {
  CLI::App app("Seconds of processor time of each stage of a network");
  session::ModelRequest request;
  std::string path;
  std::vector<std::string> inputs, engines = {"functional", "cycle"};
  app.add_option("MODEL", path)->required();
  app.add_option("--target", request.compile.target)->required();
  app.add_option("--calibrate", request.calibrate);
  app.add_option("--input", inputs);
  app.add_option("--engine", engines)->delimiter(',');
  CLI11_PARSE(app, count, words);
  try {
    Stages stages;
    timeStages(stages, request, path, inputs, engines);
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    stages.json["MB"] = double(used.ru_maxrss) * 1024 / 1e6;
    std::printf("%s\n", stages.json.dump().c_str());
    return 0;
  } catch (const Error &error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
