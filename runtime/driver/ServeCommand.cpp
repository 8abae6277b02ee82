// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith serve`: a program that runs networks for another one, which need
// not start it and compile again for each run. runtime/python/PROTOCOL.md says
// what goes over the pipes.

#include "runtime/driver/CheckFlags.h"
#include "runtime/driver/Commands.h"
#include "runtime/driver/ModelFlags.h"
#include "runtime/driver/RunFlags.h"
#include "runtime/driver/Suggest.h"
#include "runtime/session/ErrorParts.h"
#include "runtime/session/Prepared.h"
#include "simulator/report/Result.h"

#include "runtime/image/Program.h"
#include "targets/support/Text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace dendrolith::driver {
namespace {

using Json = nlohmann::ordered_json;

/// Where arrays go on their way: a folder for this process and its user alone,
/// which goes with it.
class Scratch {
public:
  Scratch() {
    std::string name =
        (std::filesystem::temp_directory_path() / "dendrolith-XXXXXX").string();
    if (!::mkdtemp(name.data()))
      throw Error("cannot make a folder for arrays: " + name + ": " +
                  std::strerror(errno));
    folder = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;

  std::string folder;
};

/// Answers get a descriptor of their own, and whatever else prints to standard
/// output in this process joins the messages, so that nothing can come between.
FILE *takeStandardOutput() {
  const int own = ::dup(STDOUT_FILENO);
  FILE *answers = own < 0 ? nullptr : ::fdopen(own, "w");
  if (!answers || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Error(std::string("cannot answer on standard output: ") +
                std::strerror(errno));
  return answers;
}

/// The arguments as CLI11 takes them, the last one first.
void parse(CLI::App &app, const Json &request) {
  auto arguments = request.at("args").get<std::vector<std::string>>();
  try {
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError &error) {
    const std::string meant = suggestions(app);
    throw CLI::Error(error.get_name(),
                     meant.empty() ? error.what()
                                   : std::string(error.what()) + "; " + meant,
                     error.get_exit_code());
  }
}

/// A compiled or loaded model, or an image, which is small and read for each
/// run.
struct Held {
  std::string path;
  uint64_t steps = 0;
  std::shared_ptr<const session::Prepared> prepared;
};

/// How many classes a read-out tells apart: its elements, null where neurons
/// have vectors.
Json sizeOf(dend::OutputOp output, dend::NetworkOp network) {
  if (std::optional<llvm::ArrayRef<int64_t>> shape = output.getShape())
    return product(*shape);
  auto population =
      network.lookupSymbol<dend::PopulationOp>(output.getPopulation());
  dend::NeuronOp model = dend::modelOf(population);
  auto yield = mlir::cast<dend::YieldOp>(model.getBlock().getTerminator());
  auto isVector = [](mlir::Value value) {
    return mlir::isa<mlir::ShapedType>(value.getType());
  };
  if (llvm::any_of(model.getStateArgs(), isVector) ||
      llvm::any_of(yield.getEmitted(), isVector))
    return nullptr;
  return population.getSize();
}

Json shapeOf(const Held &held) {
  Json inputs = Json::array();
  const auto shapes =
      held.prepared ? session::inputShapes(held.prepared->model->floatNetwork())
                    : session::inputShapes(loadProgram(held.path));
  for (const session::InputShape &input : shapes)
    inputs.push_back({{"name", input.name},
                      {"shape", input.shape},
                      {"ticks", input.ticks},
                      {"tokens", input.tokens}});
  Json populations = Json::array(), outputs = Json::array();
  if (held.prepared) {
    dend::NetworkOp network = held.prepared->model->floatNetwork();
    for (auto population : network.getOps<dend::PopulationOp>())
      populations.push_back({{"name", population.getSymName().str()},
                             {"neurons", population.getSize()}});
    for (auto output : network.getOps<dend::OutputOp>())
      outputs.push_back({{"name", output.getSymName().str()},
                         {"size", sizeOf(output, network)}});
  }
  return {
      {"inputs", inputs}, {"populations", populations}, {"outputs", outputs}};
}

class Server {
public:
  Json answer(const Json &request) {
    const std::string what = request.at("do");
    if (what == "hello")
      return {{"dendrolith", DENDROLITH_VERSION},
              {"schema", report::kResultSchema},
              {"protocol", 1},
              {"folder", scratch.folder}};
    if (what == "load" || what == "compile")
      return hold(request, what == "compile");
    if (what == "run")
      return run(request);
    if (what == "save")
      return save(request);
    if (what == "check")
      return check(request);
    if (what == "drop")
      return {{"dropped", held.erase(request.at("name")) > 0}};
    throw Error("unknown request '" + what +
                "', expected hello, load, compile, run, save, check or drop");
  }

private:
  Json hold(const Json &request, bool compiles) {
    CLI::App app;
    session::ModelRequest model;
    Held made;
    app.add_option("MODEL", made.path)->required();
    addModelFlags(app, model);
    // Nobody watches, and an interrupt is the caller's.
    model.compile.control = nullptr;
    Json warnings = Json::array();
    model.listener = {};
    model.listener.onWarning = [&](const Warning &warning) {
      warnings.push_back({{"code", warning.code},
                          {"where", warning.where},
                          {"text", warning.text}});
    };
    parse(app, request);
    made.steps = model.steps;
    Json facts;
    if (std::filesystem::path(made.path).extension() == ".dlp") {
      facts = report::programFacts(loadProgram(made.path));
    } else {
      auto prepared = std::make_shared<session::Prepared>(
          compiles ? session::compileOnce(model, made.path)
                   : session::loadOnce(model, made.path));
      if (prepared->program)
        facts = report::programFacts(*prepared->program);
      made.prepared = std::move(prepared);
    }
    Json answer = shapeOf(made);
    answer["warnings"] = warnings;
    answer["facts"] = facts;
    held[request.at("name")] = std::move(made);
    return answer;
  }

  const Held &named(const Json &request) const {
    const std::string name = request.at("name");
    auto found = held.find(name);
    if (found == held.end())
      throw Error("no program '" + name + "' is held; compile it first");
    return found->second;
  }

  Json run(const Json &request) {
    const Held &program = named(request);
    CLI::App app;
    RunFlags flags;
    flags.request.path = program.path;
    flags.request.prepared = program.prepared;
    flags.request.model.steps = program.steps;
    addRunFlags(app, flags);
    parse(app, request);
    settle(flags, app);
    const Ran ran =
        withMemoryFor(program.path, [&] { return runAndWrite(flags); });
    if (ran.outcome.expected && ran.outcome.expected->different)
      throw Error(ran.outcome.expected->text);
    return {{"out", flags.out}};
  }

  Json save(const Json &request) const {
    const Held &program = named(request);
    if (!program.prepared || !program.prepared->program)
      throw Error("'" + program.path +
                  "' is not compiled here, so there is no image to save");
    saveProgram(*program.prepared->program, request.at("file"));
    return Json::object();
  }

  static Json check(const Json &request) {
    CLI::App app;
    CheckFlags flags;
    addCheckFlags(app, flags);
    flags.model.listener = {};
    flags.model.compile.control = nullptr;
    parse(app, request);
    return session::toJson(driver::check(flags));
  }

  Scratch scratch;
  std::map<std::string, Held> held;
};

/// What is wrong with a request is its answer: the next one may be right.
Json answerTo(Server &server, const std::string &line) {
  Json answer = {{"id", nullptr}};
  try {
    const Json request = Json::parse(line);
    if (request.contains("id"))
      answer["id"] = request["id"];
    answer["ok"] = server.answer(request);
  } catch (const Refused &error) {
    answer["error"] = session::errorJson("unfit", error.what());
  } catch (const Unsupported &error) {
    answer["error"] = session::errorJson("unsupported", error.what());
  } catch (const Json::exception &error) {
    answer["error"] = session::errorJson("usage", error.what());
  } catch (const CLI::Error &error) {
    answer["error"] = session::errorJson("usage", error.what());
  } catch (const std::bad_alloc &) {
    answer["error"] = session::errorJson("error", "out of memory");
  } catch (const std::exception &error) {
    answer["error"] = session::errorJson("error", error.what());
  }
  return answer;
}

void serve() {
  FILE *answers = takeStandardOutput();
  Server server;
  for (std::string line; std::getline(std::cin, line);) {
    // A message may quote bytes of a file that are no UTF-8.
    const std::string text =
        answerTo(server, line)
            .dump(-1, ' ', false, Json::error_handler_t::replace) +
        "\n";
    if (std::fputs(text.c_str(), answers) < 0 || std::fflush(answers) != 0)
      break; // nobody listens any more
  }
  std::fclose(answers);
}

} // namespace

void addServe(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "serve", "Run networks for another program, which asks on standard "
               "input; the Python package does");
  command->footer("Example: echo '{\"do\": \"hello\"}' | dendrolith serve");
  command->callback(serve);
}

} // namespace dendrolith::driver
