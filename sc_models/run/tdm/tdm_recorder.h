#pragma once
// Profile over time of a run whose circuits have sources of their own; of a run without `observe.profile` nothing.

#include <memory>

#include "fabrics/tdm/observe/tdm_profile.h"
#include "observe/profile/profile_report.h"
#include "parallel/ranks.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

class TdmRecorder {
 public:
  /// The platform must outlive it. `deliveries`: the network tells of them.
  TdmRecorder(const TdmPlatform& platform, bool deliveries) {
    const TdmConfig& c = platform.config();
    if (!c.observe.profile) return;
    ProfileShape shape;
    shape.window = *c.observe.profile;
    shape.tick = c.tdm_switch.period;
    shape.flit_bits = c.tdm_switch.word_bits();
    shape.accepts = deliveries;
    TdmProfile::shape(platform.graph(), shape);
    profile_ = std::make_unique<NetworkProfile>(std::move(shape), Window{0, Window::kOpen});
    observer_ = std::make_unique<TdmProfile>(platform.graph(), c.tdm_switch.slots, *profile_);
    if (deliveries) observer_->count_deliveries();
  }
  void join(ObservedNetwork& network) {
    if (observer_) network.add_observer(*observer_);
  }
  /// Of a part: becomes the profile of all parts.
  void collect(Ranks& ranks) {
    if (profile_) profile_->collect(ranks.gather(profile_->numbers()));
  }
  /// Adds the profile until cycle `end`.
  void add(ReportData& report, Cycle end) {
    if (!profile_) return;
    profile_->close(end);
    add_profile(*profile_, report);
  }

 private:
  std::unique_ptr<NetworkProfile> profile_;
  std::unique_ptr<TdmProfile> observer_;
};

}  // namespace weft
