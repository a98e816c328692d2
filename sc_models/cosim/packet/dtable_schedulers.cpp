#include "cosim/packet/dtable_schedulers.h"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

std::string text(const DtableRtl::Decision& decision) {
  return (decision.grant ? fmt::format("SL {}", *decision.grant) : std::string("nothing")) +
         (decision.saturated ? " (counter saturated)" : "");
}

std::string text(const EgressView& view) {
  std::string out;
  for (ServiceLevel sl = 0; sl < kMaxServiceLevels; ++sl) {
    if (view.is_active(sl)) out += fmt::format("{}SL {}: {}", out.empty() ? "" : ", ", sl, view.head[sl]);
  }
  return out.empty() ? "none" : out;
}

std::string text(const DeficitTable& table) {
  std::string out;
  if (table.selected()) {
    out = fmt::format("entry {} of SL {} with {} credits left; ", table.entry(), table.selected_sl(),
                      table.accumulated_weight());
  }
  out += "deficits:";
  bool any = false;
  for (ServiceLevel sl = 0; sl < kMaxServiceLevels; ++sl) {
    if (table.deficit(sl) == 0) continue;
    out += fmt::format(" SL {}: {}", sl, table.deficit(sl));
    any = true;
  }
  return out + (any ? "" : " none");
}

}  // namespace

std::optional<ServiceLevel> RtlDtable::pick(const EgressView& view) {
  const DtableRtl::Decision decision = core_->decide(view);
  saturations_ += decision.saturated ? 1 : 0;
  core_->end_cycle();
  return decision.grant;
}

LockstepDtable::LockstepDtable(const ArbitrationTable& table, unsigned counter_bits, std::unique_ptr<DtableRtl> core,
                               std::string path, std::function<std::string()> now, LockstepCount& count)
    : model_(table, counter_bits),
      core_(std::move(core)),
      path_(std::move(path)),
      now_(std::move(now)),
      count_(count) {}

std::optional<ServiceLevel> LockstepDtable::pick(const EgressView& view) {
  const std::uint64_t before = model_.saturations();
  DtableRtl::Decision model;
  model.grant = model_.pick(view);
  model.saturated = model_.saturations() != before;
  ++count_.requests;
  compare(view, model);
  return model.grant;
}

void LockstepDtable::idle() {
  model_.idle();
  compare({}, {});
}

void LockstepDtable::compare(const EgressView& view, const DtableRtl::Decision& model) {
  const DtableRtl::Decision rtl = core_->decide(view);
  if (model != rtl) {
    throw RunError(
        fmt::format("lockstep difference in {} at {}\n  active SLs, with the credits of their head "
                    "messages: {}\n  model after this step: {}\n  model grants {}\n  rtl grants {}",
                    path_, now_(), text(view), text(model_), text(model), text(rtl)));
  }
  core_->end_cycle();
}

}  // namespace weft
