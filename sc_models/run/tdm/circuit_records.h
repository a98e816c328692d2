#pragma once
// Messages of circuits with sources of their own, told as those of endpoints are (kernel/record.h): to the search for
// the message of observe.waves.trigger and to the transactions of observe.waves.transfers. The level of a message is
// its phase. A record is generated when its source turns to it: the message is the first in the queue of its circuit.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/message_times.h"
#include "fabrics/tdm/setup/timed_flow.h"
#include "kernel/record.h"
#include "run/run_options.h"
#include "run/tdm/tdm_platform.h"
#include "workload/workload.h"

namespace weft {

class TransferStreams;

class CircuitRecords final : public TdmObserver, public FlowListener {
 public:
  /// Circuits of all phases, there from the beginning of a phase to its end. The platform must outlive it.
  explicit CircuitRecords(const TdmPlatform& platform);
  /// Circuits that come and go.
  CircuitRecords(const TdmPlatform& platform, const std::vector<TimedFlow>& flows);
  ~CircuitRecords() override;
  CircuitRecords(const CircuitRecords&) = delete;
  CircuitRecords& operator=(const CircuitRecords&) = delete;

  /// Whether anybody asks for messages; without, it need not be told of them.
  static bool wanted(const TdmPlatform& platform, const RunOptions& options);
  /// Before the waveform is opened. `options` must outlive it.
  void tell(const RunOptions& options, Duration tick);

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
  TransferRecord record(std::uint32_t circuit, std::uint64_t message, std::uint64_t words, Cycle generated) const;
  const Circuit& circuit_of(const TransferRecord& transfer) const;
  void generate(TransferRecord transfer);
  void arrive(TransferRecord transfer, NodeId to, Cycle now);

  const TdmPlatform& platform_;
  std::vector<Circuit> circuits_;
  std::unique_ptr<TransferStreams> streams_;
  std::vector<TransferObserver*> observers_;
};

/// Levels of circuits with sources of their own: the phases.
std::vector<ServiceConfig> phase_services(const TdmConfig& config);

}  // namespace weft
