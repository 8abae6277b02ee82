// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests runtime/driver/ReportCommand.cpp,
// simulator/report/result/ResultFolder.cpp. A result.json as `dendrolith
// report` reads it, and behind a NUL the tables.json beside it; "@TABLES@" in
// the former stands for the SHA-256 of the latter.

#include "runtime/driver/Command.h"
#include "targets/support/Sha256.h"
#include "tests/fuzz/Scratch.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <numeric>
#include <vector>

using namespace dendrolith;

/// What is printed is of no interest while this lives.
class Silence {
public:
  Silence() {
    std::fflush(stdout);
    dup2(nowhere(), STDOUT_FILENO);
  }
  ~Silence() {
    std::fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
  }

private:
  static int nowhere() {
    static const int descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return descriptor;
  }
  const int out = dup(STDOUT_FILENO);
};

/// An option of `dendrolith report` and its value; none is "".
using ReportForm = std::pair<std::string, std::string>;

static bool reports(const std::string &folder, const ReportForm &form) {
  Silence silence;
  return fuzz::accepted([&] {
    driver::Command command("report");
    driver::addReport(command);
    command.options.set("DIR", {folder});
    if (!form.first.empty())
      command.options.set(form.first, {form.second});
    command.run();
  });
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const fuzz::Folder folder;
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  const size_t end = std::min(bytes.find('\0'), size);
  std::string result = bytes.substr(0, end);
  folder.take("tables.json");
  if (end < size) {
    const std::string tables = bytes.substr(end + 1);
    folder.put("tables.json", tables);
    const std::string sign = "@TABLES@";
    if (size_t at = result.find(sign); at != result.npos)
      result.replace(at, sign.size(), sha256(tables));
  }
  folder.put("result.json", result);

  static const std::vector<ReportForm> forms = {
      {"", ""},
      {"format", "json"},
      {"format", "csv"},
      {"by", "layer"},
      {"by", "core"},
      {"by", "event"},
      {"by", "sample"},
      {"conventions", "true"},
  };
  // One of the forms: all of them would take nine times as long.
  const size_t sum = std::accumulate(data, data + size, size_t(0));
  return reports(folder.path, forms[sum % forms.size()]) ? 0 : -1;
}
