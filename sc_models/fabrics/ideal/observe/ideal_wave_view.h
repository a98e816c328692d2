#pragma once
// Signals of an ideal network in a waveform, and the GTKWave view that shows them.
//
// Per node "send" and "receive", the two directions of its interface: whether a flit goes through it in the cycle
// (valid), the ends of its message as "3>12" ("3>12+" for a multicast whose first destination is 12, where it leaves),
// its level by name, the flit within the message. A message that leaves has a number, too: of those of its source, from
// 1. Waiting: messages that have been generated and have not begun to leave; queued: flits in the interface, those of
// the message that leaves included. At a serial receiver messages wait whose first flits have arrived; at parallel ones
// several arrive side by side, of which the one that began first is shown, and their number. All are as at the end of
// the cycle.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabrics/ideal/ideal_network.h"
#include "kernel/record.h"
#include "observe/wave_file.h"

namespace weft {

class IdealWaveView final : public TransferObserver, public IdealArrivals {
 public:
  struct Network {
    std::string name;  ///< of its module
    std::uint32_t nodes = 0;
    std::vector<std::string> levels;  ///< names of its services
    bool serial_receivers = true;
    Duration period;
  };
  /// Declares the signals of these nodes. `file` must outlive the view.
  IdealWaveView(WaveFile& file, Network network, const std::vector<NodeId>& nodes);

  void on_generate(const TransferRecord& transfer) override;
  void on_enter(const TransferRecord& transfer) override;
  void on_withdraw(const TransferRecord& transfer) override;
  void on_head(const TransferRecord& transfer, Cycle begin) override;
  /// At the end of every cycle.
  void show(Cycle cycle);

  /// Cycle of the first flit that leaves a watched node or arrives there, -1 before it.
  Cycle first_activity() const { return first_activity_; }
  /// Of all parts of a network.
  void set_first_activity(Cycle cycle) { first_activity_ = cycle; }
  /// GTKWave save file: a group per node, at most 16, zoomed to the first flit. `fst`: file name to open.
  std::string gtkw(const std::string& fst) const;

 private:
  struct DirectionSignals {
    WaveSignal valid = 0, message = 0, level = 0, flit = 0;
  };
  /// A message whose flits go through an interface in cycles `begin` to `begin + units - 1`.
  struct Flow {
    Cycle begin = 0;
    std::uint64_t units = 1;
    std::string ends;
    ServiceId service = 0;
    Cycle end() const { return begin + static_cast<Cycle>(units); }
  };
  struct Node {
    NodeId id = 0;
    DirectionSignals send, receive;
    WaveSignal number = 0, waiting = 0, queued = 0, arriving = 0;
    // What has been told last: the destinations of a multicast are told one by one.
    std::uint64_t generated = 0, entered = 0, withdrawn = 0;
    std::uint64_t messages = 0;       // that have begun to leave
    std::uint64_t waiting_count = 0;  // messages
    std::uint64_t waiting_units = 0;
    std::optional<Flow> leaving;
    std::vector<Flow> coming;  // in the order of their begins
    bool quiet = true;         // nothing is there, and the signals say so
  };

  Node* watched(NodeId node) { return index_[node] == kUnwatched ? nullptr : &nodes_[index_[node]]; }
  Flow flow(const TransferRecord& transfer, Cycle begin);
  void take_back(Node& node, const TransferRecord& transfer);
  std::string path(const Node& node) const;
  DirectionSignals declare(const std::string& node, const std::string& direction);
  void show(const DirectionSignals& signals, const Flow* flow, Cycle cycle);
  void show_number(const DirectionSignals& signals, std::uint64_t number);
  void show_send(Node& node, Cycle cycle);
  void show_receive(Node& node, Cycle cycle);

  static constexpr std::size_t kUnwatched = ~std::size_t{0};
  WaveFile& file_;
  const Network network_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> index_;  // by node: its place in nodes_
  Cycle first_activity_ = -1;
};

}  // namespace weft
