// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith serve`: a program that runs networks for another one, which need
// not start it and compile again for each run. runtime/python/PROTOCOL.md says
// what goes over the pipes.

#include "runtime/driver/CheckCommand.h"
#include "runtime/driver/Command.h"
#include "runtime/driver/OutputFiles.h"
#include "runtime/driver/RunCommand.h"
#include "runtime/driver/Terminal.h"
#include "runtime/options/ModelOptions.h"
#include "runtime/session/Engines.h"
#include "runtime/session/ErrorParts.h"
#include "runtime/session/NetworkShape.h"
#include "runtime/session/Workload.h"
#include "simulator/report/html/NetworkPicture.h"
#include "simulator/report/result/Pricing.h"
#include "simulator/report/result/Result.h"

#include "runtime/image/Program.h"
#include "runtime/image/ProgramFile.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/JsonText.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <map>
#include <set>

namespace dendrolith::driver {
namespace {

using Json = nlohmann::ordered_json;

/// The text that a request has to have by a name.
std::string textIn(const Json &request, const char *name) {
  const auto found = request.find(name);
  if (found == request.end() || !found->is_string())
    throw options::UsageError(
        fmt::format("expected a request with \"{}\", a text, found {}", name,
                    found == request.end() ? "none" : found->type_name()));
  return found->get<std::string>();
}

/// Sets the options that the arguments of a request give.
void read(options::CommandOptions &options, const Json &request) {
  const auto args = request.find("args");
  const auto isText = [](const Json &each) { return each.is_string(); };
  if (args == request.end() || !args->is_array() ||
      !std::all_of(args->begin(), args->end(), isText))
    throw options::UsageError(
        "expected a request with \"args\", a list of texts");
  readArguments(options, args->get<std::vector<std::string>>());
}

/// Who asks tells answers apart by it. One that nests would have to be printed
/// level by level.
Json idOf(const Json &request) {
  if (!request.is_object())
    throw options::UsageError(fmt::format(
        "expected a request that is an object, found {}", request.type_name()));
  const Json id = request.value("id", Json());
  if (id.is_structured())
    throw options::UsageError("expected an \"id\" that is a number, a text, "
                              "true, false or null, found " +
                              std::string(id.type_name()));
  return id;
}

/// Throws UsageError where a text of a request has a control character: a NUL
/// would cut a path, and no name or path of ours has any other.
void refuseControls(const Json &value, const std::string &where) {
  if (value.is_string()) {
    const std::string &text = value.get_ref<const std::string &>();
    for (size_t i = 0; i < text.size(); ++i)
      if (static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f)
        throw options::UsageError(fmt::format(
            "'{}' of the request has the control character \\x{:02x} "
            "at byte {}, expected a text without any: '{}'",
            where, text[i], i, printable(text)));
  }
  if (value.is_structured())
    for (const auto &[key, part] : value.items())
      refuseControls(part, value.is_array() ? where : key);
}

/// A key that nothing reads is mostly a misspelt one.
void refuseUnknownKeys(const Json &request, const std::string &what) {
  static const std::map<std::string, std::set<std::string>> kBesides = {
      {"hello", {}},
      {"load", {"name", "args"}},
      {"compile", {"name", "args"}},
      {"run", {"name", "args"}},
      {"step", {"name", "args", "anew"}},
      {"save", {"name", "file"}},
      {"check", {"args"}},
      {"draw", {"name", "result", "flows"}},
      {"drop", {"name"}}};
  const auto row = kBesides.find(what);
  if (row == kBesides.end())
    return;
  for (const auto &[key, value] : request.items())
    if (key != "id" && key != "do" && !row->second.count(key))
      throw options::UsageError(fmt::format(
          "'{}' has no key '{}', expected id, do{}{}", what, printable(key),
          row->second.empty() ? "" : ", ", fmt::join(row->second, ", ")));
}

/// A compiled or loaded model, or an image, which is small and read for each
/// run; all of it stays what it was when it was made, files or not.
struct Held {
  std::string path;
  uint64_t steps = 0;
  std::shared_ptr<const session::Prepared> prepared;
  std::string modelDigest, programDigest;
  /// The cost tables of the chip, where it prices events.
  std::shared_ptr<const std::vector<CostTable>> prices;
  std::shared_ptr<session::SteppedRun> stepped = nullptr; ///< of `step`
};

/// Reads the cost tables that the chip of a program names, now: they lie in
/// files of their own. A chip without any has an error when it runs.
void holdPrices(Held &held, const image::Program &program) {
  try {
    Target chip =
        Target::parse(program.target_yaml(), held.path + ", target_yaml");
    chip.filename = held.prepared ? held.prepared->model->target().filename
                                  : findTarget(program.target_name(), "");
    held.prices = std::make_shared<const std::vector<CostTable>>(
        report::chooseCosts("", chip));
  } catch (const Error &) {
  }
}

/// What the held program is, by digests: whoever makes it again finds the same
/// or has another one.
Json identityOf(const Held &held) {
  Json costs = Json::array();
  if (held.prices)
    for (const CostTable &table : *held.prices)
      costs.push_back(table.hash);
  return {{"model", held.modelDigest},
          {"program", held.programDigest},
          {"costs", costs}};
}

class Server {
public:
  Json answer(const Json &request) {
    const std::string what = textIn(request, "do");
    refuseUnknownKeys(request, what);
    if (what == "hello")
      return {{"dendrolith", DENDROLITH_VERSION},
              {"schema", report::kResultSchema},
              {"protocol", 1},
              {"folder", scratch.folder}};
    if (what == "load" || what == "compile")
      return hold(request, what == "compile");
    if (what == "run")
      return run(request);
    if (what == "step")
      return step(request);
    if (what == "save")
      return save(request);
    if (what == "check")
      return check(request);
    if (what == "draw")
      return draw(request);
    if (what == "drop")
      return {{"dropped", held.erase(textIn(request, "name")) > 0}};
    throw Error("unknown request '" + printable(what) +
                "', expected hello, load, compile, run, step, save, check, "
                "draw or drop");
  }

private:
  Json hold(const Json &request, bool compiles) {
    // Nobody watches, and an interrupt is the caller's.
    session::ModelRequest model;
    model.compile.threads = 0;
    Held made;
    options::CommandOptions options("compile");
    options.bind("MODEL", made.path);
    bindModel(options, model);
    Json warnings = Json::array();
    model.listener.onWarning = [&](const Warning &warning) {
      warnings.push_back({{"code", warning.code},
                          {"where", warning.where},
                          {"text", warning.text}});
    };
    read(options, request);
    made.steps = model.steps;
    Json answer =
        std::filesystem::path(made.path).extension() == ".dlp"
            ? openImage(made)
            : takePrepared(made, compiles
                                     ? session::compileOnce(model, made.path)
                                     : session::loadOnce(model, made.path));
    answer["warnings"] = warnings;
    answer["identity"] = identityOf(made);
    held[textIn(request, "name")] = std::move(made);
    return answer;
  }

  /// Reads an image once, and returns its shape and facts.
  static Json openImage(Held &made) {
    ProgramFile file(made.path);
    made.programDigest = file.digest();
    const image::Program program = file.read();
    made.modelDigest = program.model_sha256();
    holdPrices(made, program);
    Json answer = session::portsOf(program);
    answer["facts"] = report::programFacts(program);
    return answer;
  }

  /// Returns the shape of a model and, if it is compiled, its facts.
  static Json takePrepared(Held &made, session::Prepared &&prepared) {
    made.prepared = std::make_shared<session::Prepared>(std::move(prepared));
    const session::Prepared &now = *made.prepared;
    made.modelDigest = now.model->sha256();
    made.programDigest = now.programDigest;
    Json answer = session::portsOf(now.model->floatNetwork());
    answer["facts"] = nullptr;
    if (now.program) {
      holdPrices(made, *now.program);
      answer["facts"] = report::programFacts(*now.program);
    }
    return answer;
  }

  const Held &named(const Json &request) const {
    const std::string name = textIn(request, "name");
    auto found = held.find(name);
    if (found == held.end())
      throw Error("no program '" + name + "' is held; compile it first");
    return found->second;
  }

  static session::RunRequest requestOf(const Held &program) {
    session::RunRequest request;
    request.path = program.path;
    request.prepared = program.prepared;
    request.model.steps = program.steps;
    request.prices = program.prices;
    if (!program.prepared)
      request.programDigest = program.programDigest;
    return request;
  }

  Json run(const Json &request) {
    const Held &program = named(request);
    options::CommandOptions options("run");
    RunFlags flags;
    flags.request = requestOf(program);
    bindRun(options, flags);
    read(options, request);
    settle(flags, options);
    const Ran ran =
        withMemoryFor(program.path, [&] { return runAndWrite(flags); });
    if (ran.outcome.expected && ran.outcome.expected->different)
      throw Error(ran.outcome.expected->text);
    return {{"out", flags.out}};
  }

  /// The outputs of the next steps, or with "anew" of the first ones.
  Json step(const Json &request) {
    const Held &program = named(request);
    session::RunRequest next = requestOf(program);
    options::CommandOptions options("run");
    options.bind("input", next.inputs);
    read(options, request);
    auto &stepped = held.at(textIn(request, "name")).stepped;
    if (!stepped)
      stepped = std::make_shared<session::SteppedRun>();
    const bool anew = request.value("anew", false);
    Json outputs = Json::object();
    for (const sim::OutputData &output : withMemoryFor(
             program.path, [&] { return stepped->run(next, anew); })) {
      uint64_t width = 1;
      for (uint64_t size : output.shape)
        width *= size;
      std::vector<uint64_t> shape = output.shape;
      shape.insert(shape.begin(), output.values.size() / width);
      outputs[output.name] = {{"shape", shape},
                              {"integer", output.integer},
                              {"values", output.values}};
    }
    return {{"outputs", outputs}, {"saturated", stepped->saturated()}};
  }

  Json save(const Json &request) const {
    const Held &program = named(request);
    if (!program.prepared || !program.prepared->program)
      throw Error("'" + program.path +
                  "' is not compiled here, so there is no image to save");
    saveProgram(*program.prepared->program, textIn(request, "file"));
    return Json::object();
  }

  static Json check(const Json &request) {
    options::CommandOptions options("check");
    CheckFlags flags;
    bindCheck(options, flags);
    flags.model.listener = {};
    flags.model.compile.control = nullptr;
    read(options, request);
    return session::toJson(driver::check(flags));
  }

  /// The network of a program or of a result, as a picture.
  Json draw(const Json &request) const {
    const auto drawn = [](const report::html::NetworkView &view) {
      return Json{{"svg", report::html::networkSvg(view)},
                  {"network", view.network}};
    };
    if (const Json result = report::memberOf(request, "result");
        !result.is_null())
      return drawn({report::memberOf(result, "network"), result,
                    report::memberOf(request, "flows")});
    const Held &program = named(request);
    const session::Prepared *made = program.prepared.get();
    const auto network =
        made ? session::networkShape(made->model->floatNetwork()) : Json();
    const auto facts =
        !made           ? report::programFacts(ProgramFile(program.path).read())
        : made->program ? report::programFacts(*made->program)
                        : Json();
    return drawn({network, facts, Json()});
  }

  ScratchFolder scratch; ///< where arrays go on their way
  std::map<std::string, Held> held;
};

/// What is wrong with a request is its answer: the next one may be right.
Json answerTo(Server &server, const std::string &line) {
  Json answer = {{"id", nullptr}};
  try {
    const Json request = readJson<Json>(line, "request");
    answer["id"] = idOf(request);
    refuseControls(request, "id");
    answer["ok"] = server.answer(request);
  } catch (const Refused &error) {
    answer["error"] = session::errorJson("unfit", error.what());
  } catch (const Unsupported &error) {
    answer["error"] = session::errorJson("unsupported", error.what());
  } catch (const Json::exception &error) {
    answer["error"] = session::errorJson("usage", session::messageOf(error));
  } catch (const options::UsageError &error) {
    answer["error"] = session::errorJson("usage", error.what());
  } catch (const std::bad_alloc &) {
    answer["error"] = session::errorJson("error", "out of memory");
  } catch (const std::exception &error) {
    answer["error"] = session::errorJson("error", session::messageOf(error));
  }
  return answer;
}

void serve() {
  FILE *answers = takeStandardOutput();
  endWithReaderOf(answers);
  Server server;
  for (std::string line; std::getline(std::cin, line);) {
    // A message may quote bytes of a file that are no UTF-8.
    const std::string text =
        answerTo(server, line)
            .dump(-1, ' ', false, Json::error_handler_t::replace) +
        "\n";
    if (std::fputs(text.c_str(), answers) < 0 || std::fflush(answers) != 0)
      throw Error(std::string("cannot answer on standard output: ") +
                  std::strerror(errno));
  }
  std::fclose(answers);
}

} // namespace

void addServe(Command &command) { command.run = serve; }

} // namespace dendrolith::driver
