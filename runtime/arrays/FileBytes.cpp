// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/FileBytes.h"

#include "targets/support/Error.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <unistd.h>

namespace dendrolith {

void writeAt(int descriptor, const std::string &name, uint64_t at,
             std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::pwrite(descriptor, bytes.data(), bytes.size(),
                                   static_cast<off_t>(at));
    if (wrote < 0 && errno != EINTR)
      throw Error(
          fmt::format("{}: cannot write: {}", name, std::strerror(errno)));
    const size_t done = wrote > 0 ? size_t(wrote) : 0;
    bytes.remove_prefix(done);
    at += done;
  }
}

void readAt(int descriptor, const std::string &name, uint64_t at, char *to,
            size_t count) {
  for (size_t done = 0; done < count;) {
    errno = 0;
    const ssize_t found = ::pread(descriptor, to + done, count - done,
                                  static_cast<off_t>(at + done));
    if (found == 0 || (found < 0 && errno != EINTR))
      throw Error(
          fmt::format("{}: cannot read: {}", name,
                      errno ? std::strerror(errno) : "it became shorter"));
    done += found > 0 ? size_t(found) : 0;
  }
}

} // namespace dendrolith
