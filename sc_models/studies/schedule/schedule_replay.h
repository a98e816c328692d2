#pragma once
// A job schedule replayed on the SystemC FiC network. The schedule says that circuits are there from a job's start to
// its end; in the network they must be asked for, and given back. Each circuit of the schedule becomes a flow that asks
// for a circuit in the cycle its job starts and sends as many words as its slots carry until its job ends; nothing of a
// job leaves its sources after its end. So what the protocol costs (setup, refusals because slots of the job before are
// not free yet, waits between tries) is missing from the words that arrive.
//
// A schedule that counts the time of reconfigurations is replayed with data instead: each circuit is requested at the
// start of its job and sends the words that its slots carry in the run time. They all arrive if the network needs no
// longer than the schedule allows for.
//
// Time 0 of the network is the start of the first job; a unit of the workload's time lasts ReplayRequest::time_unit.

#include <functional>
#include <string>
#include <vector>

#include "algorithms/jobs/timed_circuits.h"
#include "fabrics/tdm/setup/setup_network.h"
#include "observe/statistic.h"
#include "run/tdm/tdm_platform.h"
#include "run/tdm/tdm_run.h"
#include "schema/document.h"

namespace weft {

struct ReplayRequest {
  Duration time_unit{100'000'000};  ///< 100us
  /// Circuits ask for the slots of the schedule and no others. Otherwise the first switch chooses, as it does for
  /// everyone who knows no schedule.
  bool planned_slots = true;
  bool reconfiguration = false;  ///< the schedule counts the time of reconfigurations
  Overrides set;                 ///< keys of `switch` and `setup`
};

/// Each circuit of the schedule is a source with its own records for the whole run.
inline constexpr std::size_t kMostReplayedCircuits = 20'000;

/// The network of the replay: defaults of a configuration file with `set`; topology, routing, slots and seed are the
/// schedule's. Throws InputError.
TdmConfig replay_config(const TopologyConfig& topology, const RoutingConfig& routing, std::uint32_t slots,
                        std::uint64_t seed, const ReplayRequest& request);

/// One circuit of the schedule, and what became of it. Cycles; -1: never.
struct ReplayedCircuit {
  std::size_t job = 0;  ///< index in Schedule::jobs
  std::string flow;
  NodeId source = kNoId;
  std::vector<NodeId> destinations;
  std::vector<Slot> planned;  ///< slots
  std::vector<Slot> used;     ///< none: no circuit was accepted
  Cycle start = 0;
  Cycle sends = 0;  ///< of the job in the schedule; `start` if that counts no reconfigurations
  Cycle end = 0;
  std::uint64_t volume = 0;  ///< words to send; 0: as many as leave before the end
  Cycle first_word = -1;     ///< on the circuit that was accepted
  Cycle cleared = -1;        ///< the source knows that all words have arrived and all slots are given back
  std::uint64_t requests = 0;
  std::uint64_t refused_no_slots = 0;
  std::uint64_t refused_late = 0;
  std::uint64_t words = 0;  ///< received, by the destination that received the fewest

  Cycle run() const { return end - sends; }
  /// Words received over those to be sent, or over those its slots carry while the job runs.
  double bandwidth_ratio(std::uint32_t frame) const {
    return static_cast<double>(words) / static_cast<double>(volume > 0 ? volume : carried(frame));
  }
  /// Words that the slots of the circuit, or those planned if there was none, carry while the job sends: a
  /// word leaves in slot s only in the cycles t with t mod `frame` = s, and of these some slots have one more than
  /// others.
  std::uint64_t carried(std::uint32_t frame) const;
};

class ScheduleReplay {
 public:
  /// Throws InputError for a schedule that cannot be replayed: jobs shorter than a frame, too many circuits, more
  /// simulated time than can be counted. `platform` and `schedule` must outlive this.
  ScheduleReplay(const TdmPlatform& platform, const jobs::Schedule& schedule, const ReplayRequest& request);

  /// Once per process. The result's report is that of the network alone.
  TdmRunResult run(const TdmRunOptions& options);
  const std::vector<ReplayedCircuit>& circuits() const { return circuits_; }
  const SetupPlan& plan() const { return plan_; }

  /// Section and tables `replay` (circuits) and `replay_jobs`.
  void add_figures(const TdmRunResult& result, ReportData& report) const;

 private:
  Cycle cycle_of(jobs::Time time) const;
  void check(Diagnostics& diagnostics) const;
  void add(const jobs::TimedCircuit& circuit);
  void read(const SetupNetwork& network);

  const TdmPlatform& platform_;
  const jobs::Schedule& schedule_;
  ReplayRequest request_;
  jobs::Time origin_ = 0;
  SetupPlan plan_;
  std::vector<ReplayedCircuit> circuits_;  // as plan_.flows
};

}  // namespace weft
