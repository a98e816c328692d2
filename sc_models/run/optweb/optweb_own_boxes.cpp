#include "run/optweb/optweb_own_boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

namespace weft {
namespace {

// Of all nodes, and then the exceptions.
std::vector<OptwebOwnBoxes> choices_of(const OptwebConfig& config) {
  std::vector<OptwebOwnBoxes> out{config.all_own_boxes};
  for (const OptwebInstances& i : config.instances) out.push_back(i.own_boxes);
  return out;
}

bool has_op(const OptwebConfig& config, std::initializer_list<ProgramOp> ops) {
  return std::any_of(config.programs.begin(), config.programs.end(), [&](const NodeProgram& p) {
    return std::any_of(p.instructions.begin(), p.instructions.end(), [&](const ProgramInstruction& i) {
      return std::find(ops.begin(), ops.end(), i.op) != ops.end();
    });
  });
}

}  // namespace

void check_own_boxes(const OptwebConfig& config, const OptwebBoxes& boxes, Diagnostics& warnings) {
  const bool verify = config.verify == OptwebVerify::data;
  const bool reduces = has_op(config, {ProgramOp::reduce, ProgramOp::allreduce, ProgramOp::reduce_scatter});
  const bool computes = has_op(config, {ProgramOp::compute});
  Diagnostics errors;
  const auto is_there = [&](const auto& catalog, const OptwebOwnBox& box) {
    return passes([&] { catalog.of(box); }, errors);
  };
  for (const OptwebOwnBoxes& choice : choices_of(config)) {
    for (const auto* words : {&choice.sent, &choice.received}) {
      if (!*words) continue;
      for (const OptwebOwnBox& box : **words) is_there(boxes.words, box);
    }
    if (choice.reduction && is_there(boxes.reduction, *choice.reduction)) {
      const ReductionBox& box = boxes.reduction.of(*choice.reduction);
      if (!reduces) {
        warnings.warning(choice.reduction->where,
                         "boxes.reduction has no effect: no program has reduce, allreduce or "
                         "reduce_scatter");
      } else if (verify && !box.combine) {
        errors.error(choice.reduction->where,
                     fmt::format("boxes.reduction: verify: data needs to know what '{}' makes of two elements, which "
                                 "its registration does not say (ReductionBox::combine)",
                                 choice.reduction->name));
      }
    }
    if (choice.user_logic && is_there(boxes.user_logic, *choice.user_logic)) {
      if (!computes) {
        warnings.warning(choice.user_logic->where, "boxes.user_logic has no effect: no program has compute");
      } else if (verify) {
        errors.error(choice.user_logic->where,
                     fmt::format("boxes.user_logic: verify: data does not know what '{}' writes into memories; use "
                                 "verify: none",
                                 choice.user_logic->name));
      }
    }
  }
  errors.throw_if_errors();
}

optweb::OwnCombine own_combine(const OptwebConfig& config, const OptwebBoxes& boxes) {
  const std::vector<OptwebOwnBoxes> choices = choices_of(config);
  const auto has = [](const OptwebOwnBoxes& c) { return c.reduction.has_value(); };
  if (std::none_of(choices.begin(), choices.end(), has)) return {};
  return [&config, &boxes](NodeId node) {
    const std::optional<OptwebOwnBox> box = config.own_boxes(node).reduction;
    return box ? boxes.reduction.of(*box).combine : optweb::CombineElements{};
  };
}

std::string own_boxes_text(const OptwebOwnBoxes& boxes) {
  std::string out;
  const auto add = [&](const char* place, const std::string& names) {
    if (!names.empty()) out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", place, names);
  };
  const auto all = [](const std::optional<std::vector<OptwebOwnBox>>& list) {
    std::string names;
    if (list) {
      for (const OptwebOwnBox& b : *list) names += (names.empty() ? "" : ", ") + b.name;
      if (list->empty()) names = "none";
    }
    return names;
  };
  add("reduction unit", boxes.reduction ? boxes.reduction->name : "");
  add("boxes of sent words", all(boxes.sent));
  add("boxes of received words", all(boxes.received));
  add("user logic", boxes.user_logic ? boxes.user_logic->name : "");
  return out;
}

}  // namespace weft
