// Streams of messages over the circuits of phases, as a workload of a FiC run.

#include <algorithm>

#include "fabrics/tdm/traffic/stream_supply.h"
#include "run/tdm/tdm_report.h"
#include "run/tdm/tdm_workload.h"

namespace weft {
namespace {

class StreamWorkload final : public TdmWorkload {
 public:
  explicit StreamWorkload(const TdmPlatform& platform)
      : platform_(platform), supply_(platform.config(), platform.phases()) {}

  MessageSupply& supply() override { return supply_; }
  TdmObserver& observer() override { return supply_; }

  MessageWords words() const override {
    WordsOf all;
    for (const PhasePlan& p : platform_.phases()) {
      for (const CircuitPlan& c : p.circuits) all.push_back(supply_.words(c.id));
    }
    return {all, all};
  }

  // From messages where their number is given, else from time.
  double progress(TdmNetwork& network) const override {
    const TdmConfig& config = platform_.config();
    const std::vector<PhaseTimes>& times = network.controller().times();
    double done = 0;
    const double now = static_cast<double>(network.domain().now());
    const double window = static_cast<double>(config.run.warm_up.ps + config.run.measure.ps) /
                          static_cast<double>(config.tdm_switch.period.ps);
    double counted = 0;
    for (std::size_t p = 0; p < times.size(); ++p) {
      if (times[p].data_end >= 0) {
        done += 1;
      } else if (times[p].data_start >= 0 && !config.phases[p].traffic.messages) {
        done += std::min(1.0, (now - static_cast<double>(times[p].data_start)) / window);
      }
      if (config.phases[p].traffic.messages) {
        counted += static_cast<double>(*config.phases[p].traffic.messages * network.phases()[p].circuits.size());
      }
    }
    done /= static_cast<double>(times.size());
    if (counted > 0) done = std::max(done, static_cast<double>(network.messages().total()) / counted);
    return std::min(1.0, done);
  }

  void add_results(TdmNetwork& network, const CircuitStats& circuits, const TdmLinkStats& links, Cycle last_cycle,
                   ReportData& report) const override {
    add_run_figures(platform_, circuits, links, network.controller().times(), last_cycle, network.messages().total(),
                    report);
  }

 private:
  const TdmPlatform& platform_;
  StreamSupply supply_;
};

}  // namespace

std::unique_ptr<TdmWorkload> make_stream_workload(const TdmPlatform& platform) {
  return std::make_unique<StreamWorkload>(platform);
}

}  // namespace weft
