#pragma once
// Results of a sweep in an SQLite database: one row per run, written in one transaction each, so that a sweep can be
// killed at any time and loses only what was running.
//
//   runs(identity, point, seed, status, message, seconds, weft, command, report)   status: 'done' or 'failed'
//   axes(identity, axis, label, number)                 where on each axis a run stands
//   metrics(identity, metric, member, value, unit)      rewritten by every export
//   limits(identity, memory)                            of a failed run: bytes that it might use and that were too few
//
// `report` is the whole report.json, so that other figures can be taken from it later.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace weft {

struct StoredRun {
  std::string identity;
  std::string point;
  std::uint64_t seed = 0;
  bool done = false;               ///< else it failed
  std::string message;             ///< of a failed run
  double seconds = 0;              ///< it took
  std::string command;             ///< to run it by hand
  std::string report;              ///< JSON; empty when it failed before it had one
  std::uint64_t memory_limit = 0;  ///< it failed because it might use no more bytes; 0: for another reason
};

struct StoredAxis {
  std::string axis;
  std::string label;
  std::optional<double> number;
};

struct StoredMetric {
  std::string identity;
  std::string metric;
  std::string member;
  std::optional<double> value;
  std::string unit;
};

class ResultStore {
 public:
  enum class Opening {
    create,   ///< a database that is not there is made
    existing  ///< of another command: nothing is changed in it but what SQLite itself rolls back after a kill
  };
  /// Opens the database. Throws InputError when it is none of ours or cannot be written; an existing one also when it
  /// is not there. The folder of one that may be created is the caller's (base/output_folder.h), so that one sweep has
  /// it at a time.
  explicit ResultStore(const std::string& file, Opening opening = Opening::create);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  struct Known {
    std::string identity;
    std::string point;
    std::uint64_t seed = 0;
    bool done = false;
    double seconds = 0;
    std::uint64_t memory_limit = 0;
  };
  std::vector<Known> known() const;
  const std::string& file() const { return file_; }

  /// Changes of one scope that come together or, without commit(), not at all. One inside another is a part of it.
  class Transaction {
   public:
    explicit Transaction(const ResultStore& store);
    ~Transaction();
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    void commit();

   private:
    const ResultStore& store_;
    bool open_;
  };

  /// Adds a run; one of the same point and seed, which another configuration gave, goes.
  void put(const StoredRun& run, const std::vector<StoredAxis>& axes);
  /// A stored run with its report.
  std::optional<StoredRun> get(const std::string& identity) const;
  void replace_metrics(const std::vector<StoredMetric>& metrics);
  void forget_all();

 private:
  struct Close {
    void operator()(sqlite3* db) const;
  };
  void execute(const char* sql) const;
  bool has_limits() const;

  std::string file_;
  std::unique_ptr<sqlite3, Close> db_;
};

}  // namespace weft
