#include "sweep/result_store.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/diagnostics.h"
#include "base/version.h"

namespace weft {
namespace {

constexpr int kApplication = 0x57656674;  // "Weft", in the header of the file
constexpr int kSchema = 1;

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS runs(identity TEXT PRIMARY KEY, point TEXT NOT NULL, seed TEXT NOT NULL,
  status TEXT NOT NULL, message TEXT NOT NULL, seconds REAL NOT NULL, weft TEXT NOT NULL, command TEXT NOT NULL,
  report TEXT, UNIQUE(point, seed));
CREATE TABLE IF NOT EXISTS axes(identity TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, axis TEXT NOT NULL,
  label TEXT NOT NULL, number REAL, PRIMARY KEY(identity, axis));
CREATE TABLE IF NOT EXISTS metrics(identity TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, metric TEXT NOT NULL,
  member TEXT NOT NULL, value REAL, unit TEXT NOT NULL, PRIMARY KEY(identity, metric, member));
CREATE TABLE IF NOT EXISTS limits(identity TEXT PRIMARY KEY REFERENCES runs ON DELETE CASCADE, memory INTEGER NOT NULL);
)";

[[noreturn]] void fail(const std::string& file, sqlite3* db) {
  const int code = sqlite3_errcode(db) & 0xff;
  const bool damaged = code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
  throw InputError({file}, fmt::format("{}: {}{}", damaged ? "cannot be read" : "the results cannot be stored",
                                       sqlite3_errmsg(db), damaged ? "; move it away to begin anew" : ""));
}

// One prepared statement.
class Statement {
 public:
  Statement(const std::string& file, sqlite3* db, const char* sql) : file_(file), db_(db) {
    if (sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr) != SQLITE_OK) fail(file_, db_);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(const std::string& text) {
    check(sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
    return *this;
  }
  Statement& bind(std::optional<double> value) {
    check(value ? sqlite3_bind_double(statement_, ++bound_, *value) : sqlite3_bind_null(statement_, ++bound_));
    return *this;
  }
  /// True while there is a row.
  bool step() {
    const int status = sqlite3_step(statement_);
    if (status != SQLITE_ROW && status != SQLITE_DONE) fail(file_, db_);
    return status == SQLITE_ROW;
  }
  void again() {
    sqlite3_reset(statement_);
    bound_ = 0;
  }
  std::string text(int column) const {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
    const int size = sqlite3_column_bytes(statement_, column);
    return bytes == nullptr ? std::string() : std::string(bytes, static_cast<std::size_t>(size));
  }
  double real(int column) const { return sqlite3_column_double(statement_, column); }

 private:
  void check(int status) const {
    if (status != SQLITE_OK) fail(file_, db_);
  }
  const std::string& file_;
  sqlite3* db_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
};

}  // namespace

void ResultStore::Close::operator()(sqlite3* db) const { sqlite3_close(db); }

ResultStore::ResultStore(const std::string& file, Opening opening) : file_(file) {
  sqlite3* db = nullptr;
  const bool create = opening == Opening::create;
  const int flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0);
  const int status = sqlite3_open_v2(file.c_str(), &db, flags, nullptr);
  db_.reset(db);
  if (status != SQLITE_OK) fail(file_, db);
  sqlite3_busy_timeout(db, 10'000);  // someone looks at it
  execute("PRAGMA foreign_keys = ON");
  int application = 0;
  int tables = 0;
  {
    Statement id(file_, db, "PRAGMA application_id");
    if (id.step()) application = static_cast<int>(id.real(0));
    Statement count(file_, db, "SELECT count(*) FROM sqlite_master");
    if (count.step()) tables = static_cast<int>(count.real(0));
  }
  if (application != kApplication && (!create || application != 0 || tables != 0)) {
    throw InputError({file}, "is a database, but not one of a sweep");
  }
  Statement version(file_, db, "PRAGMA user_version");
  const int schema = version.step() ? static_cast<int>(version.real(0)) : 0;
  version.again();
  if (tables != 0 && schema != kSchema) {
    throw InputError({file}, "was written by another version of the program; move it away");
  }
  if (!create) return;
  Transaction making(*this);
  execute(kTables);
  execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplication, kSchema).c_str());
  making.commit();
}

ResultStore::Transaction::Transaction(const ResultStore& store)
    : store_(store), open_(sqlite3_get_autocommit(store.db_.get()) != 0) {
  if (open_) store_.execute("BEGIN IMMEDIATE");
}

ResultStore::Transaction::~Transaction() {
  if (open_) sqlite3_exec(store_.db_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void ResultStore::Transaction::commit() {
  if (!open_) return;
  store_.execute("COMMIT");
  open_ = false;
}

ResultStore::~ResultStore() = default;

void ResultStore::execute(const char* sql) const {
  if (sqlite3_exec(db_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(file_, db_.get());
}

// A store that is only read may be of a version of the program without that table.
bool ResultStore::has_limits() const {
  return Statement(file_, db_.get(), "SELECT 1 FROM sqlite_master WHERE name = 'limits'").step();
}

std::vector<ResultStore::Known> ResultStore::known() const {
  std::vector<Known> out;
  Statement s(file_, db_.get(),
              has_limits() ? "SELECT identity, point, seed, status, seconds, memory FROM runs LEFT JOIN limits USING "
                             "(identity)"
                           : "SELECT identity, point, seed, status, seconds, 0 FROM runs");
  while (s.step()) {
    out.push_back({s.text(0), s.text(1), std::stoull(s.text(2)), s.text(3) == "done", s.real(4),
                   static_cast<std::uint64_t>(s.real(5))});
  }
  return out;
}

void ResultStore::put(const StoredRun& run, const std::vector<StoredAxis>& axes) {
  Transaction change(*this);
  const std::string seed = std::to_string(run.seed);
  Statement(file_, db_.get(), "DELETE FROM runs WHERE identity = ? OR (point = ? AND seed = ?)")
      .bind(run.identity)
      .bind(run.point)
      .bind(seed)
      .step();
  Statement(file_, db_.get(), "INSERT INTO runs VALUES(?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''))")
      .bind(run.identity)
      .bind(run.point)
      .bind(seed)
      .bind(std::string(run.done ? "done" : "failed"))
      .bind(run.message)
      .bind(run.seconds)
      .bind(std::string(kVersion))
      .bind(run.command)
      .bind(run.report)
      .step();
  Statement insert(file_, db_.get(), "INSERT INTO axes VALUES(?, ?, ?, ?)");
  for (const StoredAxis& a : axes) {
    insert.bind(run.identity).bind(a.axis).bind(a.label).bind(a.number).step();
    insert.again();
  }
  if (run.memory_limit > 0) {
    Statement(file_, db_.get(), "INSERT INTO limits VALUES(?, ?)")
        .bind(run.identity)
        .bind(static_cast<double>(run.memory_limit))
        .step();
  }
  change.commit();
}

std::optional<StoredRun> ResultStore::get(const std::string& identity) const {
  Statement s(file_, db_.get(),
              "SELECT point, seed, status, message, seconds, command, report FROM runs WHERE identity = ?");
  if (!s.bind(identity).step()) return std::nullopt;
  StoredRun out{identity,  s.text(0), std::stoull(s.text(1)), s.text(2) == "done", s.text(3), s.real(4),
                s.text(5), s.text(6)};
  if (out.done || !has_limits()) return out;
  Statement limit(file_, db_.get(), "SELECT memory FROM limits WHERE identity = ?");
  if (limit.bind(identity).step()) out.memory_limit = static_cast<std::uint64_t>(limit.real(0));
  return out;
}

void ResultStore::replace_metrics(const std::vector<StoredMetric>& metrics) {
  Transaction change(*this);
  execute("DELETE FROM metrics");
  Statement insert(file_, db_.get(), "INSERT INTO metrics VALUES(?, ?, ?, ?, ?)");
  for (const StoredMetric& m : metrics) {
    insert.bind(m.identity).bind(m.metric).bind(m.member).bind(m.value).bind(m.unit).step();
    insert.again();
  }
  change.commit();
}

void ResultStore::forget_all() { execute("DELETE FROM runs"); }

}  // namespace weft
