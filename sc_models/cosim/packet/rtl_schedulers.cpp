#include "cosim/packet/rtl_schedulers.h"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

std::string text(const SchedulerRtl::Decision& decision) {
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

}  // namespace

std::optional<ServiceLevel> RtlScheduler::pick(const EgressView& view) {
  const SchedulerRtl::Decision decision = core_->decide(view);
  saturations_ += decision.saturated ? 1 : 0;
  core_->end_cycle();
  return decision.grant;
}

LockstepScheduler::LockstepScheduler(const SchedulerRtlKind& kind, std::unique_ptr<EgressScheduler> model,
                                     std::unique_ptr<SchedulerRtl> core, std::string path,
                                     std::function<std::string()> now, LockstepCount& count)
    : kind_(kind),
      model_(std::move(model)),
      core_(std::move(core)),
      path_(std::move(path)),
      now_(std::move(now)),
      count_(count) {}

std::optional<ServiceLevel> LockstepScheduler::pick(const EgressView& view) {
  const std::uint64_t before = saturations();
  SchedulerRtl::Decision model;
  model.grant = model_->pick(view);
  model.saturated = saturations() != before;
  ++count_.requests;
  compare(view, model);
  return model.grant;
}

void LockstepScheduler::idle() {
  model_->idle();
  if (kind_.idle_is_a_decision) compare({}, {});
}

void LockstepScheduler::compare(const EgressView& view, const SchedulerRtl::Decision& model) {
  const SchedulerRtl::Decision rtl = core_->decide(view);
  if (model != rtl) {
    core_->break_off();
    throw RunError(
        fmt::format("lockstep difference in {} at {}\n  active SLs, with the credits of their head "
                    "messages: {}\n  model after this step: {}\n  model grants {}\n  rtl grants {}",
                    path_, now_(), text(view), kind_.state(*model_), text(model), text(rtl)));
  }
  core_->end_cycle();
}

}  // namespace weft
