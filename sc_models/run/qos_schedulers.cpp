#include "run/qos_schedulers.h"

#include "qos/deficit_table.h"

namespace weft {

std::unique_ptr<EgressScheduler> QosSchedulers::scheduler(const EgressSite&) {
  auto made = make_scheduler(platform_.scheduler());
  made_.push_back(made.get());
  return made;
}

void QosSchedulers::add_figures(Section& section) const {
  if (platform_.scheduler().kind != SchedulerKind::dtable || platform_.scheduler().counter_bits == 0) return;
  std::uint64_t saturations = 0;
  std::uint64_t lost = 0;
  for (const EgressScheduler* s : made_) {
    if (const auto* table = dynamic_cast<const DeficitTable*>(s)) {
      saturations += table->saturations();
      lost += table->credits_lost();
    }
  }
  section.figures.push_back({{"saturations", "1", "selections whose accumulated weight did not fit its counter"},
                             static_cast<std::int64_t>(saturations),
                             true});
  section.figures.push_back({{"credits_lost", "flits", "weight that saturated counters have lost"},
                             static_cast<std::int64_t>(lost),
                             true});
}

}  // namespace weft
