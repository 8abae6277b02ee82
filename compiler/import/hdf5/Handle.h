// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HDF5 identifiers that close themselves, and errors as exceptions.

#ifndef DENDROLITH_COMPILER_IMPORT_HDF5_HANDLE_H
#define DENDROLITH_COMPILER_IMPORT_HDF5_HANDLE_H

#include <cstring>
#include <fmt/format.h>
#include <hdf5.h>
#include <stdexcept>
#include <string>
#include <utility>

namespace dendrolith::hdf5 {

template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args &&...args) {
  throw std::runtime_error(fmt::format(text, std::forward<Args>(args)...));
}

/// The innermost message of the library's error stack, which says what went
/// wrong.
inline std::string innermostError() {
  auto take = [](unsigned, const H5E_error2_t *error, void *data) -> herr_t {
    try {
      *static_cast<std::string *>(data) = error->desc ? error->desc : "";
      return 1; // innermost first: stop
    } catch (...) {
      return -1;
    }
  };
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, take, &text);
  return text.empty() ? "no reason given" : text;
}

inline void check(herr_t status, const std::string &place) {
  if (status < 0)
    refuse("'{}' cannot be read: {}; the file is damaged", place,
           innermostError());
}

class Handle {
public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string &place)
      : id(id), close(close) {
    check(id < 0 ? -1 : 0, place);
  }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  ~Handle() { close(id); }
  operator hid_t() const { return id; }

private:
  hid_t id;
  herr_t (*close)(hid_t);
};

} // namespace dendrolith::hdf5

#endif // DENDROLITH_COMPILER_IMPORT_HDF5_HANDLE_H
