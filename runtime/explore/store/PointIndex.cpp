// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/PointIndex.h"

#include "runtime/explore/store/PointFiles.h"
#include "targets/support/Error.h"

#include <sqlite3.h>

#include <memory>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

using Packed = std::unordered_map<std::string, std::string>;
using Stamps = std::unordered_map<std::string, FileStamp>;

/// SQLite says no: the index is damaged, in use, or on a disk that is full.
struct NoIndex {};

struct Closer {
  void operator()(sqlite3 *base) const { sqlite3_close(base); }
  void operator()(sqlite3_stmt *query) const { sqlite3_finalize(query); }
};
using Base = std::unique_ptr<sqlite3, Closer>;
using Query = std::unique_ptr<sqlite3_stmt, Closer>;

Base open(const std::string &path) {
  sqlite3 *base = nullptr;
  const int code = sqlite3_open(path.c_str(), &base);
  Base owned(base);
  if (code != SQLITE_OK)
    throw NoIndex();
  sqlite3_busy_timeout(base, 2000); // ms, for another reader that adds to it
  return owned;
}

void run(const Base &base, const char *text) {
  if (sqlite3_exec(base.get(), text, nullptr, nullptr, nullptr) != SQLITE_OK)
    throw NoIndex();
}

Query prepare(const Base &base, const char *text) {
  sqlite3_stmt *query = nullptr;
  if (sqlite3_prepare_v2(base.get(), text, -1, &query, nullptr) != SQLITE_OK)
    throw NoIndex();
  return Query(query);
}

bool step(const Query &query) {
  const int code = sqlite3_step(query.get());
  if (code != SQLITE_ROW && code != SQLITE_DONE)
    throw NoIndex();
  return code == SQLITE_ROW;
}

std::string bytesAt(const Query &query, int column) {
  const auto *bytes =
      static_cast<const char *>(sqlite3_column_blob(query.get(), column));
  return bytes ? std::string(bytes,
                             size_t(sqlite3_column_bytes(query.get(), column)))
               : std::string();
}

/// Tells a copy that the disk has changed (FNV-1a).
int64_t checksumOf(const std::string &bytes) {
  uint64_t sum = 0xcbf29ce484222325;
  for (const unsigned char byte : bytes)
    sum = (sum ^ byte) * 0x100000001b3;
  return int64_t(sum);
}

/// "" where the file holds no point, which only who wants that one says.
std::string packedFile(const std::string &folder, const std::string &key) {
  const std::string text = readPoint(folder, key);
  try {
    return packed(pointOf(text, pointPath(folder, key)));
  } catch (const Error &) {
    return "";
  }
}

/// What the index has of the files as they are.
Packed known(const Base &base, const Stamps &files) {
  Packed points;
  const Query query =
      prepare(base, "SELECT key, size, changed, point, sum FROM packed");
  while (step(query)) {
    const auto file = files.find(bytesAt(query, 0));
    const FileStamp stamp = {uint64_t(sqlite3_column_int64(query.get(), 1)),
                             sqlite3_column_int64(query.get(), 2)};
    if (file == files.end() || !(file->second == stamp))
      continue;
    std::string point = bytesAt(query, 3);
    if (checksumOf(point) != sqlite3_column_int64(query.get(), 4))
      throw NoIndex();
    points[file->first] = std::move(point);
  }
  return points;
}

void store(const Base &base, const std::string &key, const FileStamp &stamp,
           const std::string &point) {
  const Query query =
      prepare(base, "INSERT OR REPLACE INTO packed VALUES (?, ?, ?, ?, ?)");
  sqlite3_bind_text(query.get(), 1, key.data(), int(key.size()),
                    SQLITE_TRANSIENT);
  sqlite3_bind_int64(query.get(), 2, int64_t(stamp.size));
  sqlite3_bind_int64(query.get(), 3, stamp.changed);
  sqlite3_bind_blob(query.get(), 4, point.data(), int(point.size()),
                    SQLITE_TRANSIENT);
  sqlite3_bind_int64(query.get(), 5, checksumOf(point));
  step(query);
}

Packed throughIndex(const std::string &folder, const Stamps &files) {
  const Base base = open(indexPath(folder));
  run(base, "PRAGMA synchronous = OFF"); // it may be lost
  run(base, "CREATE TABLE IF NOT EXISTS packed (key TEXT PRIMARY KEY, "
            "size INTEGER, changed INTEGER, point BLOB, sum INTEGER)");
  Packed points = known(base, files);
  if (points.size() == files.size())
    return points;
  run(base, "BEGIN IMMEDIATE");
  for (const auto &[key, stamp] : files)
    if (!points.count(key))
      store(base, key, stamp, points[key] = packedFile(folder, key));
  run(base, "COMMIT");
  return points;
}

} // namespace

std::string indexPath(const std::string &store) {
  return store + "/index.sqlite";
}

Packed packedPoints(const std::string &folder) {
  const Stamps files = listPoints(folder);
  try {
    return throughIndex(folder, files);
  } catch (const NoIndex &) {
    ::unlink(indexPath(folder).c_str()); // the next reader makes it anew
  }
  Packed points;
  for (const auto &[key, stamp] : files)
    points[key] = packedFile(folder, key);
  return points;
}

} // namespace dendrolith::explore
