#pragma once
// Messages of circuits with sources of their own in waves. The level of a message is its phase; it begins when its
// source turns to it: it is the first in the queue of its circuit.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/message_times.h"
#include "fabrics/tdm/setup/timed_flow.h"
#include "kernel/record.h"
#include "run/run_options.h"
#include "run/tdm/tdm_platform.h"
#include "run/waves/wave_records.h"
#include "workload/traffic_config.h"

namespace weft {

class CircuitRecords final : public TdmObserver, public FlowListener {
 public:
  /// Circuits of all phases, there from the beginning of a phase to its end. The platform must outlive it.
  explicit CircuitRecords(const TdmPlatform& platform);
  /// Circuits that come and go.
  CircuitRecords(const TdmPlatform& platform, const std::vector<TimedFlow>& flows);

  /// Whether anybody asks for messages; without, it need not be told of them.
  static bool wanted(const TdmPlatform& platform, const RunOptions& options) {
    return options.watch != nullptr || shown(platform, options);
  }
  /// Before the waveform is opened.
  void open(const RunOptions& options);

  void on_head(const TdmMessage& message) override;
  void on_deliver(const DeliveryEvent& event) override;

  void left(std::uint32_t /*flow*/, std::uint64_t /*message*/) override {}
  void begun(std::uint32_t flow, std::uint64_t message, Cycle generated) override;
  void arrived(const FlowArrival& arrival) override;
  void given_up(std::uint32_t flow) override;

 private:
  struct Circuit {
    std::string name;
    NodeId source = kNoId;
    std::vector<NodeId> destinations;
    ServiceId level = 0;
    // Of circuits that come and go.
    std::uint32_t words = 0;             // of a message
    std::uint64_t begun = 0;             // messages
    std::vector<std::uint64_t> arrived;  // by destination
  };
  static std::optional<WaveTransfers> shown(const TdmPlatform& platform, const RunOptions& options) {
    return options.waves.empty() ? std::nullopt : platform.config().observe.waves.times.transfers;
  }
  TransferRecord record(std::uint32_t circuit, std::uint64_t message, std::uint64_t words, Cycle generated) const;
  void begin(TransferRecord transfer);
  void arrive(TransferRecord transfer, NodeId to, Cycle now);

  const TdmPlatform& platform_;
  std::vector<Circuit> circuits_;
  WaveRecords waves_;
};

/// Levels of circuits with sources of their own: the phases.
std::vector<ServiceConfig> phase_services(const TdmConfig& config);

}  // namespace weft
