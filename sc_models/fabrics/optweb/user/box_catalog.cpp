#include "fabrics/optweb/user/box_catalog.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "schema/registered_names.h"

namespace weft {
namespace {

template <class Part>
std::unique_ptr<Part> made(std::unique_ptr<Part> part, const OptwebOwnBox& box) {
  if (part == nullptr) throw InputError(box.where, fmt::format("the box '{}' makes no module", box.name));
  return part;
}

}  // namespace

std::string no_such_box(const std::string& kind, const std::string& name, const std::vector<std::string>& names) {
  return fmt::format("no {} '{}' is registered{}", kind, name, registered_instead(name, names));
}

std::string box_name_problem(const std::string& kind, const std::string& name, bool taken, bool makes) {
  if (!is_registered_form(name)) return fmt::format("'{}' is no name of a box: letters, digits and underscores", name);
  if (taken) return fmt::format("a {} '{}' is registered already", kind, name);
  return makes ? "" : fmt::format("the {} '{}' has no function that makes it", kind, name);
}

std::unique_ptr<ReductionUnitIf> ConfiguredModules::reduction(const Site& site) {
  const std::optional<OptwebOwnBox> box = config_.own_boxes(site.node).reduction;
  return box ? made(boxes_.reduction.of(*box).make(site), *box) : OptwebModules::reduction(site);
}

std::unique_ptr<WordBox> ConfiguredModules::word_box(const Site& site,
                                                     const std::optional<std::vector<OptwebOwnBox>>& chosen,
                                                     std::size_t place) const {
  if (!chosen || place >= chosen->size()) return nullptr;
  const OptwebOwnBox& box = (*chosen)[place];
  return made(boxes_.words.of(box).make(site), box);
}

std::unique_ptr<WordBox> ConfiguredModules::sent_box(const Site& site, std::size_t place) {
  return word_box(site, config_.own_boxes(site.node).sent, place);
}

std::unique_ptr<WordBox> ConfiguredModules::received_box(const Site& site, std::size_t place) {
  return word_box(site, config_.own_boxes(site.node).received, place);
}

std::unique_ptr<UserLogic> ConfiguredModules::user_logic(const Site& site) {
  const std::optional<OptwebOwnBox> box = config_.own_boxes(site.node).user_logic;
  return box ? made(boxes_.user_logic.of(*box).make(site.node, config_), *box) : OptwebModules::user_logic(site);
}

}  // namespace weft
