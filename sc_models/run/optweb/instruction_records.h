#pragma once
// Instructions of OPTWEB programs in waves. Source and destination are the node that executes one, the level is its
// operation. One of several steps (detours, two hops) is one instruction from the first step to the last.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabrics/optweb/observer.h"
#include "kernel/record.h"
#include "run/optweb/optweb_platform.h"
#include "run/optweb/optweb_run.h"
#include "run/waves/wave_records.h"
#include "workload/traffic_config.h"

namespace weft {

class InstructionRecords final : public OptwebObserver {
 public:
  /// The platform must outlive it, and the watch of its options.
  explicit InstructionRecords(const OptwebPlatform& platform)
      : platform_(platform), started_(platform.config().nodes, 0) {}

  /// Whether anybody asks for instructions; without, it need not be told of them.
  static bool wanted(const OptwebRunOptions& options) { return options.watch != nullptr || shown(options); }
  /// Before the waveform is opened.
  void open(const OptwebRunOptions& options);

  void on_issue(NodeId node, std::uint32_t number) override;
  void on_execute(const OptwebExecution& execution) override;

 private:
  static std::optional<WaveTransfers> shown(const OptwebRunOptions& options) {
    return options.waves.empty() ? std::nullopt : options.shown.times.transfers;
  }
  /// What the sequencer executes as `number` and as the next one are steps of one instruction.
  bool same(NodeId node, std::uint32_t number) const;
  TransferRecord record(NodeId node, std::uint32_t number) const;

  const OptwebPlatform& platform_;
  std::vector<Picoseconds> started_;  // by node: the first step of its instruction
  WaveRecords waves_;
};

/// Levels of instructions: all operations.
TrafficConfig instruction_levels();

}  // namespace weft
