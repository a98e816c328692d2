#include "run/simulation.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/diagnostics.h"
#include "observe/profile/network_profile.h"
#include "observe/profile/throughput.h"
#include "observe/run_length.h"
#include "observe/transfer_stats.h"
#include "parallel/part.h"
#include "run/advance.h"
#include "run/agree.h"
#include "run/divided_fabric.h"
#include "run/failure.h"
#include "run/own_run.h"
#include "run/program_report.h"
#include "run/simulation_report.h"
#include "run/watchdog.h"
#include "run/waves/transfer_streams.h"
#include "workload/stream_sources.h"

namespace weft {
namespace {

// Until the end is known, all there is.
Window window_of(const Workload& w) {
  if (w.has_programs()) return {0, std::numeric_limits<Cycle>::max()};
  if (w.run.until == RunUntil::steady) return {0, Window::kOpen};
  const Cycle first = whole_cycles(w.run.warm_up, w.traffic.period);
  return {first, first + std::max<Cycle>(1, whole_cycles(w.run.measure, w.traffic.period))};
}

std::optional<RunLength> length_of(const Workload& w, Cycle ahead) {
  if (w.has_programs() || w.run.until == RunUntil::window) return std::nullopt;
  const auto cycles = [&](Duration time) { return std::max<Cycle>(1, whole_cycles(time, w.traffic.period)); };
  return RunLength(
      {w.run.half_width, w.run.confidence, cycles(w.run.warm_up), cycles(w.run.measure), cycles(w.run.at_most), ahead});
}

ProfileShape profile_shape(const FabricPlan& plan, const TransferStatsOptions& options, const BuiltFabric& built) {
  ProfileShape shape;
  shape.window = *plan.workload().profile;
  shape.tick = options.tick;
  shape.flit_bits = options.flit_bits;
  shape.nodes = options.nodes;
  shape.offers = !plan.workload().has_programs();
  built.shape_profile(shape);
  return shape;
}

class Simulation final : public Agent {
 public:
  Simulation(const FabricPlan& plan, const RunOptions& options)
      : plan_(plan),
        workload_(plan.workload()),
        options_(options),
        ranks_(options.ranks),
        domain_("clock", workload_.traffic.period),
        part_(ranks_ == nullptr ? Part{} : plan.part(*ranks_)),
        built_(plan.build(domain_, part_)),
        divided_(ranks_ == nullptr ? nullptr : std::make_unique<DividedFabric>(built_->fabric(), *ranks_)),
        fabric_(divided_ ? *divided_ : built_->fabric()),
        stats_(with_routes(stats_options(plan, fabric_), *built_), window_of(workload_)),
        length_(length_of(workload_, fabric_.watchdog_interval())),
        watchdog_(fabric_) {
    fabric_.observe(stats_);
    if (options.watch != nullptr) {
      options.watch->begin(workload_.traffic, fabric_.tick());
      fabric_.observe(*options.watch);
    }
    windowed_ = built_->windowed();
    if (workload_.profile) {
      profile_ =
          std::make_unique<NetworkProfile>(profile_shape(plan, stats_options(plan, fabric_), *built_), stats_.window());
      fabric_.observe(*profile_);
      built_->record(*profile_);
      windowed_.push_back(profile_.get());
    }
    if (workload_.has_programs()) {
      throughput_ = std::make_unique<ThroughputSeries>(fabric_.tick());
      fabric_.observe(*throughput_);
      windowed_.push_back(throughput_.get());
    }
    for (WindowedStats* s : windowed_) {
      s->measure_from(stats_.window().first);
      s->measure_until(stats_.window().last);
    }
    if (options.shuffle_seed) domain_.shuffle(*options.shuffle_seed);
    domain_.capture_failures();
    if (workload_.has_programs()) {
      programs_ = std::make_unique<ProgramClient>(
          workload_.programs, workload_.traffic.seed, fabric_, [this](Cycle) { domain_.request_pause(); },
          programs_part());
    } else {
      sources_ = std::make_unique<StreamSources>(workload_.traffic, plan.graph(), fabric_, part_);
    }
    if (workload_.message_log) {
      log_.emplace("generated (ns),sent (ns),delivered (ns),source,destination,level,flits\n", ranks_ != nullptr);
      stats_.log_transfers(*log_);
    }
  }

  RunResult run() {
    RunResult result;
    const bool open = open_file(result, [&] {
      show_transfers();
      built_->open_files(options_);
      limit_waves(built_->wave_window(), options_.wave_span);
    });
    start();
    if (open) advance();
    if (workload_.has_programs()) {
      finish_programs(result, open);
    } else {
      finish_traffic(result, open);
    }
    result.interrupted = interrupted_;
    if (failed()) result.failure = failure_;
    // What is between two ranks in the middle of a window is counted by none, and by none or both when they are
    // interrupted, as they do not stand in the same cycle.
    const bool between = ranks_ != nullptr && (interrupted_ || fabric_.outstanding() > 0);
    if (result.failure.empty() && !between) result.failure = fabric_.miscounted();
    if (open) close_file(result, [&] { return built_->close_files(last_cycle()); });
    if (ranks_ != nullptr) built_->collect(*ranks_);
    fill(result);
    return result;
  }

  BuiltFabric& built() { return *built_; }

  // In a phase in which nothing arrives, so that the order of modules does not matter.
  void due(Cycle now, std::uint32_t token) override {
    switch (token) {
      case kLength:
        return look(now);
      case kMeasured:
        if (measured(now)) pause();
        return;
      case kSettled:
        if (settled(now)) pause();
        return;
      default:
        pause();
    }
  }

 private:
  void pause() {
    stats_.check_last_arrivals();
    domain_.request_pause();
  }

  void show_transfers() {
    if (options_.waves.empty() || !workload_.wave_transfers) return;
    transfers_ = std::make_unique<TransferStreams>("", *workload_.wave_transfers, workload_.traffic, fabric_.nodes());
    fabric_.observe(*transfers_);
  }

  static constexpr Cycle kLook = 64;  // cycles between two looks whether everything has arrived
  static constexpr std::uint32_t kMeasured = 0;
  static constexpr std::uint32_t kSettled = 1;
  static constexpr std::uint32_t kLength = 2;
  static constexpr std::uint32_t kRested = 3;

  // Ranks find out some cycles later that programs cannot go on.
  Cycle last_cycle() const {
    return std::max<Cycle>(0, programs_ && programs_->stuck_at() >= 0 ? programs_->stuck_at() : domain_.now());
  }

  void start() {
    if (programs_) {
      programs_->join(domain_);
      if (!fabric_.when_ready([this](Cycle now) { begin_programs(now); })) programs_->begin_at(0);
      watchdog_.start();
      return;
    }
    end_ = length_ ? std::max<Cycle>(1, whole_cycles(workload_.run.at_most, domain_.period())) : stats_.window().last;
    end_at(end_);
    sources_->start(domain_);
    watchdog_.start();
    domain_.schedule(length_ ? length_->first_check() : end_, Phase::generate, *this, length_ ? kLength : kMeasured);
  }

  // Their measurement begins with them.
  void begin_programs(Cycle now) {
    each_window([&](WindowedStats& s) { s.measure_from(now); });
    programs_->begin_now(now);
  }

  // The window ends before this cycle. What comes after the drain would be planned beyond the end of simulated time.
  void end_at(Cycle end) {
    end_ = end;
    last_ = end + whole_cycles(workload_.run.drain, domain_.period());
    sources_->stop_after(last_);
  }

  // Whether to begin to measure, or to end. It takes effect once everything that has been told so far is over, so no
  // order within a cycle matters.
  void look(Cycle now) {
    std::optional<TransferStats> all;
    if (ranks_ != nullptr) {
      fabric_.counts();
      all.emplace(stats_options(plan_, fabric_), stats_.window());
      all->collect(ranks_->gather(stats_.numbers(false)));
    }
    std::vector<const LevelSeries*> levels;
    for (const std::uint32_t l : workload_.run.levels) levels.push_back(&(all ? *all : stats_).series(l));
    const RunLength::Decision d = length_->check(now, levels);
    if (d.step == RunLength::Step::end) {
      each_window([&](WindowedStats& s) { s.measure_until(d.at); });
      end_at(d.at);
      domain_.schedule(d.at, Phase::generate, *this, kMeasured);
      return;
    }
    if (d.step == RunLength::Step::measure) each_window([&](WindowedStats& s) { s.measure_from(d.at); });
    domain_.schedule(d.next, Phase::generate, *this, kLength);
  }

  template <class Tell>
  void each_window(Tell&& tell) {
    tell(stats_);
    for (WindowedStats* s : windowed_) tell(*s);
  }

  // From the end of the window on: the measurement ends when everything measured has arrived, or the drain is over.
  bool measured(Cycle now) {
    if (missing() == 0 || now >= last_) return true;
    domain_.schedule(std::min(last_, now + kLook), Phase::generate, *this, kMeasured);
    return false;
  }

  // When everything has arrived the credits get as long as anything takes to come back.
  // Where links are down for good, messages may be left over.
  bool settled(Cycle now) {
    if (settled_at_ >= 0) return true;
    if (fabric_.outstanding() == 0) settled_at_ = now;
    if (watchdog_.stalled() && fabric_.faults_over()) return true;
    domain_.schedule(now + (settled_at_ >= 0 ? fabric_.resting_time() : kLook), Phase::generate, *this, kSettled);
    return false;
  }

  void finish_traffic(RunResult& result, bool open) {
    measured_until_ = last_cycle();
    if (ranks_ != nullptr) collect(measured_until_);
    each_window([&](WindowedStats& s) { s.close(measured_until_); });
    if (open && workload_.run.settle && !interrupted_ && !failed()) result.failure = settle();
    result.cycles = last_cycle();
  }

  // The last credits get as long as anything takes to come back.
  void finish_programs(RunResult& result, bool open) {
    if (open && programs_->finished() && !interrupted_ && !failed()) {
      if (fabric_.outstanding() == 0) fabric_.withdraw();  // nothing more comes
      const Cycle rested = programs_->finished_at() + fabric_.resting_time();
      domain_.schedule(std::max(domain_.now() + 1, rested), Phase::generate, *this, kRested);
      advance();
    }
    result.cycles = programs_->finished() ? programs_->finished_at() : last_cycle();
    if (programs_->finished() && !failed() && !interrupted_) result.failure = conservation();
    const Cycle last = std::max<Cycle>(1, result.cycles) - 1;
    if (ranks_ != nullptr) collect(last);
    each_window([&](WindowedStats& s) { s.close(last); });
  }

  // What is measured becomes that of all ranks. What the fabric measures is closed first, as it may tell the profile.
  void collect(Cycle last) {
    fabric_.counts();
    for (WindowedStats* s : built_->windowed()) s->close(last);
    stats_.collect(ranks_->gather(stats_.numbers(true)));
    if (profile_) profile_->collect(ranks_->gather(profile_->numbers()));
    if (throughput_) throughput_->collect(ranks_->gather(throughput_->numbers()));
    if (programs_) programs_->collect();
  }

  ProgramsPart programs_part() const {
    ProgramsPart out{{}, ranks_};
    const Graph& graph = plan_.graph();
    const std::uint32_t nodes = ranks_ == nullptr ? 0 : workload_.programs.nodes;
    for (NodeId n = 0; n < nodes; ++n) out.here.push_back(part_.has_node(graph, n * (graph.nodes() / nodes)));
    return out;
  }

  // The sources stop, what has not entered the network is taken back, and everything else has to arrive; then nothing
  // may be left anywhere. Returns what is wrong.
  std::string settle() {
    const Cycle now = domain_.now();
    sources_->stop_after(now);
    fabric_.withdraw();
    domain_.schedule(now + 1, Phase::generate, *this, kSettled);
    advance();
    if (interrupted_ || failed() || settled_at_ < 0) return {};
    return conservation();
  }

  std::string conservation() {
    try {
      fabric_.check_conservation(domain_.now());
    } catch (const RunError& e) {
      return e.what();
    }
    return {};
  }

  void advance() {
    const auto done = [&] {
      if (programs_) return program_progress(workload_.programs.programs, programs_->executor());
      return std::min(1.0, static_cast<double>(domain_.now()) / static_cast<double>(end_));
    };
    interrupted_ = weft::advance(domain_, {options_.interrupted, options_.progress}, done) || interrupted_;
    if (ranks_ != nullptr) {
      RunEnd end = agree(*ranks_, domain_, interrupted_);
      interrupted_ = end.interrupted;
      if (failure_.empty()) failure_ = std::move(end.failure);
    } else if (domain_.failure()) {
      failure_ = failure_text(domain_.failure());
    }
  }

  bool failed() const { return !failure_.empty(); }

  std::uint64_t missing() const {
    if (ranks_ == nullptr) return stats_.missing();
    fabric_.counts();  // by which losses on other ranks become known
    return ranks_->sum(stats_.missing());
  }

  /// Nothing that is left moves any more, because links are down.
  bool stalled() const { return fabric_.excused() && watchdog_.stalled() && fabric_.outstanding() > 0; }

  void fill(RunResult& result) {
    fill_report({plan_, *built_, fabric_, stats_, length_ ? &*length_ : nullptr, sources_.get(), programs_.get(),
                 profile_.get(), throughput_.get(), last_cycle(), measured_until_, settled_at_, stalled()},
                result);
    if (log_) result.artifacts.push_back({MessageLog::file(result.report.complete), log_->text()});
  }

  const FabricPlan& plan_;
  const Workload& workload_;
  const RunOptions& options_;
  Ranks* const ranks_;  // null: this process runs the whole network
  ClockDomain domain_;
  const Part part_;
  std::unique_ptr<BuiltFabric> built_;
  std::unique_ptr<DividedFabric> divided_;  // of a part
  Fabric& fabric_;
  TransferStats stats_;
  std::vector<WindowedStats*> windowed_;          // besides
  std::unique_ptr<NetworkProfile> profile_;       // null: none is asked for
  std::unique_ptr<ThroughputSeries> throughput_;  // of programs
  std::unique_ptr<TransferStreams> transfers_;    // in the waveform
  std::optional<RunLength> length_;               // of a run that goes on until mean latencies are known
  Watchdog watchdog_;
  std::unique_ptr<StreamSources> sources_;   // or
  std::unique_ptr<ProgramClient> programs_;  // these
  std::optional<MessageLog> log_;
  Cycle end_ = 0;             // of the window, the latest as long as it is open
  Cycle last_ = 0;            // of the drain
  Cycle measured_until_ = 0;  // end of the drain as it was
  Cycle settled_at_ = -1;     // everything had arrived
  bool interrupted_ = false;
  std::string failure_;
};

}  // namespace

RunResult simulate(const FabricPlan& plan, const RunOptions& options, const std::function<void(BuiltFabric&)>& look) {
  Simulation simulation(plan, options);
  RunResult result = simulation.run();
  if (look) look(simulation.built());
  return result;
}

RunResult FabricPlan::known() const {
  RunResult result;
  result.report = header();
  if (workload().has_programs()) result.report.sections.push_back(program_section(*this));
  return result;
}

RunResult FabricPlan::run(const RunOptions& options) const { return simulate(*this, options); }

Cycle whole_cycles(Duration time, Duration period) { return CycleSpan{false, time.ps}.cycles(period); }

}  // namespace weft
