// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/driver/ServeCommand.cpp. Requests, a line each, as `dendrolith
// serve` gets them, in a folder with the network "two.mlir". Each gets one
// answer: JSON with "ok", or with an error in one printable line.

#include "runtime/driver/Command.h"
#include "tests/fuzz/Scratch.h"
#include "tests/fuzz/Tree.h"

#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <iostream>
#include <sstream>

using namespace dendrolith;

namespace {

/// Requests name files; those of others stay as they are.
bool staysHere(const std::string &requests) {
  return requests.find('/') == requests.npos &&
         requests.find("\\u") == requests.npos &&
         requests.find("..") == requests.npos;
}

/// Gives `requests` to standard input, and reads what is answered.
std::string answersTo(const std::string &requests) {
  const int out = dup(STDOUT_FILENO);
  fuzz::MemoryFile answers("");
  const int file = open(answers.path().c_str(), O_RDWR | O_CLOEXEC);
  std::fflush(stdout);
  dup2(file, STDOUT_FILENO);
  std::istringstream input(requests);
  std::streambuf *standard = std::cin.rdbuf(input.rdbuf());
  std::cin.clear();
  driver::Command command("serve");
  driver::addServe(command);
  command.run();
  std::cin.rdbuf(standard);
  dup2(out, STDOUT_FILENO);
  close(out);
  close(file);
  std::ifstream read(answers.path());
  return {std::istreambuf_iterator<char>(read), {}};
}

void check(const std::string &line) {
  const auto answer = nlohmann::json::parse(line, nullptr, false);
  fuzz::require(answer.is_object(), "no JSON: " + line);
  fuzz::require(answer.contains("ok") != answer.contains("error"),
                "neither an answer nor an error: " + line);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz::Folder folder;
  static const std::filesystem::path home = std::filesystem::current_path();
  static const bool there =
      std::filesystem::copy_file(DENDROLITH_TWO, folder.path + "/two.mlir");
  fuzz::require(there, "no network");
  const std::string requests(reinterpret_cast<const char *>(data), size);
  if (!staysHere(requests))
    return -1;
  // Whoever calls this names files from where it began.
  std::filesystem::current_path(folder.path);
  std::istringstream answers(answersTo(requests));
  std::filesystem::current_path(home);
  int64_t count = 0;
  bool taken = false;
  for (std::string line; std::getline(answers, line); ++count) {
    check(line);
    taken |= line.find("\"ok\"") != line.npos;
  }
  std::istringstream lines(requests);
  for (std::string line; std::getline(lines, line);)
    --count;
  fuzz::require(count == 0, "as many answers as requests, but for " +
                                std::to_string(count));
  return taken ? 0 : -1;
}
