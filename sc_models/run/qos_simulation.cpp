#include "run/qos_simulation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "fabric/iq/iq_network.h"
#include "fabric/packet/packet_network.h"
#include "run/failure.h"
#include "stats/packet_stats.h"
#include "traffic/packet_sources.h"

namespace weft {
namespace {

Window window_of(const QosConfig& config) {
  const Cycle first = config.run.warm_up.ps / config.link.period.ps;
  return {first, first + std::max<Cycle>(1, config.run.measure.ps / config.link.period.ps)};
}

// Looks now and then whether anything has moved. As long as any message can move, something is granted or sent within
// the time the longest message needs at any place.
template <class Network>
class Watchdog final : public Agent {
 public:
  Watchdog(Network& network, Cycle interval) : network_(network), interval_(interval) {}
  void start() { network_.domain().schedule(interval_, Phase::settle, *this, 0); }
  void due(Cycle now, std::uint32_t) override {
    const std::uint64_t progress = network_.progress();
    if (network_.outstanding() > 0 && progress == last_ && network_.generated() == generated_) {
      throw RunError(fmt::format("nothing has moved for {} cycles, but {} messages are under way:{}", interval_,
                                 network_.outstanding(), network_.describe_stall()));
    }
    if (network_.outstanding() > 0 && progress == last_ && last_progress_ + kPatience * interval_ < now) {
      throw RunError(fmt::format("nothing has moved since cycle {}, but {} messages are under way:{}", last_progress_,
                                 network_.outstanding(), network_.describe_stall()));
    }
    if (progress != last_) last_progress_ = now;
    last_ = progress;
    generated_ = network_.generated();
    network_.domain().schedule(now + interval_, Phase::settle, *this, 0);
  }

 private:
  static constexpr Cycle kPatience = 4;
  Network& network_;
  Cycle interval_;
  std::uint64_t last_ = 0;
  std::uint64_t generated_ = 0;
  Cycle last_progress_ = 0;
};

Cycle watchdog_interval(const QosPlatform& platform) {
  const StageLatencies& s = platform.parameters().stages;
  std::uint32_t largest = 1;
  for (const LevelConfig& l : platform.config().levels) largest = std::max(largest, l.message);
  const Cycle stages = s.input + s.routing + s.allocation + s.crossbar + s.output + s.link + s.credit;
  return 1000 + 8 * (stages + static_cast<Cycle>(largest));
}

// Messages of a level from one NIC to another stay in order when they have one way: one route, and in an OPA-like
// switch one link to the central buffer, since those on different links can overtake each other in the central
// crossbar.
bool keeps_order(const QosPlatform& platform) {
  if (platform.input_queued()) return false;  // packets in different VCs overtake each other
  const PacketParameters& p = platform.parameters();
  return platform.routing().single_path() && (p.architecture == SwitchArchitecture::ib || p.central_links == 1);
}

// A network of IB-like or OPA-like switches, and what belongs to it.
class PacketSystem {
 public:
  using Network = PacketNetwork;
  PacketSystem(const QosPlatform& platform, const QosRunOptions& options)
      : schedulers_(platform, options.rtl_dtable),
        network_("qos", platform.config().link.period, platform.graph(), platform.parameters(), platform, schedulers_) {
  }
  Network& network() { return network_; }
  void add_figures(Section& section) const { schedulers_.add_figures(section); }

 private:
  QosSchedulers schedulers_;
  Network network_;
};

// A network of input-queued routers.
class IqSystem {
 public:
  using Network = IqNetwork;
  IqSystem(const QosPlatform& platform, const QosRunOptions&)
      : network_("qos", platform.config().link.period, platform.graph(), platform.iq_parameters(), platform.routing()) {
  }
  Network& network() { return network_; }
  void add_figures(Section&) const {}

 private:
  Network network_;
};

template <class System>
class Run final : public PacketSink, public Agent {
 public:
  Run(const QosPlatform& platform, const QosRunOptions& options)
      : platform_(platform),
        config_(platform.config()),
        options_(options),
        window_(window_of(config_)),
        system_(platform, options),
        network_(system_.network()),
        sources_(config_, platform.graph(), *this),
        stats_(config_, platform.graph(), window_, keeps_order(platform)),
        watchdog_(network_, watchdog_interval(platform)) {
    network_.add_observer(stats_);
    for (PacketObserver* o : options.observers) network_.add_observer(*o);
    if (options.shuffle_seed) network_.domain().shuffle(*options.shuffle_seed);
    network_.domain().capture_failures();
    if (config_.message_log) {
      log_ = "generated (ns),sent (ns),delivered (ns),source,destination,level,flits\n";
      stats_.log_messages(&log_);
    }
  }

  QosRunResult run() {
    last_ = window_.last + config_.run.drain.ps / config_.link.period.ps;
    sources_.stop_after(last_);  // what comes later would be planned beyond the end of simulated time
    sources_.start(network_.domain());
    watchdog_.start();
    network_.domain().schedule(window_.last, Phase::settle, *this, 0);
    advance();
    QosRunResult result;
    result.interrupted = interrupted_;
    result.cycles = network_.domain().now();
    if (network_.domain().failure()) result.failure = failure_text(network_.domain().failure());
    fill(result);
    return result;
  }

  void submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits,
              std::uint32_t choice) override {
    network_.submit(source, destination, level, flits, choice);
  }

  // From the end of the window on: the run ends when everything measured has arrived, or the drain is over.
  void due(Cycle now, std::uint32_t) override {
    if (stats_.missing() == 0 || now >= last_) {
      network_.domain().request_pause();
      return;
    }
    network_.domain().schedule(std::min(last_, now + kLook), Phase::settle, *this, 0);
  }

 private:
  static constexpr Cycle kLook = 64;  // cycles between two looks whether everything has arrived

  void advance() {
    constexpr std::uint64_t kTold = 1U << 12;  // busy cycles between two looks at the progress
    std::uint64_t calls = 0;
    network_.domain().set_pause_check([&] {
      if (options_.progress && ++calls % kTold == 0) {
        options_.progress(
            std::min(1.0, static_cast<double>(network_.domain().now()) / static_cast<double>(window_.last)));
      }
      interrupted_ = options_.interrupted && options_.interrupted();
      return interrupted_;
    });
    sc_core::sc_start();
    network_.domain().set_pause_check({});
  }

  void fill(QosRunResult& result);

  const QosPlatform& platform_;
  const QosConfig& config_;
  const QosRunOptions& options_;
  Window window_;
  System system_;
  typename System::Network& network_;
  PacketSources sources_;
  PacketStats stats_;
  Watchdog<typename System::Network> watchdog_;
  std::string log_;
  Cycle last_ = 0;
  bool interrupted_ = false;
};

ReportData header(const QosPlatform& platform) {
  const QosConfig& c = platform.config();
  ReportData r;
  r.title = c.title;
  r.config_file = c.file;
  r.seed = c.seed;
  if (platform.input_queued()) {
    r.implementation = "input-queued routers: model";
    return r;
  }
  r.implementation = "scheduler " + to_string(c.scheduler);
  if (c.scheduler == SchedulerChoice::dtable) {
    r.implementation += ": " + to_string(c.dtable);
    for (const SchedulerInstances& i : c.scheduler_instances) {
      r.implementation += fmt::format("; {}: {}", i.range.text, to_string(i.dtable));
    }
  }
  return r;
}

void add_network(const QosPlatform& platform, ReportData& report) {
  const QosConfig& c = platform.config();
  const Graph& g = platform.graph();
  std::int64_t links = 0;
  for (SwitchId s = 0; s < g.switches(); ++s) {
    for (PortId p = 0; p < g.ports(s); ++p) links += g.peer(s, p).sw != kNoId ? 1 : 0;
  }
  Section network{"network", "Network", {}};
  network.figures = {
      {{"topology", "", "kind and size of the network"}, g.name(), true},
      {{"architecture", "", "of the switches"}, to_string(c.packet_switch.architecture), true},
      {{"routing", "", "routing algorithm"}, to_string(c.routing.algorithm), true},
      {{"switches", "1", "packet switches"}, std::int64_t{g.switches()}, true},
      {{"nics", "1", "network interfaces"}, std::int64_t{g.nodes()}, true},
      {{"directed_links", "1", "directed links between switches"}, links, false},
      {{"cycle", "ns", "time of one flit on a link"}, static_cast<double>(c.link.period.ps) / 1000.0, true},
      {{"link_rate", "Gb/s", "of a link and direction"}, static_cast<double>(c.link.rate.bits_per_s) / 1e9, false},
      {{"lanes", "1", "virtual lanes (VLs) in use"}, std::int64_t{c.lanes}, false}};
  report.sections.push_back(std::move(network));
}

template <class System>
void Run<System>::fill(QosRunResult& result) {
  result.report = header(platform_);
  result.report.complete = result.failure.empty() && !interrupted_;
  if (!result.failure.empty()) {
    result.report.incomplete_why = "the run failed: " + result.failure;
  } else if (interrupted_) {
    result.report.incomplete_why = fmt::format("interrupted in cycle {}", result.cycles);
  }
  add_network(platform_, result.report);
  const auto ns = [&](Cycle c) { return static_cast<double>(c * config_.link.period.ps) / 1000.0; };
  Section run{"run", "Run", {}};
  const std::vector<std::string> saturated = stats_.saturated_levels();
  run.figures = {
      {{"offered", "flits/cycle/NIC", "generated in the measurement window, all levels"}, stats_.offered(), true},
      {{"accepted", "flits/cycle/NIC", "arrived in the measurement window, all levels"}, stats_.accepted(), true},
      {{"saturated_levels", "", "levels of which more is generated than arrives"},
       saturated.empty() ? std::string("none") : fmt::format("{}", fmt::join(saturated, ", ")),
       true},
      {{"warm_up", "ns", "before the measurement window"}, ns(window_.first), false},
      {{"window", "ns", "length of the measurement window"}, ns(window_.length()), true},
      {{"drain", "ns",
        "from the end of the window until the last measured message had arrived (looked at every 64 cycles), or "
        "the drain was over"},
       ns(std::max<Cycle>(0, result.cycles - window_.last)),
       false},
      {{"missing", "1", "measured messages that had not arrived when the run ended"},
       static_cast<std::int64_t>(stats_.missing()),
       true},
      {{"generated", "1", "messages of the whole run"}, static_cast<std::int64_t>(network_.generated()), false},
      {{"delivered", "1", "messages of the whole run"}, static_cast<std::int64_t>(network_.delivered()), false},
      {{"flit_hops", "1", "flits sent by switch outputs in the whole run"},
       static_cast<std::int64_t>(stats_.flit_hops()),
       false},
      {{"cycles", "1", "cycles of the whole run"}, result.cycles, false}};
  system_.add_figures(run);
  result.report.sections.push_back(std::move(run));
  result.report.tables = {stats_.levels(), stats_.histogram(), stats_.links()};
  if (stats_.missing() > 0 && result.report.complete) {
    result.report.notes.push_back(fmt::format(
        "{} measured messages had not arrived when the drain was over; latencies of their levels are too low",
        stats_.missing()));
  }
  if (!saturated.empty()) {
    result.report.notes.push_back(
        fmt::format("saturated: {}; their latencies grow with the length of the window", fmt::join(saturated, ", ")));
  }
  if (config_.message_log)
    result.artifacts.push_back({result.report.complete ? "messages.csv" : "messages.partial.csv", log_});
  result.flit_hops = stats_.flit_hops();
  result.message_allocations = network_.pool().allocations();
}

}  // namespace

QosRunResult run_qos(const QosPlatform& platform, const QosRunOptions& options) {
  if (platform.input_queued()) return Run<IqSystem>(platform, options).run();
  return Run<PacketSystem>(platform, options).run();
}

QosRunResult plan_qos(const QosPlatform& platform) {
  QosRunResult result;
  result.report = header(platform);
  add_network(platform, result.report);
  Table t;
  t.key = "levels";
  t.title = "Service levels";
  t.meaning = "One line per service level: what is known before the run.";
  t.columns = {{"level", "", "service level (SL)"},
               {"lane", "", "virtual lane (VL), and its second one with datelines"},
               {"message", "flits", "size of its messages"},
               {"latency_1_switch", "ns", "over one switch when it meets nobody; inside an MPort for opa"}};
  const QosConfig& c = platform.config();
  for (std::size_t l = 0; l < c.levels.size(); ++l) {
    t.rows.push_back(
        {c.levels[l].name, fmt::format("{}", fmt::join(c.levels[l].lanes, ", ")), std::int64_t{c.levels[l].message},
         static_cast<double>(platform.zero_load_latency(static_cast<ServiceLevel>(l), 1) * c.link.period.ps) / 1000.0});
  }
  result.report.tables.push_back(std::move(t));
  return result;
}

}  // namespace weft
