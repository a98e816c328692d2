#pragma once
// Instructions of OPTWEB programs in waves, told as the messages of endpoints are (kernel/record.h): to the search for
// the one of observe.waves.trigger and to the transactions of observe.waves.transfers. Source and destination are the
// node that executes it, the level is its operation, or the name that the program gives it.

#include <memory>
#include <string>
#include <vector>

#include "fabrics/optweb/observer.h"
#include "kernel/record.h"
#include "run/optweb/optweb_platform.h"
#include "run/optweb/optweb_run.h"
#include "workload/traffic_config.h"

namespace weft {

class TransferStreams;

class InstructionRecords final : public OptwebObserver {
 public:
  /// The platform must outlive it, and the watch of its options.
  explicit InstructionRecords(const OptwebPlatform& platform);
  ~InstructionRecords() override;
  InstructionRecords(const InstructionRecords&) = delete;
  InstructionRecords& operator=(const InstructionRecords&) = delete;

  /// Whether anybody asks for instructions; without, it need not be told of them.
  static bool wanted(const OptwebRunOptions& options);
  /// Before the waveform is opened.
  void tell(const OptwebRunOptions& options);

  void on_issue(NodeId node, std::uint32_t number) override;
  void on_execute(const OptwebExecution& execution) override;

 private:
  bool of_host(NodeId node, std::uint32_t number) const;
  TransferRecord record(NodeId node, std::uint32_t number) const;

  const OptwebPlatform& platform_;
  TrafficConfig levels_;
  std::vector<std::vector<ServiceId>> level_of_;  // by program and instruction
  std::unique_ptr<TransferStreams> streams_;
  std::vector<TransferObserver*> observers_;
};

/// Levels of the instructions of all programs, in the order in which they come first.
TrafficConfig instruction_levels(const OptwebConfig& config);

}  // namespace weft
