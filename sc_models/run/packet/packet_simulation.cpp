#include "run/packet/packet_simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "base/diagnostics.h"
#include "fabrics/packet/observe/loss_stats.h"
#include "fabrics/packet/observe/packet_stats.h"
#include "fabrics/packet/packet_network.h"
#include "fabrics/packet/traffic/packet_sources.h"
#include "network/places/port_ranges.h"
#include "observe/run_length.h"
#include "run/advance.h"
#include "run/failure.h"
#include "run/packet/iq_system.h"
#include "run/packet/packet_report.h"
#include "run/packet/packet_system.h"
#include "run/packet/program_simulation.h"
#include "run/packet/steady_report.h"
#include "run/watchdog.h"

namespace weft {
namespace {

// Until the end is known, all there is.
Window window_of(const PacketConfig& config) {
  if (config.run.until == RunUntil::steady) return {0, Window::kOpen};
  const Cycle first = whole_cycles(config, config.run.warm_up);
  return {first, first + std::max<Cycle>(1, whole_cycles(config, config.run.measure))};
}

std::optional<RunLength> length_of(const PacketPlatform& platform) {
  const PacketRunConfig& run = platform.config().run;
  if (run.until == RunUntil::window) return std::nullopt;
  const auto cycles = [&](Duration time) { return std::max<Cycle>(1, whole_cycles(platform.config(), time)); };
  return RunLength({run.half_width, run.confidence, cycles(run.warm_up), cycles(run.measure), cycles(run.at_most),
                    watchdog_interval(platform)});
}

// Messages of a level from one NIC to another stay in order when they have one path: one route, and in an OPA-like
// switch one link to the central buffer, since those on different links can overtake each other in the central
// crossbar.
bool keeps_order(const PacketPlatform& platform) {
  if (platform.input_queued()) return false;  // packets in different VCs overtake each other
  const PacketParameters& p = platform.parameters();
  if (!platform.config().faults.empty() && platform.graph().tree().arity > 0) return false;  // they change their route
  return platform.routing().single_path() && (p.architecture == SwitchArchitecture::ib || p.central_links == 1);
}

template <class System>
class Run final : public PacketSink, public Agent {
 public:
  Run(const PacketPlatform& platform, const PacketRunOptions& options)
      : platform_(platform),
        config_(platform.config()),
        options_(options),
        length_(length_of(platform)),
        system_(platform, options),
        network_(system_.network()),
        sources_(config_, platform.graph(), *this),
        stats_(config_, platform.graph(), window_of(config_), keeps_order(platform)),
        losses_(config_),
        watchdog_(network_, watchdog_interval(platform)) {
    network_.add_observer(stats_);
    if (system_.faults() != nullptr) {
      network_.add_observer(losses_);
      watchdog_.set_excuse([this] { return system_.faults()->any_down(); });
    }
    for (PacketObserver* o : options.observers) network_.add_observer(*o);
    if (options.shuffle_seed) network_.domain().shuffle(*options.shuffle_seed);
    network_.domain().capture_failures();
    if (config_.message_log) {
      log_ = "generated (ns),sent (ns),delivered (ns),source,destination,level,flits\n";
      stats_.log_messages(&log_);
    }
  }

  PacketRunResult run() {
    PacketRunResult result;
    system_.prepare(options_);
    const bool open = open_file(result, [&] {
      if (!options_.waves.empty()) waves_ = system_.waves(options_.waves, platform_);
    });
    end_ = length_ ? std::max<Cycle>(1, whole_cycles(config_, config_.run.at_most)) : stats_.window().last;
    end_at(end_);
    sources_.start(network_.domain());
    watchdog_.start();
    if (length_) {
      network_.domain().schedule(length_->first_check(), Phase::generate, *this, kLength);
    } else {
      network_.domain().schedule(end_, Phase::generate, *this, kMeasured);
    }
    if (open) advance();
    measured_until_ = std::max<Cycle>(0, network_.domain().now());
    stats_.close(measured_until_);
    if (open && config_.run.settle && !interrupted_ && !network_.domain().failure()) result.failure = settle();
    result.interrupted = interrupted_;
    result.cycles = std::max<Cycle>(0, network_.domain().now());
    if (network_.domain().failure()) result.failure = failure_text(network_.domain().failure());
    if (result.failure.empty()) result.failure = lost_count();
    if (waves_) close_file(result, [&] { return waves_->close(result.cycles); });
    fill(result);
    return result;
  }

  void submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits,
              std::uint32_t choice) override {
    network_.submit(source, destination, level, flits, choice);
  }

  void expect(NodeId source) const override {
    if constexpr (requires { network_.expect(source); }) network_.expect(source);
  }

  // In a phase in which nothing arrives, so that the order of modules does not matter.
  void due(Cycle now, std::uint32_t token) override {
    if (token == kLength) {
      check_length(now);
    } else if (token == kMeasured ? measured(now) : settled(now)) {
      network_.domain().request_pause();
    }
  }

 private:
  static constexpr Cycle kCheck = 64;  // cycles between two checks whether everything has arrived
  static constexpr std::uint32_t kMeasured = 0;
  static constexpr std::uint32_t kSettled = 1;
  static constexpr std::uint32_t kLength = 2;

  // The window ends before this cycle. What comes after the drain would be planned beyond the end of simulated time.
  void end_at(Cycle end) {
    end_ = end;
    last_ = end + whole_cycles(config_, config_.run.drain);
    sources_.stop_after(last_);
  }

  // Whether to begin to measure, or to end. It takes effect once everything that has been told so far is over, so no
  // order within a cycle matters.
  void check_length(Cycle now) {
    std::vector<const LevelSeries*> levels;
    for (const std::uint32_t l : config_.run.levels) levels.push_back(&stats_.series(l));
    const RunLength::Decision d = length_->check(now, levels);
    if (d.step == RunLength::Step::end) {
      stats_.measure_until(d.at);
      end_at(d.at);
      network_.domain().schedule(d.at, Phase::generate, *this, kMeasured);
      return;
    }
    if (d.step == RunLength::Step::measure) stats_.measure_from(d.at);
    network_.domain().schedule(d.next, Phase::generate, *this, kLength);
  }

  // From the end of the window on: the measurement ends when everything measured has arrived, or the drain is over.
  bool measured(Cycle now) {
    if (stats_.missing() == 0 || now >= last_) return true;
    network_.domain().schedule(std::min(last_, now + kCheck), Phase::generate, *this, kMeasured);
    return false;
  }

  // When everything has arrived the credits get as long as anything takes to come back.
  // Where links are down for good, messages may be left over.
  bool settled(Cycle now) {
    if (settled_at_ >= 0) return true;
    if (network_.outstanding() == 0) settled_at_ = now;
    if (watchdog_.stalled() && system_.faults()->over()) return true;
    network_.domain().schedule(now + (settled_at_ >= 0 ? watchdog_.interval() : kCheck), Phase::generate, *this,
                               kSettled);
    return false;
  }

  // The sources stop, what has not entered the network is taken back, and everything else has to arrive; then nothing
  // may be left anywhere. Returns what is wrong.
  std::string settle() {
    const Cycle now = network_.domain().now();
    sources_.stop_after(now);
    network_.withdraw();
    network_.domain().schedule(now + 1, Phase::generate, *this, kSettled);
    advance();
    if (interrupted_ || network_.domain().failure() || settled_at_ < 0) return {};
    try {
      network_.check_conservation(network_.domain().now());
    } catch (const RunError& e) {
      return e.what();
    }
    return {};
  }

  // Holds the accounting against the messages that there are.
  std::string lost_count() const {
    if (network_.pool().in_use() == network_.outstanding()) return {};
    return fmt::format("the accounting says that {} messages are under way, there are {}", network_.outstanding(),
                       network_.pool().in_use());
  }

  void advance() {
    interrupted_ = weft::advance(network_.domain(), {options_.interrupted, options_.progress}, [&] {
      return std::min(1.0, static_cast<double>(network_.domain().now()) / static_cast<double>(end_));
    });
  }

  void fill(PacketRunResult& result);
  void add_faults(ReportData& report, Cycle end) const;
  /// Nothing that is left moves any more, because links are down.
  bool stalled() const { return system_.faults() != nullptr && watchdog_.stalled() && network_.outstanding() > 0; }

  bool fault_begins_before(Cycle end) const {
    return std::any_of(config_.faults.begin(), config_.faults.end(),
                       [&](const FaultConfig& f) { return f.down < end; });
  }

  const PacketPlatform& platform_;
  const PacketConfig& config_;
  const PacketRunOptions& options_;
  std::optional<RunLength> length_;  // of a run that goes on until mean latencies are known
  System system_;
  typename System::Network& network_;
  PacketSources sources_;
  PacketStats stats_;
  LossStats losses_;
  Watchdog<typename System::Network> watchdog_;
  std::unique_ptr<typename System::Waves> waves_;
  std::string log_;
  Cycle end_ = 0;             // of the window, the latest as long as it is open
  Cycle last_ = 0;            // of the drain
  Cycle measured_until_ = 0;  // end of the drain as it was
  Cycle settled_at_ = -1;     // everything had arrived
  bool interrupted_ = false;
};

template <class System>
void Run<System>::add_faults(ReportData& report, Cycle end) const {
  const auto count = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  const bool stalled = this->stalled();
  ReportSection faults{"faults", "Faults", {}};
  faults.figures = {
      {{"lost", "1", "messages of the whole run that were lost: cut on a wire, or without a route left"},
       count(network_.accounting().lost()),
       true},
      {{"cut", "1", "messages that were on a wire when it failed, whether they have come back as lost or not"},
       count(system_.faults()->cut_messages()),
       true},
      {{"stalled", "1", "messages still waiting in the network when nothing moved any more"},
       count(stalled ? network_.outstanding() : 0),
       true},
      {{"flows", "1", "flows with lost or stalled messages"}, count(losses_.suffering(stalled)), true}};
  report.sections.push_back(std::move(faults));
  report.tables.push_back(losses_.faults());
  report.tables.push_back(losses_.levels(stalled));
  report.tables.push_back(losses_.flows(stalled));
  if (stalled) {
    report.notes.push_back(fmt::format("{} messages stand still because links are down{}", network_.outstanding(),
                                       std::regex_replace(network_.describe_stall(), std::regex("\n  "), "; ")));
  }
  const auto notes =
      fault_notes(config_.faults, platform_.graph(), report.complete ? std::optional(end) : std::nullopt);
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
}

template <class System>
void Run<System>::fill(PacketRunResult& result) {
  result.report = packet_report_header(platform_);
  result.report.complete = result.failure.empty() && !interrupted_;
  if (!result.failure.empty()) {
    result.report.incomplete_why = "the run failed: " + result.failure;
  } else if (interrupted_) {
    result.report.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
  }
  add_packet_network(platform_, result.report);
  const auto ns = [&](Cycle c) { return static_cast<double>(c * config_.link.period.ps) / 1000.0; };
  const auto count = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  const MessageAccounting& accounting = network_.accounting();
  const Window& window = stats_.window();
  ReportSection run{"run", "Run", {}};
  const std::vector<std::string> saturated = stats_.saturated_levels();
  run.figures = service_figures(stats_.all());
  const std::vector<Figure> more{
      {{"saturated_levels", "", "levels whose source queues grow for as long as the sources go on"},
       saturated.empty() ? std::string("none") : fmt::format("{}", fmt::join(saturated, ", ")),
       true},
      half_width_figure(config_, stats_),
      {{"warm_up", "ns", "before the measurement window"}, ns(window.first), length_.has_value()},
      {{"window", "ns", "length of the measurement window, as far as the run has come"}, ns(window.length()), true},
      {{"drain", "ns",
        "from the end of the window until the last measured message had arrived (looked at every 64 cycles), or "
        "the drain was over"},
       ns(std::max<Cycle>(0, measured_until_ - window.last)),
       false},
      {{"missing", "1", "measured messages that had neither arrived nor been lost when the drain was over"},
       static_cast<std::int64_t>(stats_.missing()),
       true},
      {{"generated", "1", "messages of the whole run"}, count(accounting.generated()), false},
      {{"delivered", "1", "messages of the whole run, those of the settling included"},
       count(accounting.delivered()),
       false},
      {{"lost", "1", "messages of the whole run that were lost to links that failed"}, count(accounting.lost()), false},
      {{"withdrawn", "1",
        "messages that had not entered a NIC's buffer when the sources stopped, and were taken back: not lost, never "
        "sent"},
       count(accounting.withdrawn()),
       false},
      {{"stalled", "1", "messages still waiting in the network when nothing moved any more, because links are down"},
       count(stalled() ? network_.outstanding() : 0),
       false},
      {{"in_flight", "1",
        "messages under way when the run ended; generated = delivered + lost + withdrawn + stalled + in flight"},
       count(stalled() ? 0 : network_.outstanding()),
       false},
      {{"settling", "ns",
        "from the end of the drain until everything in the network had arrived (looked at every 64 "
        "cycles)"},
       ns(std::max<Cycle>(0, settled_at_ - measured_until_)),
       false},
      {{"conserved", "", "every message arrived once, then all buffers were empty and all credits back"},
       std::string(settled_at_ >= 0 && result.failure.empty() ? "yes" : "not checked"),
       false},
      {{"flit_hops", "1", "flits sent by switch outputs in the whole run"},
       static_cast<std::int64_t>(stats_.flit_hops()),
       false},
      {{"cycles", "1", "cycles of the whole run"}, result.cycles, false}};
  run.figures.insert(run.figures.end(), more.begin(), more.end());
  result.report.sections.push_back(std::move(run));
  if (length_) result.report.sections.push_back(steady_section(config_, stats_, *length_));
  result.report.tables = {stats_.services(), stats_.histogram(), stats_.links()};
  system_.add_schedulers(result.report);
  if (system_.faults() != nullptr) add_faults(result.report, result.cycles);
  if (!config_.trace.empty() && sources_.messages_of_trace() == 0) {
    result.report.notes.push_back("the trace has no messages");
  }
  if (sources_.unsent_of_trace() > 0 && result.report.complete) {
    result.report.notes.push_back(
        fmt::format("{} of {} messages of the trace come after the end of the run ({} ns) and "
                    "were not sent",
                    sources_.unsent_of_trace(), sources_.messages_of_trace(), ns(measured_until_)));
  }
  if (sources_.messages_of_trace() > sources_.unsent_of_trace() && stats_.measured() == 0 && result.report.complete) {
    result.report.notes.push_back(
        fmt::format("no message was sent in the window, from {} to {} ns, so none is measured; the trace has {} before "
                    "it (run.warm_up)",
                    ns(window.first), ns(window.last), sources_.messages_of_trace() - sources_.unsent_of_trace()));
  }
  if (stats_.missing() > 0 && result.report.complete) {
    result.report.notes.push_back(fmt::format(
        "{} measured messages had not arrived when the drain was over; latencies of their levels are too low",
        stats_.missing()));
  }
  if (!saturated.empty()) {
    result.report.notes.push_back(fmt::format(
        "saturated{}: {}: source queues grow, and latencies grow with the length of the window",
        fault_begins_before(std::min<Cycle>(result.cycles, window.last)) ? ", or held up by links that are down" : "",
        growth_text(config_, stats_)));
  }
  if (result.report.complete) {
    for (std::string& note : steady_notes(config_, stats_)) result.report.notes.push_back(std::move(note));
  }
  if (waves_) waves_->window().add_note(result.cycles, result.report.notes);
  if (config_.message_log)
    result.artifacts.push_back({result.report.complete ? "messages.csv" : "messages.partial.csv", log_});
  result.flit_hops = stats_.flit_hops();
  result.message_hops = stats_.message_hops();
  result.message_allocations = network_.pool().allocations();
}

}  // namespace

PacketRunResult run_packet(const PacketPlatform& platform, const PacketRunOptions& options) {
  if (!platform.config().programs.empty()) return run_programs(platform, options);
  if (platform.input_queued()) return Run<IqSystem>(platform, options).run();
  return Run<PacketSystem>(platform, options).run();
}

}  // namespace weft
