// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "runtime/explore/store/PointIndex.h"

#include "runtime/explore/store/PointFiles.h"
#include "targets/support/Error.h"

#include <sqlite3.h>

#include <memory>
#include <unistd.h>

namespace dendrolith::explore {
namespace {

using Texts = std::unordered_map<std::string, std::string>;
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

void bind(const Query &query, int at, const std::string &text) {
  sqlite3_bind_text(query.get(), at, text.data(), int(text.size()),
                    SQLITE_TRANSIENT);
}

std::string textAt(const Query &query, int column) {
  const auto *text =
      reinterpret_cast<const char *>(sqlite3_column_text(query.get(), column));
  return text ? std::string(text,
                            size_t(sqlite3_column_bytes(query.get(), column)))
              : std::string();
}

/// What the index has of the files as they are.
Texts known(const Base &base, const Stamps &files) {
  Texts texts;
  const Query query =
      prepare(base, "SELECT key, size, changed, text FROM points");
  while (step(query)) {
    const auto file = files.find(textAt(query, 0));
    const FileStamp stamp = {uint64_t(sqlite3_column_int64(query.get(), 1)),
                             sqlite3_column_int64(query.get(), 2)};
    if (file != files.end() && file->second == stamp)
      texts[file->first] = textAt(query, 3);
  }
  return texts;
}

void store(const Base &base, const std::string &key, const FileStamp &stamp,
           const std::string &text) {
  const Query query =
      prepare(base, "INSERT OR REPLACE INTO points VALUES (?, ?, ?, ?)");
  bind(query, 1, key);
  sqlite3_bind_int64(query.get(), 2, int64_t(stamp.size));
  sqlite3_bind_int64(query.get(), 3, stamp.changed);
  bind(query, 4, text);
  step(query);
}

Texts throughIndex(const std::string &folder, const Stamps &files) {
  const Base base = open(indexPath(folder));
  run(base, "PRAGMA synchronous = OFF"); // it may be lost
  run(base, "CREATE TABLE IF NOT EXISTS points "
            "(key TEXT PRIMARY KEY, size INTEGER, changed INTEGER, text TEXT)");
  Texts texts = known(base, files);
  if (texts.size() == files.size())
    return texts;
  run(base, "BEGIN IMMEDIATE");
  for (const auto &[key, stamp] : files)
    if (!texts.count(key))
      store(base, key, stamp, texts[key] = readPoint(folder, key));
  run(base, "COMMIT");
  return texts;
}

} // namespace

std::string indexPath(const std::string &store) {
  return store + "/index.sqlite";
}

Texts pointTexts(const std::string &folder) {
  const Stamps files = listPoints(folder);
  try {
    return throughIndex(folder, files);
  } catch (const NoIndex &) {
    ::unlink(indexPath(folder).c_str()); // the next reader makes it anew
  }
  Texts texts;
  for (const auto &[key, stamp] : files)
    texts[key] = readPoint(folder, key);
  return texts;
}

} // namespace dendrolith::explore
