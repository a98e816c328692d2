#pragma once
// Message log of circuits with sources of their own (`observe.message_log`): one line per measured message and
// destination. "Sent" is the end of queueing, as in the report: the message is the first in the queue of its circuit.

#include <string>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/message_times.h"
#include "fabrics/tdm/setup/timed_flow.h"
#include "observe/message_log.h"
#include "parallel/ranks.h"
#include "run/run_options.h"
#include "run/tdm/tdm_platform.h"

namespace weft {

class CircuitMessageLog final : public TdmObserver, public FlowListener {
 public:
  /// Circuits of all phases, there from the beginning of a phase to its end.
  CircuitMessageLog(const TdmPlatform& platform, const Ranks* ranks);
  /// Circuits that come and go.
  CircuitMessageLog(const TdmPlatform& platform, const std::vector<TimedFlow>& flows, const Ranks* ranks);

  void on_phase(std::size_t phase, Cycle data_start) override;
  void on_deliver(const DeliveryEvent& event) override;
  void left(std::uint32_t /*flow*/, std::uint64_t /*message*/) override {}
  void arrived(const FlowArrival& arrival) override;
  void given_up(std::uint32_t /*flow*/) override {}

  /// Of a part: becomes the log of all parts.
  void collect(Ranks& ranks);
  Artifact artifact(bool complete) { return {MessageLog::file(complete), log_.text()}; }

 private:
  struct Circuit {
    std::string cells;  ///< phase, job and flow
    NodeId source = kNoId;
    std::vector<NodeId> destinations;
    std::uint32_t words = 0;  ///< of a message, of circuits that come and go
    std::size_t phase = 0;
  };
  CircuitMessageLog(const TdmPlatform& platform, bool keeps);
  void add_circuit(Circuit circuit, const std::string& phase, const std::string& job, const std::string& name);
  void add(const Circuit& circuit, NodeId to, std::uint64_t words, Cycle generated, Cycle head, Cycle delivered);

  const Duration period_;
  const Cycle warm_up_;
  std::vector<Cycle> first_;  // by phase: messages generated before are not measured
  std::vector<Circuit> circuits_;
  MessageLog log_;
};

}  // namespace weft
