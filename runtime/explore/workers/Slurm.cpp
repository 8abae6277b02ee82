// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/workers/Slurm.h"

#include "runtime/explore/workers/Worker.h"
#include "runtime/host/Files.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sys/wait.h>

namespace dendrolith::explore {
namespace {

// More would wait for each other at the file system sooner than help.
constexpr uint64_t kTasks = 40;

/// A text as one word of a shell.
std::string quoted(const std::string &text) {
  std::string word = "'";
  for (char c : text)
    word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// The task is this process: sbatch sends its signals to it. Before the end of
/// its time it finishes the points it is at.
std::string scriptOf(const std::string &store, const SlurmRequest &request,
                     uint64_t tasks) {
  return fmt::format(
      "#!/bin/sh\n"
      "export DENDROLITH_SHARD=\"$SLURM_ARRAY_TASK_ID/{}\"\n"
      "exec {} explore {} --jobs \"${{SLURM_CPUS_PER_TASK:-1}}\"\n",
      tasks, quoted(request.program), quoted(store));
}

} // namespace

Submitted submit(const Store &store, const SlurmRequest &request) {
  const std::string folder =
      std::filesystem::absolute(store.folder()).lexically_normal().string();
  const uint64_t designs = store.designs().size();
  const uint64_t shards = (designs + shardSize(designs) - 1) /
                          std::max<uint64_t>(shardSize(designs), 1);
  const uint64_t tasks =
      request.tasks ? request.tasks : std::clamp<uint64_t>(shards, 1, kTasks);
  const std::string script = folder + "/slurm.sh";
  writeAside(script, scriptOf(folder, request, tasks));
  const std::string command =
      fmt::format("sbatch --parsable --requeue --signal=TERM@60 --job-name={} "
                  "--array=0-{} --output={} {} {}",
                  quoted(store.study().name), tasks - 1,
                  quoted(folder + "/log/slurm-%A_%a.txt"), request.arguments,
                  quoted(script));
  std::fflush(nullptr);
  FILE *pipe = ::popen(command.c_str(), "r");
  if (!pipe)
    throw Error(fmt::format("cannot start sbatch: {}", std::strerror(errno)));
  char piece[256];
  std::string answer;
  while (const size_t count = std::fread(piece, 1, sizeof piece, pipe))
    answer.append(piece, count);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw Error("there is no sbatch on PATH; without Slurm use --jobs");
  if (status != 0)
    throw Error(fmt::format("sbatch refused the job array of '{}'{}; what it "
                            "said stands above",
                            printable(request.arguments),
                            answer.empty() ? "" : ": " + printable(answer)));
  // "JOB" or "JOB;CLUSTER"
  return {answer.substr(0, answer.find_first_of(";\n")), tasks};
}

} // namespace dendrolith::explore
