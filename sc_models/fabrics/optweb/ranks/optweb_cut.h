#pragma once
// Links of an OPTWEB network between nodes of this rank and nodes of others: words and notifications cross them.
//
// Far ends. A link is simulated by the rank of its sender up to the switch of the receiver: for the end at the other
// node it has a link IP of its own, with that node's clock, timeline and link_sync block. What such a far end would
// tell its switch is told to the switch on the other rank: that a train of words begins, turns or is late, that a
// notification arrives, each with its cycles there. A train brings the bytes of its words along, as they are in the
// memory when the first of them leaves; nothing may change them until they have passed (algorithms/optweb/program.h).
//
// Windows. What a switch does in a cycle has an effect at another one after the latency of the link, and ranks tell
// each other what they have decided once per latency of the shortest cut link. With every exchange each of them says
// when anything is left to happen for it; windows until then are left out, and when nothing is left anywhere they
// exchange no more, so that the run ends.
//
// Ranks also tell each other what they keep account of: a receiver's rank compares what both ends say of a transfer
// (fabrics/optweb/transfer_ledger.h), and the sender's rank gets to know when its transfers have been counted.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "algorithms/optweb/semantics/sparse_memory.h"
#include "base/ids.h"
#include "fabrics/optweb/distributed_switch.h"
#include "fabrics/optweb/link/link_ip.h"
#include "fabrics/optweb/observer.h"
#include "fabrics/optweb/parameters.h"
#include "fabrics/optweb/transfer_ledger.h"
#include "kernel/clock_domain.h"
#include "parallel/cut_links.h"
#include "parallel/part.h"

namespace weft {

class OptwebCut final : public Agent, public OptwebObserver {
 public:
  /// What both ends of a cut share. References must outlive the object.
  struct Network {
    ClockDomain& domain;
    const OptwebParameters& parameters;
    const Part& part;
    TransferLedger& ledger;
    const OptwebObservers& observers;
    std::function<DistributedSwitch&(NodeId)> switch_of;  ///< of a node here
    std::function<optweb::LinkTimeline*(NodeId from, NodeId to)> timeline;
  };
  explicit OptwebCut(Network network);
  ~OptwebCut() override;

  /// End at node `far`, on another rank, of its link to node `here`; made when it is asked for first, in the
  /// constructor of the module that has the nodes. `clock`: that of the node; it must outlive the object.
  LinkIp& far_end(NodeId far, NodeId here, NodeClock& clock, const MakeLinkSync& make_link_sync);
  /// The same, once it is made; null: none was asked for.
  LinkIp* far_end(NodeId far, NodeId here) const;
  /// Before time begins, after all links.
  void start();
  /// Throws RunError when a lane to another rank has not brought what was sent.
  void check_lanes() const;

  void due(Cycle now, std::uint32_t token) override;
  void on_deliver(const OptwebDelivery& delivery) override;

  /// Cycles of the agenda between two exchanges: the shortest time from a node's decision to its effect at another one
  /// behind a link that is cut.
  static Cycle window(const OptwebParameters& parameters, const std::vector<RankId>& owners);

 private:
  enum class Item : std::uint8_t { outlook, notification, train, late, turn, delivery, sent };
  struct FarEnd;
  using Memory = std::shared_ptr<const optweb::SparseMemory>;
  /// Bytes that were saved for a rank last, or came from it: a train to several of its nodes brings them once.
  struct Saved {
    NodeId from = kNoId;
    std::uint32_t number = 0;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    Memory changed;  ///< by own boxes: there all streams of an instruction begin at address 0
    bool operator==(const Saved&) const = default;
  };
  struct Other {
    RankChannel* channel = nullptr;
    Saved saved;
    Memory brought;
  };

  ByteWriter begin(RankId to, Item item);
  ByteWriter begin(const FarEnd& end, Item item);
  void put_train(const FarEnd& end, const OptwebTrain& train);
  void put_bytes(Other& to, const OptwebTrain& train);
  void take(Other& from);
  OptwebTrain take_train(Other& from, ByteReader& in, NodeId to);
  Memory take_bytes(Other& from, ByteReader& in, const OptwebTrain& train);

  const Network net_;
  const optweb::Neighbours neighbours_;
  Cycle window_ = 0;
  std::map<std::pair<NodeId, NodeId>, std::unique_ptr<FarEnd>> ends_;  // by the node there and the node here
  std::vector<Other> others_;                                          // by rank
  Cycle first_ = 0;  // in which anything is left to happen anywhere, as the last exchange says
  // Memories of trains from other ranks, by sender and receiver, until they are counted; then until the next exchange.
  std::map<std::pair<NodeId, NodeId>, std::deque<Memory>> memories_;
  std::vector<Memory> used_;
};

}  // namespace weft
