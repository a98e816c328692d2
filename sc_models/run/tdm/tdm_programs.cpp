// Programs of nodes as a workload of a FiC run, and the report of them.

#include <algorithm>

#include "fabrics/tdm/traffic/stream_supply.h"
#include "fabrics/tdm/traffic/tdm_program_traffic.h"
#include "run/program_report.h"
#include "run/tdm/tdm_report.h"
#include "run/tdm/tdm_workload.h"

namespace weft {
namespace {

class ProgramWorkload final : public TdmWorkload {
 public:
  explicit ProgramWorkload(const TdmPlatform& platform)
      : platform_(platform), config_(platform.config()), traffic_(config_, platform.phases().front()) {}

  MessageSupply& supply() override { return traffic_; }
  TdmObserver& observer() override { return traffic_; }
  void join(TdmNetwork& network) override { traffic_.join(network); }

  MessageWords words() const override {
    const auto words = [&](std::uint64_t bytes) {
      return words_of(DataSize{static_cast<std::int64_t>(bytes) * 8}, config_.tdm_switch.word_bits());
    };
    MessageWords out;
    for (const collectives::PairMessages& p : platform_.program_messages()) {
      out.longest.push_back(words(p.longest));
      out.shortest.push_back(words(p.shortest));
    }
    return out;
  }

  double progress(TdmNetwork&) const override { return program_progress(config_.programs, traffic_.executor()); }

  void add_plan(ReportData& report) const override { report.sections.push_back(nodes()); }

  void add_results(TdmNetwork& network, const CircuitStats& circuits, const TdmLinkStats& links, Cycle last_cycle,
                   ReportData& report) const override {
    report.sections.push_back(nodes());
    const Cycle start = std::max<Cycle>(0, traffic_.started_at());
    const Cycle end = traffic_.finished() ? traffic_.finished_at() : std::max(start, last_cycle);
    // The measurement is that of the programs.
    const ServiceFigures messages = circuits.all({end}, platform_.graph().nodes());
    const ProgramRun run{config_.programs, traffic_.executor(), config_.tdm_switch.period, start, end, messages};
    ReportSection figures = program_run(run);
    figures.figures.push_back(
        {{"words", "1", "that the messages were cut into"}, static_cast<std::int64_t>(traffic_.words()), false});
    figures.figures.push_back({{"word_hops", "1", "words sent by switch outputs, those to hosts included"},
                               report.complete ? Value{static_cast<std::int64_t>(links.word_hops())} : Value{},
                               false});
    for (Figure& f : circuits.transit_figures()) figures.figures.push_back(std::move(f));
    report.sections.push_back(std::move(figures));
    report.tables = program_tables(run);
    std::vector<PhaseTimes> times = network.controller().times();
    // The phase ends with the programs, its transfer with the last delivery.
    if (times.front().data_end >= 0) times.front().data_end = std::max(start, traffic_.last_delivery());
    add_run_tables(platform_, circuits, links, times, last_cycle, {end}, report);
  }

 private:
  ReportSection nodes() const {
    const TdmEndpointsConfig& e = config_.endpoints;
    const double rate = static_cast<double>(config_.tdm_switch.word_bits()) * 1000.0 /
                        static_cast<double>(config_.tdm_switch.period.ps);
    std::uint32_t circuits = 0;
    for (const CircuitPlan& c : platform_.phases().front().circuits) {
      circuits = std::max(circuits, static_cast<std::uint32_t>(c.injection.size()));
    }
    return program_section(config_.programs, {e.nodes, e.send_overhead, e.receive_overhead, config_.tdm_switch.period},
                           {{{"node_rate", "Gb/s", "of the link of a node, one direction"}, rate, true},
                            {{"circuit_rate", "Gb/s", "of the circuit from a node to another: its slots per frame"},
                             rate * circuits / config_.tdm_switch.slots,
                             true}});
  }

  const TdmPlatform& platform_;
  const TdmConfig& config_;
  TdmProgramTraffic traffic_;
};

}  // namespace

std::unique_ptr<TdmWorkload> make_program_workload(const TdmPlatform& platform) {
  return std::make_unique<ProgramWorkload>(platform);
}

}  // namespace weft
