// Run of an OPTWEB network, from the first instruction of its programs to the last.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "algorithms/optweb/clock_period.h"
#include "algorithms/optweb/host_traffic.h"
#include "algorithms/optweb/semantics/semantics.h"
#include "base/diagnostics.h"
#include "cosim/optweb/optweb_blocks.h"
#include "fabrics/optweb/observe/optweb_profile.h"
#include "fabrics/optweb/optweb_network.h"
#include "fabrics/optweb/user/box_catalog.h"
#include "observe/profile/profile_report.h"
#include "observe/profile/throughput.h"
#include "parallel/gather.h"
#include "parallel/part.h"
#include "run/lockstep_report.h"
#include "run/optweb/instruction_records.h"
#include "run/optweb/optweb_own_boxes.h"
#include "run/optweb/optweb_report.h"
#include "run/optweb/optweb_run.h"
#include "run/optweb/optweb_tables.h"
#include "run/optweb/optweb_waves.h"
#include "run/own_run.h"
#include "run/program_gantt.h"

namespace weft {
namespace {

// Rows of a report: the instructions of all programs, one after the other.
std::vector<std::vector<std::uint32_t>> rows_of(const OptwebPlatform& platform) {
  std::vector<std::uint32_t> first;
  std::uint32_t rows = 0;
  for (const NodeProgram& p : platform.config().programs) {
    first.push_back(rows);
    rows += static_cast<std::uint32_t>(p.instructions.size());
  }
  std::vector<std::vector<std::uint32_t>> out;
  for (const optweb::MachineProgram& p : platform.programs().nodes) {
    out.emplace_back();
    for (const optweb::Line& l : p.lines) out.back().push_back(first[l.program] + l.index);
  }
  return out;
}

std::size_t count_rows(const OptwebConfig& config) {
  std::size_t rows = 0;
  for (const NodeProgram& p : config.programs) rows += p.instructions.size();
  return rows;
}

// Which instruction a node was in when, for the page of the report.
class OptwebSpans final : public OptwebObserver {
 public:
  OptwebSpans(const OptwebPlatform& platform) : platform_(platform) {}
  void on_execute(const OptwebExecution& e) override {
    if (e.number >= platform_.programs().nodes[e.node].lines.size()) return;  // an instruction of the host
    ++executed_;
    // Of those that are complete at the same time all or none, whichever node comes first.
    if (spans_.size() >= kMost && e.completed > spans_.back().completed) return;
    spans_.push_back({e.node, e.number, e.started, e.completed});
  }
  void collect(Ranks& ranks) {
    spans_ = gather_rows(&ranks, std::move(spans_));
    executed_ = ranks.sum(executed_);
  }
  void add_to(ReportData& report) {
    std::stable_sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) {
      return a.completed != b.completed ? a.completed < b.completed : a.node < b.node;
    });
    spans_.resize(std::min(spans_.size(), kMost));
    SpanGroups groups;
    std::vector<NodeSpan> shown;
    for (const Span& s : spans_) {
      const optweb::Line& l = platform_.programs().nodes[s.node].lines[s.number];
      const ProgramInstruction& in = platform_.config().programs[l.program].instructions[l.index];
      shown.push_back({s.node, groups(in.name.empty() ? to_string(in.op) : in.name),
                       static_cast<double>(s.started) / 1e3, static_cast<double>(s.completed) / 1e3});
    }
    add_program_gantt(report, shown, groups, shown.size() < executed_);
  }

 private:
  static constexpr std::size_t kMost = 200'000;
  struct Span {
    NodeId node = 0;
    std::uint32_t number = 0;  // of the instruction there
    Picoseconds started = 0;
    Picoseconds completed = 0;
  };
  const OptwebPlatform& platform_;
  std::vector<Span> spans_;
  std::uint64_t executed_ = 0;
};

class OptwebThroughput final : public OptwebObserver {
 public:
  explicit OptwebThroughput(Duration tick) : series_(tick) {}
  void on_deliver(const OptwebDelivery& d) override { series_.deliver(d.counted, d.bytes); }
  void collect(Ranks& ranks) { series_.collect(ranks.gather(series_.numbers())); }
  void close(Picoseconds end) { series_.close(end); }
  void add_to(ReportData& report) const { series_.add_to(report); }

 private:
  ThroughputSeries series_;
};

class OwnProgramRun final : public OwnSystem {
 public:
  OwnProgramRun(const OptwebPlatform& platform, const OptwebRunOptions& options, OptwebRunResult& result)
      : platform_(platform),
        config_(platform.config()),
        options_(options),
        result_(result),
        blocks_(config_, platform.blocks()),
        modules_(config_, platform.boxes()),
        domain_("clock", optweb::agenda_period(config_)),
        network_("optweb", domain_, config_, platform.programs(), options.blocks != nullptr ? *options.blocks : blocks_,
                 options.modules != nullptr ? options.modules : &modules_, optweb_part(config_, options.ranks)),
        stats_(rows_of(platform), count_rows(config_)),
        spans_(platform),
        throughput_(Duration{1}) {
    network_.add_observer(stats_);
    network_.add_observer(spans_);
    network_.add_observer(throughput_);
    if (options.boxes) network_.add_observer(boxes_.emplace(box_times(*options.boxes, config_.nodes)));
    if (options.profile) record(*options.profile);
    for (OptwebObserver* o : options.observers) network_.add_observer(*o);
    if (InstructionRecords::wanted(options)) {
      records_ = std::make_unique<InstructionRecords>(platform);
      network_.add_observer(*records_);
    }
    for (NodeId n = 0; n < config_.nodes; ++n) {
      if (network_.has_node(n)) instructions_ += platform.programs().nodes[n].instructions.size();
    }
    if (network_.ranks() != nullptr) stats_.divide([this](NodeId n) { return network_.has_node(n); });
    if (config_.verify != OptwebVerify::data) return;
    for (NodeId n = 0; n < config_.nodes; ++n) {
      expected_.push_back(network_.has_node(n) ? network_.node(n).memory().bytes()
                                               : optweb::SparseMemory(network_.memory_size(), config_.seed, n));
    }
  }

  ClockDomain& domain() override { return domain_; }
  // Waves show a cycle more, and ranks find out some cycles later that nothing is left to happen.
  Cycle last_cycle() override {
    last_ = result_.interrupted ? domain_.now() : domain_.last_busy();
    if (network_.ranks() != nullptr) {
      last_ = -1;
      for (const Cycle c : gather_rows(network_.ranks(), std::vector{domain_.last_busy()})) last_ = std::max(last_, c);
      finished_ = network_.ranks()->sum(network_.finished() ? 0 : 1) == 0;
    }
    // What a link has on its way when it fails for good is lost: until then nothing happens any more.
    if (!finished() && !result_.interrupted && result_.failure.empty()) {
      last_ = std::max<Cycle>(last_, network_.last_cut() / domain_.period().ps);
    }
    return last_;
  }
  void collect(Ranks& ranks) override {
    stats_.collect(ranks.gather(stats_.numbers()));
    spans_.collect(ranks);
    throughput_.collect(ranks);
    if (profile_) profile_->collect(ranks.gather(profile_->numbers()));
    if (boxes_) boxes_->collect(ranks.gather(boxes_->numbers()));
    result_.verified_bytes = ranks.sum(result_.verified_bytes);
  }
  void open_files() override {
    if (records_) records_->open(options_);
    if (options_.waves.empty()) return;
    waves_ = std::make_unique<OptwebWaves>(options_.waves, options_.shown, platform_, network_, blocks_);
  }
  WaveWindow* wave_window() override { return waves_ ? &waves_->window() : nullptr; }
  std::vector<std::string> close_files(Cycle last) override {
    return waves_ ? waves_->close(last) : std::vector<std::string>();
  }
  void start(const std::function<bool()>& stop) override {
    stop_ = stop;
    network_.set_stop(stop_);
    network_.load_programs();
    network_.load_host_traffic();
    if (waves_) waves_->begin();
  }
  double done() const override {
    return static_cast<double>(stats_.executed()) / static_cast<double>(std::max<std::uint64_t>(1, instructions_));
  }

  // When nothing is left on the agenda the programs are over, or nodes wait for each other for ever.
  std::string check() override {
    if (!finished()) {
      network_.check_words();
      return fmt::format("no further progress is possible after {}{}, but programs are not over:{}",
                         to_string(Duration{reached_time()}),
                         network_.own_clocks() ? "" : fmt::format(" (cycle {})", last_ + 1),
                         network_.describe_stall(true));
    }
    network_.check_conservation();
    if (config_.verify != OptwebVerify::data) return {};
    const std::string wrong = first_trouble(network_.ranks(), [this] { verify(); });
    if (network_.ranks() != nullptr) result_.interrupted = network_.ranks()->sum(stop_() ? 1 : 0) != 0;
    return wrong;
  }

  ReportData header() override {
    result_.busy_cycles = domain_.busy_cycles();
    result_.rows = stats_.rows();
    for (const OptwebRow& r : result_.rows) result_.end = std::max(result_.end, r.completed);
    const bool cut_off = !config_.faults.empty() && !result_.failure.empty();
    if (result_.interrupted || cut_off) result_.end = std::max(result_.end, reached_time());
    return optweb_report_header(platform_);
  }
  std::string reached(const RunResult&) const override {
    if (finished() && config_.verify == OptwebVerify::data) return "before all bytes were compared";
    return fmt::format("after {} ns", static_cast<double>(result_.end) / 1e3);
  }
  void fill(RunResult&) override {
    optweb_report(platform_, network_, stats_, result_);
    spans_.add_to(result_.report);
    throughput_.close(result_.end);
    throughput_.add_to(result_.report);
    if (profile_) {
      profile_->close(result_.end);
      add_profile(*profile_, result_.report);
    }
    if (boxes_) result_.report.tables.push_back(box_table(config_, *boxes_, result_.end));
    add_lockstep(blocks_.compared(), result_.report);
  }

 private:
  // Times are picoseconds, as nodes may have clocks of their own.
  void record(Cycle window) {
    ProfileShape shape;
    shape.window = window * config_.period.ps;
    shape.tick = Duration{1};
    shape.flit_bits = std::int64_t{config_.word_bytes} * 8;
    OptwebProfile::shape(config_.nodes, words_per_second(config_), shape);
    profile_ = std::make_unique<NetworkProfile>(std::move(shape), Window{0, Window::kOpen});
    links_ = std::make_unique<OptwebProfile>(config_.nodes, *profile_, true);
    network_.add_observer(*links_);
  }

  bool finished() const { return network_.ranks() == nullptr ? network_.finished() : finished_; }

  // The end of the last cycle, as the times of instructions.
  Picoseconds reached_time() const { return (last_ + 1) * domain_.period().ps; }

  void verify() {
    for (const OptwebHostEvent& e : stats_.host()) {  // no program touches these bytes
      if (config_.host[e.number].write) optweb::write_host_data(config_, e.number, expected_[e.node], stop_);
    }
    OptwebConfig ran = config_;
    if (network_.routes() != nullptr) {
      ran.routes = network_.routes()->chosen();
      ran.detours = network_.routes()->detoured();
    }
    const bool over = optweb::execute_semantics(ran, expected_, stop_, own_combine(config_, platform_.boxes()));
    if (stop_()) return;
    if (!over) {
      throw RunError("internal: the run is over, but by the rules of MPI some nodes would still wait");
    }
    for (NodeId n = 0; n < config_.nodes && !stop_(); ++n) {
      if (!network_.has_node(n)) continue;
      const optweb::SparseMemory& memory = network_.node(n).memory().bytes();
      if (const auto at = optweb::SparseMemory::first_difference(memory, expected_[n])) {
        throw RunError(
            fmt::format("the memory of node {} is wrong from byte {:#x} on (stripe {}, relative address {:#x})", n, *at,
                        *at / (2 * config_.interface_bytes), *at % (2 * config_.interface_bytes)));
      }
      result_.verified_bytes += std::max(memory.touched(), expected_[n].touched());
    }
  }

  const OptwebPlatform& platform_;
  const OptwebConfig& config_;
  const OptwebRunOptions& options_;
  OptwebRunResult& result_;
  OptwebBlocks blocks_;
  ConfiguredModules modules_;
  ClockDomain domain_;
  OptwebNetwork network_;
  OptwebStats stats_;
  OptwebSpans spans_;
  OptwebThroughput throughput_;
  std::optional<OptwebBoxTimes> boxes_;
  std::unique_ptr<NetworkProfile> profile_;
  std::unique_ptr<OptwebProfile> links_;         // of the profile
  std::unique_ptr<InstructionRecords> records_;  // for waves
  std::unique_ptr<OptwebWaves> waves_;
  std::vector<optweb::SparseMemory> expected_;
  std::uint64_t instructions_ = 0;  // of the nodes here
  Cycle last_ = -1;                 // in which anything has happened
  bool finished_ = false;           // of several ranks: all are
  std::function<bool()> stop_;
};

}  // namespace

OptwebRunResult run_optweb(const OptwebPlatform& platform, const OptwebRunOptions& options) {
  OptwebRunResult result;
  OwnProgramRun run(platform, options, result);
  run_own(run, options, result);
  return result;
}

}  // namespace weft
