#pragma once
// The RTL blocks that can stand in one kind of place: Weft's own, and those that a program or a plug-in registers under
// a name, by which a configuration asks for them (`rtl: my_dtable` beside `implementation`).

#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/implementation.h"

namespace weft {

/// Why a name cannot be that of a block: it is no word of letters, digits and underscores. Empty when it can.
std::string block_name_problem(const std::string& name);
/// A block of this name has been registered for a place.
void note_block(const std::string& place, const std::string& name);
/// Message about a name that no block has; it says where one of this name belongs. `place`: as users call it ("the
/// Deficit Table").
std::string no_such_block(const std::string& place, const std::string& name, const std::vector<std::string>& names);

/// Block: a record that says what its RTL is limited to, and makes it.
template <class Block>
class RtlBlocks {
 public:
  /// `place`: for messages, as "the Deficit Table".
  RtlBlocks(std::string place, Block own) : builtin(std::move(own)), place_(std::move(place)) {}

  Block builtin;  ///< stands where no name is given

  /// Throws std::invalid_argument for a name that is none, or is taken.
  void add(const std::string& name, Block block) {
    if (const std::string problem = block_name_problem(name); !problem.empty()) throw std::invalid_argument(problem);
    if (!named_.emplace(name, std::move(block)).second) {
      throw std::invalid_argument("an RTL block '" + name + "' for " + place_ + " is registered already");
    }
    note_block(place_, name);
  }
  /// Null: there is none of that name.
  const Block* find(const std::string& name) const {
    if (name.empty()) return &builtin;
    const auto at = named_.find(name);
    return at == named_.end() ? nullptr : &at->second;
  }
  /// The block of a choice; throws InputError at its name when there is none.
  const Block& of(const BlockChoice& choice) const {
    const Block* found = find(choice.rtl);
    if (found == nullptr) throw InputError(choice.rtl_where, no_such_block(place_, choice.rtl, names()));
    return *found;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, block] : named_) out.push_back(name);
    return out;
  }
  const std::string& place() const { return place_; }

 private:
  std::string place_;
  std::map<std::string, Block> named_;
};

/// The catalog of a family with Weft's own blocks alone.
template <class Catalog>
const Catalog& builtin_blocks() {
  static const Catalog catalog;
  return catalog;
}

}  // namespace weft
