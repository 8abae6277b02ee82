// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's array files (.npy format 1.0 to 3.0, .npz archives), read as
// untrusted input and written with bytes that depend on the values alone.

#ifndef DENDROLITH_RUNTIME_ARRAYS_NPY_H
#define DENDROLITH_RUNTIME_ARRAYS_NPY_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dendrolith {

/// Numbers in row-major (C) order, whatever the file's order was.
struct Array {
  enum class NumberKind { Bool, Int, Uint, Float, Complex };
  NumberKind kind = NumberKind::Float;
  std::vector<uint64_t> shape; // empty = one number
  std::vector<double> real;    // Float: n, Complex: 2 n (re, im), else empty
  std::vector<int64_t> ints;   // Bool, Int, Uint: n, else empty
  /// How the elements lie in a file ("<f4", "|u1"): what the reader found, and
  /// what the writers use; empty = the widest type of the kind.
  std::string dtype;

  static Array ofInts(std::vector<uint64_t> shape, std::vector<int64_t> values,
                      std::string dtype = "<i8");
  static Array ofReals(std::vector<uint64_t> shape, std::vector<double> values,
                       std::string dtype = "<f8");

  bool isInteger() const { return kind <= NumberKind::Uint; }
  /// Number of elements: the product of the shape.
  uint64_t size() const;
  /// Element i of a Bool, Int, Uint or Float array.
  double value(uint64_t i) const {
    return isInteger() ? static_cast<double>(ints[i]) : real[i];
  }
};

/// Most elements of an array, or of all arrays of an archive, that is read:
/// 2^29 (4 GiB once decoded).
constexpr uint64_t kMaxArrayElements = uint64_t(1) << 29;

/// Reads a .npy file. Element types b1, i1..i8, u1..u8, f2, f4, f8, c8, c16 in
/// either byte order. NaN and infinities are read as they are; unsigned values
/// beyond 2^63 - 1 are refused. Throws Error that begins with the path.
Array loadNpy(const std::string &path);

/// The same from bytes; `where` begins every message.
Array parseNpy(std::string_view bytes, const std::string &where);

/// Reads the named members of a .npz archive (all if none are named); names
/// come without ".npy". Naming them leaves members alone that hold text or
/// records. Throws Error that begins with the path and the member.
std::map<std::string, Array>
loadNpz(const std::string &path, const std::vector<std::string> &names = {});
std::map<std::string, Array>
parseNpz(std::string_view bytes, const std::string &where,
         const std::vector<std::string> &names = {});

/// Names of the members of a .npz archive, without ".npy", in file order.
std::vector<std::string> listNpz(const std::string &path);

/// The bytes of a .npy file (format 1.0, C order). `dtype` "" = array.dtype.
/// Throws Error when a value does not fit the type or is not an integer where
/// the type is one.
std::string formatNpy(const Array &array, const std::string &dtype = "");

/// The bytes of a .npz file: stored members in order of name, fixed dates.
std::string formatNpz(const std::map<std::string, Array> &arrays);

/// formatNpy(), formatNpz() to a file, written aside and then renamed.
void saveNpy(const std::string &path, const Array &array,
             const std::string &dtype = "");
void saveNpz(const std::string &path,
             const std::map<std::string, Array> &arrays);

struct ArrayHead {
  Array::NumberKind kind = Array::NumberKind::Float;
  std::vector<uint64_t> shape;
};

/// The head of a .npy file. Throws Error where loadNpy() does, but does not
/// look at elements.
ArrayHead headOfNpy(const std::string &path);

/// The heads of a .npz archive's members, by name without ".npy". Throws Error
/// as loadNpz() does, but for their elements.
std::map<std::string, ArrayHead> headsOfNpz(const std::string &path);

} // namespace dendrolith

#endif // DENDROLITH_RUNTIME_ARRAYS_NPY_H
