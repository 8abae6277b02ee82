// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/arrays/NpyHeader.h"

#include "runtime/arrays/LittleEndian.h"
#include "runtime/arrays/Npy.h"
#include "targets/support/Error.h"
#include "targets/support/Text.h"

#include <fmt/format.h>
#include <utility>

using namespace dendrolith;
using namespace dendrolith::npy;

static constexpr std::string_view kMagic = "\x93NUMPY";
static constexpr size_t kMaxHeader = 65536, kMaxRank = 32;

Array::NumberKind ElementType::kind() const {
  switch (type) {
  case 'b':
    return Array::NumberKind::Bool;
  case 'i':
    return Array::NumberKind::Int;
  case 'u':
    return Array::NumberKind::Uint;
  case 'f':
    return Array::NumberKind::Float;
  default:
    return Array::NumberKind::Complex;
  }
}

/// Text of a file within a message, harmless to a terminal.
static std::string quoted(std::string_view text) {
  std::string clean(text.substr(0, 40));
  for (char &c : clean)
    if (static_cast<unsigned char>(c) < 0x20 ||
        static_cast<unsigned char>(c) >= 0x7f)
      c = '?';
  return "'" + clean + (text.size() > 40 ? "..." : "") + "'";
}

ElementType npy::parseType(const std::string &text, const std::string &where) {
  std::string name =
      text.substr(0, 1).find_first_of("<>|=") == 0 ? text.substr(1) : text;
  if (!name.empty() && name[0] == 'O')
    throw Error(where + ": pickled object arrays are not read; save a numeric "
                        "array");
  static const char *const known[] = {"b1", "i1", "u1", "i2", "u2",
                                      "i4", "u4", "i8", "u8", "f2",
                                      "f4", "f8", "c8", "c16"};
  for (const char *candidate : known) {
    if (name != candidate)
      continue;
    ElementType type;
    type.type = name[0];
    type.bytes = static_cast<unsigned>(std::stoul(name.substr(1)));
    type.bigEndian = text[0] == '>';
    // '|' says that there is no byte order, and '=' does not say which.
    if (text == name || text[0] == '=' || (text[0] == '|' && type.bytes > 1))
      break;
    return type;
  }
  throw Error(fmt::format("{}: expected elements of type b1, i1 to i8, u1 to "
                          "u8, f2 to f8, c8 or c16 with their byte order, "
                          "found {}; convert the array first",
                          where, quoted(text)));
}

namespace {
/// Reads Python literals from left to right.
class Literal {
public:
  Literal(std::string_view text, const std::string &where)
      : text(text), where(where) {}

  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\n'))
      ++at;
  }
  bool accept(std::string_view token) {
    skipSpace();
    if (text.substr(at, token.size()) != token)
      return false;
    at += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token))
      fail(fmt::format("'{}'", token));
  }
  bool atEnd() {
    skipSpace();
    return at == text.size();
  }
  [[noreturn]] void fail(const std::string &expected) {
    throw Error(
        fmt::format("{}: malformed header: expected {} at byte {}, "
                    "found {}",
                    where, expected, at,
                    at == text.size() ? "the end" : quoted(text.substr(at))));
  }

  std::string readString() {
    skipSpace();
    if (at == text.size() || (text[at] != '\'' && text[at] != '"'))
      fail("a string");
    char quote = text[at];
    size_t end = text.find(quote, at + 1);
    if (end == std::string_view::npos)
      fail("a closed string");
    std::string result(text.substr(at + 1, end - at - 1));
    if (result.find('\\') != std::string::npos)
      fail("a string without escapes");
    at = end + 1;
    return result;
  }
  bool readBool() {
    if (accept("True"))
      return true;
    if (accept("False"))
      return false;
    fail("True or False");
  }
  uint64_t readSize() {
    skipSpace();
    size_t begin = at;
    uint64_t value = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      if (value > (UINT64_MAX - 9) / 10)
        fail("a size of fewer digits");
      value = value * 10 + static_cast<uint64_t>(text[at] - '0');
    }
    if (at == begin)
      fail("a size");
    return value;
  }
  /// "()", "(3,)", "(3, 4)", "(3, 4,)".
  std::vector<uint64_t> readShape() {
    std::vector<uint64_t> shape;
    expect("(");
    while (!accept(")")) {
      shape.push_back(readSize());
      if (shape.size() > kMaxRank)
        fail(fmt::format("at most {} axes", kMaxRank));
      if (accept(","))
        continue;
      if (shape.size() < 2)
        fail("','");
      expect(")");
      break;
    }
    return shape;
  }

private:
  std::string_view text;
  const std::string &where;
  size_t at = 0;
};
} // namespace

/// The dictionary: exactly the keys descr, fortran_order and shape.
static void parseDictionary(std::string_view text, const std::string &where,
                            Header &header) {
  Literal literal(text, where);
  bool hasType = false, hasOrder = false, hasShape = false;
  literal.expect("{");
  while (!literal.accept("}")) {
    std::string key = literal.readString();
    literal.expect(":");
    if (key == "descr" && !std::exchange(hasType, true)) {
      if (literal.accept("["))
        throw Error(where + ": record arrays are not read; save a plain "
                            "numeric array");
      header.dtype = literal.readString();
      header.type = parseType(header.dtype, where);
    } else if (key == "fortran_order" && !std::exchange(hasOrder, true)) {
      header.fortranOrder = literal.readBool();
    } else if (key == "shape" && !std::exchange(hasShape, true)) {
      header.shape = literal.readShape();
    } else {
      literal.fail("the keys descr, fortran_order and shape once each, found " +
                   quoted(key));
    }
    if (literal.accept(","))
      continue;
    literal.expect("}");
    break;
  }
  if (!literal.atEnd())
    literal.fail("nothing after the dictionary");
  if (!hasType || !hasOrder || !hasShape)
    throw Error(where + ": malformed header: expected the keys descr, "
                        "fortran_order and shape");
}

Header npy::parseHeader(std::string_view bytes, const std::string &where,
                        uint64_t most) {
  if (bytes.empty())
    throw Error(where + ": expected a .npy array, found an empty file");
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size()))
    throw Error(where + ": not a .npy array");
  auto require = [&](size_t size) {
    if (bytes.size() < size)
      throw Error(fmt::format("{}: truncated: expected a header of {} bytes, "
                              "found {}",
                              where, size, bytes.size()));
  };
  require(kMagic.size() + 4);
  unsigned major = static_cast<unsigned char>(bytes[6]);
  unsigned minor = static_cast<unsigned char>(bytes[7]);
  if (major < 1 || major > 3 || minor != 0)
    throw Error(fmt::format("{}: expected .npy format 1.0, 2.0 or 3.0, found "
                            "{}.{}",
                            where, major, minor));
  size_t begin = major == 1 ? 10 : 12;
  require(begin);
  size_t length = major == 1 ? loadLittle<uint16_t>(&bytes[8])
                             : loadLittle<uint32_t>(&bytes[8]);
  if (length > kMaxHeader)
    throw Error(fmt::format("{}: expected a header of at most {} bytes, found "
                            "{}",
                            where, kMaxHeader, length));
  require(begin + length);

  Header header;
  parseDictionary(bytes.substr(begin, length), where, header);
  header.dataBegin = begin + length;
  // Zero-sized axes hide any other size, so they are looked for first.
  for (uint64_t dimension : header.shape)
    if (dimension == 0)
      header.elements = 0;
  for (uint64_t dimension : header.shape) {
    if (header.elements == 0)
      break;
    if (dimension > most / header.elements)
      throw Error(fmt::format("{}: expected at most {} elements, found shape "
                              "{}",
                              where, most, shapeText(header.shape)));
    header.elements *= dimension;
  }
  return header;
}

void npy::checkSize(const Header &header, uint64_t fileBytes,
                    const std::string &where) {
  const uint64_t expected = header.elements * header.type.bytes;
  const uint64_t found = fileBytes - header.dataBegin;
  if (found != expected)
    throw Error(fmt::format("{}: {}: expected {} bytes of elements (shape {}, "
                            "type {}), found {}",
                            where, found < expected ? "truncated" : "too long",
                            expected, shapeText(header.shape), header.dtype,
                            found));
}

npy::Header npy::readHeader(const InputFile &file) {
  std::string head(std::min(file.size(), kMaxHead), '\0');
  file.readAt(0, head.data(), head.size());
  Header header = parseHeader(head, file.name(), kMaxFile);
  checkSize(header, file.size(), file.name());
  return header;
}

ArrayHead dendrolith::headOfNpy(const std::string &path) {
  const npy::Header header = npy::readHeader(InputFile(path, npy::kMaxFile));
  return {header.type.kind(), header.shape};
}

std::string npy::formatHeader(const std::string &dtype,
                              const std::vector<uint64_t> &shape) {
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                  dtype, shapeText(shape));
  constexpr size_t before = 10;
  size_t padded = (before + text.size() + 1 + 63) / 64 * 64;
  text.resize(padded - before - 1, ' ');
  text += '\n';
  std::string bytes(kMagic);
  bytes += '\x01';
  bytes += '\0';
  appendLittle(bytes, static_cast<uint16_t>(text.size()));
  return bytes + text;
}
