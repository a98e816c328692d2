#pragma once
// Catalog of boxes that designs put into OPTWEB nodes: a program or a plug-in registers them under names, and
// configurations ask for them (key `boxes`).
//
//   registry.blocks().optweb_boxes.reduction.add("largest_int16", {"largest of int16 numbers", make, larger});

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "algorithms/optweb/reduction.h"
#include "base/diagnostics.h"
#include "base/ids.h"
#include "fabrics/optweb/boxes/word_path.h"
#include "fabrics/optweb/module_factory.h"
#include "fabrics/optweb/user/user_logic.h"

namespace weft {

/// In place of the reduction unit.
struct ReductionBox {
  std::string meaning;  ///< for lists
  std::function<std::unique_ptr<ReductionUnitIf>(const OptwebModuleSite&)> make;
  /// What becomes of two elements, for `verify: data`, which is refused without it; combined as in
  /// algorithms/optweb/reduction.h.
  optweb::CombineElements combine = {};
};

/// Between two boxes that words pass.
struct WordBoxRecord {
  std::string meaning;
  std::function<std::unique_ptr<WordBox>(const OptwebModuleSite&)> make;
};

/// Behind the changeover switch.
struct UserLogicBox {
  std::string meaning;
  std::function<std::unique_ptr<UserLogic>(NodeId node, const OptwebConfig&)> make;
};

/// Message about a name that no box has. `kind`: as users call it ("user logic").
std::string no_such_box(const std::string& kind, const std::string& name, const std::vector<std::string>& names);
/// Why a box cannot be registered under a name; empty when it can.
std::string box_name_problem(const std::string& kind, const std::string& name, bool taken, bool makes);

/// Boxes of a kind by their names.
template <class Box>
class NamedBoxes {
 public:
  explicit NamedBoxes(std::string kind) : kind_(std::move(kind)) {}
  /// Throws std::invalid_argument for a name that is none or is taken, and for a box that cannot be made.
  void add(const std::string& name, Box box) {
    const std::string problem = box_name_problem(kind_, name, boxes_.count(name) != 0, static_cast<bool>(box.make));
    if (!problem.empty()) throw std::invalid_argument(problem);
    boxes_.emplace(name, std::move(box));
  }
  /// Throws InputError at the name when there is none.
  const Box& of(const OptwebOwnBox& box) const {
    const auto at = boxes_.find(box.name);
    if (at == boxes_.end()) throw InputError(box.where, no_such_box(kind_, box.name, names()));
    return at->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& [name, box] : boxes_) out.push_back(name);
    return out;
  }
  const std::string& kind() const { return kind_; }
  const std::map<std::string, Box>& all() const { return boxes_; }

 private:
  std::string kind_;
  std::map<std::string, Box> boxes_;
};

struct OptwebBoxes {
  NamedBoxes<ReductionBox> reduction{"reduction unit"};
  NamedBoxes<WordBoxRecord> words{"box on the path of words"};
  NamedBoxes<UserLogicBox> user_logic{"user logic"};
  /// visit(boxes) for each kind.
  template <class Visit>
  void each_kind(Visit&& visit) const {
    visit(reduction), visit(words), visit(user_logic);
  }
};

/// Modules of the distributed switches, and user logic, as a configuration names them; others are Weft's.
class ConfiguredModules final : public OptwebModules {
 public:
  /// Both must outlive the factory.
  ConfiguredModules(const OptwebConfig& config, const OptwebBoxes& boxes) : config_(config), boxes_(boxes) {}
  std::unique_ptr<ReductionUnitIf> reduction(const Site& site) override;
  std::unique_ptr<WordBox> sent_box(const Site& site, std::size_t place) override;
  std::unique_ptr<WordBox> received_box(const Site& site, std::size_t place) override;
  std::unique_ptr<UserLogic> user_logic(const Site& site) override;

 private:
  std::unique_ptr<WordBox> word_box(const Site& site, const std::optional<std::vector<OptwebOwnBox>>& chosen,
                                    std::size_t place) const;

  const OptwebConfig& config_;
  const OptwebBoxes& boxes_;
};

}  // namespace weft
