#pragma once
// Programs of nodes on a FiC network: puts the messages of algorithms/collectives/executor.h on the circuit of their
// pair of nodes, and tells the executor when they have left and arrived.
//
// Every ordered pair of nodes that sends has a circuit of its own, so messages meet no others: they wait for earlier
// messages of their circuit, then for its slot. A message of B bytes is ceil(8 B / word) words, at least one.
//
// Timing. Programs begin when the circuits are in place, in the cycle the data transfer of the phase starts. What
// happens in cycle t reaches the programs in cycle t + 1: a message has left in the cycle after its last word has, and
// has arrived in the cycle after the one in which its last word arrives. With n words, m slots per frame of S, and a
// way of T cycles from host to host, a message that comes to its circuit in cycle t with nothing before it leaves from
// the first cycle of its slots t' >= t on, has left in t' + (n - 1) S / m + 1 and has arrived T cycles later
// (m > 1: by its slots, algorithms/slots/circuit_timing.h).

#include <deque>
#include <vector>

#include "algorithms/collectives/executor.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/tdm_network.h"
#include "workload/program_agenda.h"

namespace weft {

class TdmProgramTraffic final : public MessageSupply, public TdmObserver, public collectives::MessagePort {
 public:
  /// `phase`: a circuit of one destination for every pair of nodes that sends. References must outlive the traffic.
  TdmProgramTraffic(const TdmConfig& config, const PhasePlan& phase);
  /// Before time begins; the network has this traffic as its supply and as an observer.
  void join(TdmNetwork& network);

  /// All programs are over and all their messages have arrived, since the cycle finished_at().
  bool finished() const { return agenda_.finished(); }
  Cycle finished_at() const { return agenda_.finished_at(); }
  Cycle started_at() const { return started_at_; }        ///< -1: not yet
  Cycle last_delivery() const { return last_delivery_; }  ///< -1: none yet
  const collectives::Executor& executor() const { return executor_; }
  std::uint64_t words() const { return words_; }  ///< that messages were cut into

  std::optional<MessageOffer> next(CircuitId circuit, Cycle free_at) override;
  bool finished(CircuitId) const override { return agenda_.finished(); }
  void on_phase(std::size_t phase, Cycle data_start) override;
  void on_deliver(const DeliveryEvent& event) override;
  void send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) override;
  void wake(NodeId node, Cycle at) override { agenda_.woken(node, at); }

 private:
  struct Circuit {
    NodeId source = 0;
    std::deque<MessageOffer> queue;
    std::optional<std::uint32_t> leaving;  // message that its host sends
  };

  void programs_over();

  const TdmConfig& config_;
  TdmNetwork* network_ = nullptr;
  collectives::Executor executor_;
  ProgramAgenda agenda_;
  std::vector<Circuit> circuits_;
  std::vector<CircuitId> circuit_of_;  // source * nodes + destination
  std::uint64_t words_ = 0;
  Cycle started_at_ = -1;
  Cycle last_delivery_ = -1;
};

}  // namespace weft
