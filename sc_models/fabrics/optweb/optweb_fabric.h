#pragma once
// Endpoints and accounting of an OPTWEB network: the fabric that runs with traffic and traces see. Its nodes have no
// packets; what carries a transfer are instructions of their command sequencers (algorithms/optweb/messages.h).
//
// **(ours)** The paper has programs that all nodes know beforehand; a transfer that comes at any time must first be
// told to its receiver. So the instructions of a transfer that is generated in cycle t are appended at all nodes it
// touches in cycle t + P, P the time of a notification over as many links as there are between any two nodes, each of
// them as long as the longest one, and
// at every node in the same order: by the cycle of their generation, then by their source. With one order for all, the
// transfer that is first in it has its turn at each of its nodes, so nothing can deadlock. A node's host holds what its
// sequencer cannot take yet, and keeps one instruction ready behind the one that runs; that is what withdraw() cannot
// take back.
//
// Services are not told apart: instructions have no priorities. Transfers travel whole and in order. A transfer to
// several nodes is a broadcast, in a full mesh; in other networks there is none. One of a node to itself goes through
// its switch.
//
// Timing: entered is a transfer in the cycle in which its source begins with its instruction; it has left when the word
// counter of the first receiver has seen its last word, and has arrived when the receiver's instruction is complete.
// Alone and over one link, a transfer arrives zero_load_latency() cycles after it was generated.

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/optweb/messages.h"
#include "fabrics/optweb/observer.h"
#include "fabrics/optweb/optweb_network.h"
#include "kernel/fabric.h"
#include "kernel/open_transfers.h"
#include "kernel/send_queue.h"

namespace weft {

class OptwebFabric final : public Fabric, public OptwebObserver, public Agent {
 public:
  /// `config` must outlive the fabric. Its network comes with join(), since its nodes have the fabric's groups.
  OptwebFabric(ClockDomain& domain, const OptwebConfig& config, std::size_t services);
  /// For the network: no instructions, and the group register table.
  const optweb::MachinePrograms& programs() const { return messages_.programs(); }
  /// Before time begins.
  void join(OptwebNetwork& network);

  std::uint32_t nodes() const override { return config_.nodes; }
  Capabilities of(ServiceId) const override {
    return {.ordered = true, .multicast = config_.levels.size() == 1, .dynamic = true, .unit = config_.word_bytes};
  }
  ClientId attach(Client& client) override { return sends_.attach(client); }
  void send(NodeId from, const Transfer& transfer) override;
  /// Of the queue of sends: generated now.
  void enter(NodeId from, const Transfer& transfer);

  ClockDomain& domain() override { return domain_; }
  Duration tick() const override { return domain_.period(); }
  void observe(TransferObserver& observer) override { open_.observe(observer); }
  const TransferCounts& counts() const override { return open_.counts(); }
  std::string miscounted() const override { return open_.miscounted(); }
  void withdraw() override;
  std::uint64_t progress() const override { return steps_ + counts().generated; }
  Cycle watchdog_interval() const override;
  /// The source of the last one to arrive is still to be told, once its links are up.
  Cycle resting_time() const override;
  std::string describe_stall() const override;
  void check_conservation(Cycle now) override;

  bool excused() const override { return network_->any_down(); }
  bool faults_over() const override { return network_->failures_over(); }

  /// Bytes of messages that were compared with those at their sources, with verify: data.
  std::uint64_t verified_bytes() const { return verified_bytes_; }

  void on_issue(NodeId node, std::uint32_t number) override;
  void on_execute(const OptwebExecution& execution) override;
  void on_deliver(const OptwebDelivery& delivery) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  enum Token : std::uint32_t { kPost, kHand };
  /// A transfer's way into the network.
  struct Progress {
    std::size_t leaving = 0;       // links of its source that it has not left over yet
    std::size_t instructions = 0;  // not complete
    bool handed = false;           // a sequencer has one of them
  };
  using Transfers = OpenTransfers<Progress>;
  using Number = Transfers::Number;
  using Open = Transfers::Open;
  struct Part {
    Number transfer = 0;
    optweb::MachineInstruction instruction;
  };
  struct Node {
    std::deque<Part> waiting;  // at the host
    std::deque<Part> handed;   // to the sequencer, and not complete
  };
  struct Generated {
    Cycle post = 0;
    Number transfer = 0;
  };

  void post(Number number);
  void hand(NodeId node);
  void left(Open& open);
  void arrive(Open& open, NodeId to);
  void verify(const Open& open, NodeId to);
  void complete(Number number) {
    if (--open_[number].instructions == 0) open_.release(number);
  }
  std::string text_of(NodeId node, std::uint32_t number) const;

  ClockDomain& domain_;
  const OptwebConfig& config_;
  const OptwebParameters parameters_;
  const std::size_t services_;
  const Cycle posting_;  // cycles from the generation of a transfer until its nodes have its instructions
  const Cycle stages_;   // more than all stages of an instruction take together
  optweb::MessageAssembler messages_;
  OptwebNetwork* network_ = nullptr;
  SendQueue<OptwebFabric> sends_;
  Transfers open_;
  std::deque<Generated> generated_;  // not posted yet
  std::vector<Node> nodes_;
  std::vector<NodeId> to_hand_;  // nodes with a place in their sequencers
  std::uint64_t steps_ = 0;      // instructions begun and completed
  std::uint64_t longest_ = 1;    // words of the longest transfer so far
  std::uint64_t verified_bytes_ = 0;
};

/// Cycles from the generation of a transfer to its arrival over one link of a full mesh, when it meets nobody;
/// `adapter`: what one adds to that link. Nothing in networks of several levels, when the memory takes longer than a
/// cycle for a word, when nodes or link IPs have clocks of their own, or with own boxes on the path of words.
std::optional<Cycle> zero_load_latency(const OptwebConfig& config, std::uint64_t bytes, Cycle adapter = 0);

}  // namespace weft
