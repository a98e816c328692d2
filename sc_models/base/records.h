#pragma once
// Table of records that configurations name: kinds of networks, routing algorithms, ... Programs that use the library
// may add records of their own before they read a configuration.

#include <deque>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/text.h"

namespace weft {

/// `Record` has a `name` and a `meaning`, both convertible to std::string_view. Records keep their addresses.
template <class Record>
class Records {
 public:
  /// The records live as long as the program.
  Records(std::initializer_list<const Record*> records) : list_(records) {}

  /// Adds a record. Throws std::invalid_argument when there is one of that name.
  const Record& add(Record record) {
    if (find(record.name) != nullptr) {
      throw std::invalid_argument("there is a record '" + std::string(record.name) + "' already");
    }
    own_.push_back(std::move(record));
    list_.push_back(&own_.back());
    return own_.back();
  }

  auto begin() const { return list_.begin(); }
  auto end() const { return list_.end(); }
  const std::vector<const Record*>& list() const { return list_; }

  /// Null when there is none of that name.
  const Record* find(std::string_view name) const {
    for (const Record* r : list_) {
      if (std::string_view(r->name) == name) return r;
    }
    return nullptr;
  }
  /// Throws InputError at `where`, with a suggestion, when there is none of that name.
  const Record& at(std::string_view name, const Location& where = {}) const {
    if (const Record* r = find(name)) return *r;
    std::vector<std::string> names;
    for (const Record* r : list_) names.emplace_back(r->name);
    throw InputError(where, "there is no '" + std::string(name) + "'" + did_you_mean(name, names));
  }

 private:
  std::deque<Record> own_;
  std::vector<const Record*> list_;
};

/// "mesh: <meaning>; torus: <meaning>", for the descriptions of keys.
template <class Record>
std::string meanings(const std::vector<const Record*>& records) {
  std::string out;
  for (const Record* r : records) {
    if (!out.empty()) out += "; ";
    out += std::string(r->name) + ": " + std::string(r->meaning);
  }
  return out;
}

}  // namespace weft
