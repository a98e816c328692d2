// Run of an OPTWEB network, from the first instruction of its programs to the last.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "algorithms/optweb/clock_period.h"
#include "algorithms/optweb/host_traffic.h"
#include "algorithms/optweb/semantics/semantics.h"
#include "base/diagnostics.h"
#include "cosim/optweb/optweb_blocks.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/advance.h"
#include "run/failure.h"
#include "run/lockstep_report.h"
#include "run/optweb/optweb_report.h"
#include "run/optweb/optweb_run.h"
#include "run/optweb/optweb_waves.h"

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

class Run {
 public:
  Run(const OptwebPlatform& platform, const OptwebRunOptions& options)
      : platform_(platform),
        config_(platform.config()),
        options_(options),
        blocks_([implementations = implementations_of(config_)](const optweb::BlockSite&) { return implementations; }),
        domain_("clock", optweb::agenda_period(config_)),
        network_("optweb", domain_, config_, platform.programs(), options.blocks != nullptr ? *options.blocks : blocks_,
                 options.modules),
        stats_(rows_of(platform), count_rows(config_)) {
    network_.add_observer(stats_);
    for (OptwebObserver* o : options.observers) network_.add_observer(*o);
    if (options.shuffle_seed) network_.domain().shuffle(*options.shuffle_seed);
    network_.domain().capture_failures();
    for (const optweb::MachineProgram& p : platform.programs().nodes) instructions_ += p.instructions.size();
  }

  OptwebRunResult run() {
    if (config_.verify == OptwebVerify::data) {
      for (NodeId n = 0; n < config_.nodes; ++n) expected_.push_back(network_.node(n).memory().bytes());
    }
    OptwebRunResult result;
    std::unique_ptr<OptwebWaves> waves;
    const bool open = open_file(result, [&] {
      if (!options_.waves.empty()) {
        waves = std::make_unique<OptwebWaves>(options_.waves, platform_, network_, blocks_);
      }
    });
    network_.set_stop(stop_);
    network_.load_programs();
    network_.load_host_traffic();
    if (waves) waves->begin();
    if (open) advance();
    result.busy_cycles = network_.domain().busy_cycles();
    result.rows = stats_.rows();
    for (const OptwebRow& r : result.rows) result.end = std::max(result.end, r.completed);
    if (interrupted_) result.end = std::max(result.end, reached());
    try {
      if (!open) throw RunError(result.failure);
      if (network_.domain().failure()) std::rethrow_exception(network_.domain().failure());
      if (!interrupted_) check(result);
    } catch (const std::exception& e) {
      result.failure = e.what();
    }
    if (waves) close_file(result, [&] { return waves->close(); });
    result.interrupted = interrupted_;
    optweb_report(platform_, network_, stats_, result);
    add_lockstep(blocks_.compared(), result.report);
    return result;
  }

 private:
  void advance() {
    weft::advance(network_.domain(), {stop_, options_.progress},
                  [&] { return static_cast<double>(stats_.executed()) / static_cast<double>(instructions_); });
  }

  // The end of the last cycle, as the times of instructions.
  Picoseconds reached() { return (network_.domain().now() + 1) * network_.domain().period().ps; }

  // When nothing is left on the agenda the programs are over, or nodes wait for each other for ever.
  void check(OptwebRunResult& result) {
    if (!network_.finished()) {
      throw RunError(fmt::format("nothing can happen any more after {}{}, but programs are not over:{}",
                                 to_string(Duration{reached()}),
                                 network_.own_clocks() ? "" : fmt::format(" (cycle {})", network_.domain().now() + 1),
                                 network_.describe_stall()));
    }
    network_.check_conservation();
    if (config_.verify == OptwebVerify::data) verify(result);
  }

  void verify(OptwebRunResult& result) {
    for (const OptwebHostEvent& e : stats_.host()) {  // no program touches these bytes
      if (config_.host[e.number].write) optweb::write_host_data(config_, e.number, expected_[e.node], stop_);
    }
    const bool over = optweb::execute_semantics(config_, expected_, stop_);
    if (interrupted_) return;
    if (!over) {
      throw RunError("internal: the run is over, but by the rules of MPI some nodes would still wait");
    }
    for (NodeId n = 0; n < config_.nodes && !stop_(); ++n) {
      const optweb::SparseMemory& memory = network_.node(n).memory().bytes();
      if (const auto at = optweb::SparseMemory::first_difference(memory, expected_[n])) {
        throw RunError(
            fmt::format("the memory of node {} is wrong from byte {:#x} on (stripe {}, relative address {:#x})", n, *at,
                        *at / (2 * config_.interface_bytes), *at % (2 * config_.interface_bytes)));
      }
      result.verified_bytes += std::max(memory.touched(), expected_[n].touched());
    }
  }

  const OptwebPlatform& platform_;
  const OptwebConfig& config_;
  const OptwebRunOptions& options_;
  OptwebBlocks blocks_;
  ClockDomain domain_;
  OptwebNetwork network_;
  OptwebStats stats_;
  std::vector<optweb::SparseMemory> expected_;
  std::uint64_t instructions_ = 0;
  bool interrupted_ = false;
  // Once interrupted, a run stays so.
  std::function<bool()> stop_ = [this] {
    return interrupted_ = interrupted_ || (options_.interrupted && options_.interrupted());
  };
};

}  // namespace

OptwebRunResult run_optweb(const OptwebPlatform& platform, const OptwebRunOptions& options) {
  return Run(platform, options).run();
}

}  // namespace weft
