// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `dendrolith doctor`: what is there, and what each missing part would give.

#include "runtime/driver/Command.h"

#include "runtime/host/StartRanks.h"
#include "targets/loader/files/Discovery.h"
#include "targets/support/Error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <spawn.h>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace dendrolith::driver {
namespace {

namespace fs = std::filesystem;

struct Helper {
  const char *name, *gives, *how;
};

constexpr Helper kModules[] = {
    {"numpy", "the package dendrolith, which needs it", "pip install numpy"},
    {"dendrolith", "networks, runs and pictures from Python",
     "pip install dendrolith-*.whl"},
    {"h5py", "from_layers and NIR files from Python", "pip install h5py"},
    {"matplotlib", "pictures of results: result.plot",
     "pip install matplotlib"},
    {"torch", "training; the tutorial From PyTorch", "pip install torch"},
    {"nir", "graphs of other tools in memory", "pip install nir"},
    {"tqdm", "progress bars in notebooks", "pip install tqdm"},
};
constexpr Helper kPrograms[] = {
    {"mpirun", "one network on several machines",
     "Debian: apt-get install openmpi-bin"},
    {"sbatch", "studies on a cluster by Slurm", "ask who runs the cluster"},
    {"xdg-open", "dendrolith docs in a browser",
     "Debian: apt-get install xdg-utils"},
};

/// The program of that name on PATH; "" where there is none.
std::string onPath(const std::string &name) {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const std::string file = folder + "/" + name;
        !folder.empty() && ::access(file.c_str(), X_OK) == 0)
      return file;
  return "";
}

fs::path programFile() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

/// The Python of the environment that the program was installed into, else the
/// first on PATH.
std::string pythonBeside() {
  const fs::path beside = programFile().parent_path() / "python3";
  return ::access(beside.c_str(), X_OK) == 0 ? beside.string()
                                             : onPath("python3");
}

/// Versions of Python's modules by name, with that of Python itself. What a
/// Python prints that starts and fails is not ours to show.
std::map<std::string, std::string> modulesOf(const std::string &python) {
  std::string names;
  for (const Helper &part : kModules)
    names += std::string(" ") + part.name;
  ::setenv("DENDROLITH_PYTHON", python.c_str(), 1); // it may hold blanks
  ::setenv("DENDROLITH_MODULES", names.c_str(), 1);
  constexpr const char *kAsk =
      R"("$DENDROLITH_PYTHON" - <<'END' 2>/dev/null
import os, sys
from importlib import metadata, util
print("python", sys.version.split()[0])
for name in os.environ["DENDROLITH_MODULES"].split():
    try:
        print(name, metadata.version(name))
    except Exception:
        if util.find_spec(name):
            print(name, "of unknown version")
END)";
  std::map<std::string, std::string> found;
  FILE *answer = python.empty() ? nullptr : ::popen(kAsk, "r");
  if (!answer)
    return found;
  std::string text;
  std::array<char, 4096> piece;
  while (const size_t read = std::fread(piece.data(), 1, piece.size(), answer))
    text.append(piece.data(), read);
  ::pclose(answer);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const size_t blank = line.find(' '); blank != line.npos)
      found[line.substr(0, blank)] = line.substr(blank + 1);
  return found;
}

/// What was looked for, with what was found or what it would give.
struct Found {
  bool there;
  std::string name, what;
};

Found foundOf(const Helper &part, const std::string &found) {
  return {!found.empty(), part.name,
          found.empty() ? fmt::format("missing: {} ({})", part.gives, part.how)
                        : found};
}

void printFound(const std::vector<Found> &parts, bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Found &part : parts)
    if (json)
      all.push_back(
          {{"name", part.name}, {"there", part.there}, {"what", part.what}});
    else
      std::printf("%-4s %-11s %s\n", part.there ? "ok" : "-", part.name.c_str(),
                  part.what.c_str());
  if (json)
    std::puts(all.dump(2).c_str());
}

std::vector<Found> shipped() {
  const size_t chips = listTargets().size();
  const std::string models = shippedDir("models"), docs = shippedDir("docs"),
                    mpi = modulePath();
  return {
      {true, "program",
       fmt::format("{}, {}", DENDROLITH_VERSION, programFile().string())},
      {chips > 0, "chips",
       chips ? fmt::format("{} in {}", chips, fmt::join(searchDirs(), ", "))
             : "missing: install Dendrolith as a whole, or set "
               "DENDROLITH_TARGETS to a folder of chips"},
      {!models.empty(), "networks",
       models.empty() ? "missing: dendrolith demo" : models},
      {!docs.empty(), "docs",
       docs.empty() ? "missing: dendrolith docs (runtime/packages/site makes "
                      "them)"
                    : docs},
      {!mpi.empty(), "MPI", mpi.empty() ? "missing: " + howToGetMpi() : mpi}};
}

} // namespace

void addDoctor(Command &command) {
  auto format = std::make_shared<std::string>();
  command.options.bind("format", *format);
  command.run = [format] {
    std::vector<Found> parts = shipped();
    for (const Helper &part : kPrograms)
      parts.push_back(foundOf(part, onPath(part.name)));
    const std::string interpreter = pythonBeside();
    const auto modules = modulesOf(interpreter);
    const auto version = [&modules](const char *name) {
      const auto found = modules.find(name);
      return found == modules.end() ? std::string() : found->second;
    };
    const std::string own = version("python");
    parts.push_back({!own.empty(), "python",
                     own.empty() ? "missing: Python 3.9 or newer on PATH"
                                 : own + ", " + interpreter});
    for (const Helper &part : kModules)
      parts.push_back(foundOf(part, version(part.name)));
    printFound(parts, *format == "json");
    const std::string package = version("dendrolith");
    if (!package.empty() && package != DENDROLITH_VERSION)
      throw Error(fmt::format(
          "doctor: the package dendrolith is {}, this program is {}; install "
          "one wheel anew: pip install --force-reinstall dendrolith-*.whl",
          package, DENDROLITH_VERSION));
    if (listTargets().empty())
      throw Error("doctor: no chips were found");
  };
}

// `dendrolith docs`: the documentation that lies beside the program.

/// Shows a page where somebody sits before a screen. Nothing waits for it.
static void showPage(const std::string &page) {
  const bool screen = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  if (!screen || !::isatty(STDOUT_FILENO))
    return;
  std::string program = "xdg-open", argument = page;
  char *words[] = {program.data(), argument.data(), nullptr};
  pid_t started = 0;
  ::posix_spawnp(&started, words[0], nullptr, nullptr, words, environ);
}

void addDocuments(Command &command) {
  command.run = [] {
    const std::string site = shippedDir("docs");
    if (site.empty())
      throw Error("docs: this installation has no documentation, expected it "
                  "in share/dendrolith/docs beside the program's folder; "
                  "runtime/packages/site in the repository makes it");
    const std::string page = site + "/index.html";
    std::puts(page.c_str());
    showPage(page);
  };
}

} // namespace dendrolith::driver
