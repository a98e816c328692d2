#pragma once
// Plan of a family whose fabrics are run by the one simulation (run/simulation.h): it builds the fabric with what
// belongs to it, and says what its report has besides the common figures.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernel/fabric.h"
#include "network/graph.h"
#include "observe/profile/hop_counts.h"
#include "observe/profile/network_profile.h"
#include "observe/window.h"
#include "parallel/part.h"
#include "run/family.h"
#include "run/waves/wave_window.h"
#include "workload/workload.h"

namespace weft {

/// State of a run whose report is written.
struct RunState {
  Cycle end = 0;                   ///< last cycle
  bool complete = false;           ///< it has not failed, and nobody has interrupted it
  bool stalled = false;            ///< what is left does not move any more, because links are down
  Window window;                   ///< of the measurement
  const Fabric* fabric = nullptr;  ///< as the simulation sees it: all parts of a divided one; null: its own
};

/// Fabric with everything that belongs to it, for one run.
class BuiltFabric {
 public:
  virtual ~BuiltFabric() = default;
  virtual Fabric& fabric() = 0;
  /// Statistics of the family that measure in the window.
  virtual std::vector<WindowedStats*> windowed() { return {}; }
  /// Sets what a profile of this fabric has besides loads and what waits at nodes: its links and switches.
  virtual void shape_profile(ProfileShape& /*shape*/) const {}
  /// Tells a profile of that shape what happens on links and in switches; before time begins.
  virtual void record(NetworkProfile& /*profile*/) {}
  /// Lengths of its routes; nothing where they are not known or not the same for all messages of a pair of nodes.
  virtual std::optional<HopCounts> hops() const { return std::nullopt; }
  /// Whether its own tables give latencies by source and destination.
  virtual bool tells_pairs() const { return false; }
  /// Of a part, at the end of the run: its statistics become those of all parts.
  virtual void collect(Ranks& /*ranks*/) {}
  /// Opens the waveform. Throws InputError for a file that cannot be written, and unless overridden: the fabric has no
  /// signals.
  virtual void open_waves(const std::string& path);
  /// Completes it; returns the names of the files.
  virtual std::vector<std::string> close_waves(Cycle /*last*/) { return {}; }
  /// All files that are written while time goes on: the waveform if it is asked for, and what else a family has.
  virtual void open_files(const RunOptions& options) {
    if (!options.waves.empty()) open_waves(options.waves);
  }
  virtual std::vector<std::string> close_files(Cycle last) { return close_waves(last); }
  /// Part of the run that goes into the waveform; null without one.
  virtual WaveWindow* wave_window() { return nullptr; }
  /// Figures of the section `run`.
  virtual std::vector<Figure> run_figures() const { return {}; }
  /// A link fails before this cycle.
  virtual bool fault_begins_before(Cycle /*end*/) const { return false; }
  /// Sections, tables and notes behind the common ones.
  virtual void add_results(const RunState& /*state*/, ReportData& /*report*/) const {}
};

/// Name of the module of a fabric: `base`, with a number behind it when another fabric of the design is called that.
std::string fabric_name(const std::string& base);

class FabricPlan : public Plan {
 public:
  virtual const Workload& workload() const = 0;
  /// Network that patterns are drawn on.
  virtual const Graph& graph() const = 0;
  virtual std::int64_t flit_bits() const = 0;
  /// Of the network, which loads are per; longer than a tick of records where clocks of nodes differ.
  virtual Duration cycle() const { return workload().traffic.period; }
  /// Title, seed and implementations; then the sections about the network.
  virtual ReportData header() const = 0;
  /// A header without sections.
  ReportData begin_report(const std::string& file, const std::string& implementation) const;
  /// Figures of the nodes and their programs.
  virtual std::vector<Figure> program_links() const { return {}; }
  virtual std::unique_ptr<BuiltFabric> build(ClockDomain& domain, const Part& part) const = 0;
  /// What one of several ranks builds: by default its share of the switches.
  virtual Part part(Ranks& ranks) const;

  const WaveTrigger* wave_trigger() const override {
    return workload().wave_trigger ? &*workload().wave_trigger : nullptr;
  }
  /// The header, and the nodes of programs.
  RunResult known() const override;
  RunResult run(const RunOptions& options) const override;
};

/// The plan of a fabric with endpoints. Throws InputError when it is none.
const FabricPlan& fabric_plan(const Plan& plan);

}  // namespace weft
