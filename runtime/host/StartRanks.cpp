// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/host/StartRanks.h"

#include "runtime/host/Parts.h"
#include "targets/support/Error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace dendrolith {

namespace fs = std::filesystem;

static unsigned numberOf(const char *variable) {
  const char *text = std::getenv(variable);
  return text ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
}

unsigned launchedProcesses() {
  // Open MPI's, that of MPICH and its kin, and Slurm's with PMIx.
  unsigned most =
      std::max(numberOf("OMPI_COMM_WORLD_SIZE"), numberOf("PMI_SIZE"));
  if (std::getenv("PMIX_RANK"))
    most = std::max(most, numberOf("SLURM_NTASKS"));
  return std::max(most, 1u);
}

unsigned processesHere() {
  return std::max({numberOf("OMPI_COMM_WORLD_LOCAL_SIZE"),
                   numberOf("MPI_LOCALNRANKS"), 1u});
}

/// The folder with bin, lib and share of a build or an installation.
static fs::path prefix() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
}

static fs::path expectedModule() {
  return prefix() / "lib" / "dendrolith" / "dendrolith-mpi.so";
}

std::string modulePath() {
  std::error_code error;
  const fs::path path = expectedModule();
  return fs::exists(path, error) ? path.string() : std::string();
}

std::string howToGetMpi() {
  std::error_code error;
  const fs::path sources = prefix() / "share" / "dendrolith";
  if (!fs::exists(sources / "runtime/host/mpi/MpiRanks.cpp", error))
    return "this build has no MPI; install it (Debian: libopenmpi-dev) and "
           "configure Dendrolith again, or start one process";
  // A wheel cannot know which MPI a machine has.
  return fmt::format(
      "there is no {0}; make it for the MPI of this machine (Debian: "
      "libopenmpi-dev): mkdir -p '{1}' && mpicxx -std=c++17 -O2 -shared -fPIC "
      "-DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX -I '{2}' "
      "'{2}/runtime/host/mpi/MpiRanks.cpp' -o '{0}'; or start one process",
      expectedModule().string(), expectedModule().parent_path().string(),
      sources.string());
}

std::unique_ptr<Ranks> startRanks() {
  const unsigned launched = launchedProcesses();
  if (launched == 1)
    return nullptr;
  const std::string path = modulePath();
  const auto refuse = [&](const std::string &why) {
    // Without MPI they cannot agree on who says it but by what they were told.
    if (numberOf("OMPI_COMM_WORLD_RANK") + numberOf("PMI_RANK") +
            numberOf("PMIX_RANK") >
        0)
      std::exit(1);
    throw Error(fmt::format(
        "a launcher has started {} processes of this command, which would each "
        "do the whole work: {}",
        launched, why));
  };
  if (path.empty())
    refuse(howToGetMpi());
  // What the module needs of MPI must be visible to MPI's own modules.
  void *module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void *start = module ? ::dlsym(module, "dendrolithStartRanks") : nullptr;
  if (!start)
    refuse(fmt::format("MPI cannot be loaded: {}", ::dlerror()));
  auto *ranks = reinterpret_cast<Ranks *(*)()>(start)();
  if (!ranks)
    refuse("MPI does not start; was it the launcher of the same MPI?");
  std::unique_ptr<Ranks> all(ranks);
  if (all->size() != launched)
    refuse(fmt::format("MPI says they are {}; was it the launcher of the same "
                       "MPI?",
                       all->size()));
  return all;
}

static RankedCommand *ofThisProcess = nullptr;

RankedCommand *RankedCommand::current() { return ofThisProcess; }

RankedCommand::RankedCommand(std::unique_ptr<Ranks> ranks)
    : all(std::move(ranks)), ownError(::dup(STDERR_FILENO)) {
  ofThisProcess = this;
  sayOnSignals(
      fmt::format("error: rank {} of {}: ended by a signal, perhaps as "
                  "another rank was lost; steps done: ",
                  all->rank(), all->size()),
      ownError);
  if (all->first())
    return;
  const int nowhere = ::open("/dev/null", O_RDWR);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

void RankedCommand::advance(State to, const Readiness &mine) {
  const std::string failure = disagreement(*all, mine);
  state = failure.empty() ? to : State::Refused;
  if (!failure.empty())
    throw Error(failure);
}

void RankedCommand::agreeOn(const std::vector<Common> &common) {
  advance(State::Agreed, {Readiness::Ready, "", common});
}

void RankedCommand::begin() { advance(State::Running, {}); }

void RankedCommand::at(uint64_t steps) { countForSignals(steps); }

void RankedCommand::end() {
  state = State::Over;
  if (!all->first())
    throw Done();
}

int RankedCommand::agree(int status, std::string &error) {
  if (state == State::Before || state == State::Agreed) {
    Readiness mine{Readiness::Ended, "", {}};
    if (status != 0)
      mine = {Readiness::Failed,
              error.empty() ? "it refused its flags" : error,
              {}};
    // The first rank's own failure is in its own words already.
    const std::string failure = disagreement(*all, mine);
    if (status == 0 && !failure.empty()) {
      status = 1;
      error = failure;
    }
  } else if (state == State::Running) {
    // The others are in the middle of a step and hear of nothing.
    const std::string text = fmt::format("error: rank {} of {}: {}\n",
                                         all->rank(), all->size(), error);
    if (::write(ownError, text.data(), text.size()) < 0)
      status = 1;
    all->abort(status);
  } else if (state == State::Over) {
    std::string last(1, static_cast<char>(status));
    all->broadcast(last);
    status = last[0];
  }
  return status;
}

void RankedCommand::finish() {
  // The first that ends with an error makes the launcher end the others, of
  // which none is lost.
  sayOnSignals("", -1);
  all->finish();
}

} // namespace dendrolith
