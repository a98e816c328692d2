#include "run/packet/program_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "fabrics/packet/observe/packet_stats.h"
#include "fabrics/packet/traffic/program_traffic.h"
#include "run/advance.h"
#include "run/failure.h"
#include "run/packet/packet_report.h"
#include "run/packet/packet_system.h"
#include "run/packet/packet_waves.h"
#include "run/program_report.h"
#include "run/watchdog.h"

namespace weft {
namespace {

class ProgramRunner final : public PacketSink, public Agent {
 public:
  ProgramRunner(const PacketPlatform& platform, const PacketRunOptions& options)
      : platform_(platform),
        config_(platform.config()),
        options_(options),
        system_(platform, options),
        network_(system_.network()),
        traffic_(config_, *this),
        stats_(config_, platform.graph(), {0, std::numeric_limits<Cycle>::max()}, false),
        watchdog_(network_, watchdog_interval(platform)) {
    network_.add_observer(stats_);
    network_.add_observer(traffic_);
    for (PacketObserver* o : options.observers) network_.add_observer(*o);
    if (options.shuffle_seed) network_.domain().shuffle(*options.shuffle_seed);
    network_.domain().capture_failures();
  }

  PacketRunResult run() {
    if (options_.prepare) options_.prepare(network_);
    PacketRunResult result;
    const bool open = open_file(result, [&] {
      if (options_.waves.empty()) return;
      waves_ = std::make_unique<PacketWaves>(options_.waves, platform_, network_, system_.schedulers());
    });
    traffic_.start(network_.domain());
    watchdog_.start();
    if (open) advance();
    if (traffic_.finished() && !interrupted_ && !network_.domain().failure()) {
      // The last credits get as long as anything takes to come back.
      network_.domain().schedule(network_.domain().now() + watchdog_.interval(), Phase::generate, *this, 0);
      advance();
    }
    result.interrupted = interrupted_;
    result.cycles = traffic_.finished() ? traffic_.finished_at() : std::max<Cycle>(0, network_.domain().now());
    if (network_.domain().failure()) result.failure = failure_text(network_.domain().failure());
    if (traffic_.finished() && result.failure.empty() && !interrupted_) result.failure = conservation();
    if (waves_) close_file(result, [&] { return waves_->close(network_.domain().now()); });
    fill(result);
    return result;
  }

  void submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits,
              std::uint32_t choice) override {
    network_.submit(source, destination, level, flits, choice);
  }

  void due(Cycle, std::uint32_t) override { network_.domain().request_pause(); }

 private:
  void advance() {
    const bool interrupted = weft::advance(network_.domain(), {options_.interrupted, options_.progress},
                                           [&] { return program_progress(config_.programs, traffic_.executor()); });
    interrupted_ = interrupted_ || interrupted;
  }

  std::string conservation() {
    try {
      network_.check_conservation(network_.domain().now());
    } catch (const RunError& e) {
      return e.what();
    }
    return {};
  }

  void fill(PacketRunResult& result) {
    ReportData& r = result.report = packet_report_header(platform_);
    r.complete = result.failure.empty() && !interrupted_;
    if (!result.failure.empty()) {
      r.incomplete_why = "the run failed: " + result.failure;
    } else if (interrupted_) {
      r.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
    }
    add_packet_network(platform_, r);
    stats_.close(std::max<Cycle>(1, result.cycles) - 1);
    const ProgramRun run{config_.programs, traffic_.executor(), config_.link.period, 0,
                         result.cycles,    messages(result)};
    r.sections.push_back(program_section(config_));
    r.sections.push_back(program_run(run));
    r.sections.back().figures.push_back(
        {{"packets", "1", "that the messages were cut into"}, static_cast<std::int64_t>(traffic_.packets()), false});
    r.tables = {
        services_table("Messages of the programs", "Messages between nodes, on one service level.", {run.messages}),
        histogram_table({{run.messages.service, traffic_.latency().histogram().values()}}, run.period)};
    for (Table& t : program_tables(run)) r.tables.push_back(std::move(t));
    r.tables.push_back(stats_.links());
    system_.add_schedulers(r);
    if (waves_) waves_->window().add_note(network_.domain().now(), r.notes);
    result.flit_hops = stats_.flit_hops();
    result.message_hops = stats_.message_hops();
    result.message_allocations = network_.pool().allocations();
  }

  ServiceFigures messages(const PacketRunResult& result) const {
    return {config_.levels[config_.endpoints.sl].name, std::nullopt,
            ServiceLoad::of(traffic_.flits_delivered(), config_.link.flit.bits, result.cycles, config_.link.period,
                            config_.endpoints.nodes),
            traffic_.latency().figures(config_.link.period)};
  }

  const PacketPlatform& platform_;
  const PacketConfig& config_;
  const PacketRunOptions& options_;
  PacketSystem system_;
  PacketNetwork& network_;
  ProgramTraffic traffic_;
  PacketStats stats_;
  Watchdog<PacketNetwork> watchdog_;
  std::unique_ptr<PacketWaves> waves_;
  bool interrupted_ = false;
};

}  // namespace

PacketRunResult run_programs(const PacketPlatform& platform, const PacketRunOptions& options) {
  return ProgramRunner(platform, options).run();
}

}  // namespace weft
