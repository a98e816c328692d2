#pragma once
// Times of the instructions of an OPTWEB program: one row per instruction of a program, over all nodes that executed
// it and over its parts (multipath routing has three).

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fabrics/optweb/observer.h"
#include "observe/message_latency.h"

namespace weft {

struct OptwebRow {
  std::uint32_t nodes = 0;              ///< that executed it
  std::uint32_t parts = 0;              ///< executions
  std::uint32_t expected = 0;           ///< executions by the programs
  std::uint32_t unfenced = 0;           ///< executions that read what was written since the last fence
  Picoseconds first_started = 0;        ///< by the first node
  Picoseconds started = 0;              ///< by the last node
  std::optional<Picoseconds> begun;     ///< the first word over a link has left
  std::optional<Picoseconds> sent;      ///< the last word or notification has left, in its first part
  std::optional<Picoseconds> received;  ///< the last word has been counted
  Picoseconds completed = 0;            ///< by the last node
  Picoseconds first_completed = 0;      ///< by the first node
  std::uint64_t busiest = 0;            ///< bytes over the links of the node that sent and received most
  std::uint64_t bytes = 0;              ///< over all links
  bool rendezvous = false;

  /// The same row as other nodes have it.
  void add(const OptwebRow& other);
  bool complete() const { return parts == expected && parts > 0; }
  /// From the moment at which all nodes have come to it until all data are there, or, without data, it is complete.
  /// Nothing, when the last node to come to it has no part in the data and all are there already.
  Picoseconds latency() const { return std::max<Picoseconds>(received.value_or(completed) - started, 0); }
  /// No data have left before the last node has come to it, so that the latency is that of all of them.
  bool in_step() const { return begun.value_or(started) >= started; }
};

/// Transfers over links of one kind.
struct OptwebTransfers {
  MessageLatency latency;  ///< ps: from the fetch of the sender's instruction until the receiver has counted all words
  std::uint64_t words = 0;
};

class OptwebStats final : public OptwebObserver {
 public:
  /// `row_of[node][number]`: the row of an instruction.
  OptwebStats(std::vector<std::vector<std::uint32_t>> row_of, std::size_t rows);
  void on_execute(const OptwebExecution& e) override;
  void on_deliver(const OptwebDelivery& d) override;
  void on_deliver_elsewhere(const OptwebDelivery& d) override { nodes_[d.from].sent.push_back(d); }
  void on_host(const OptwebHostEvent& e) override { host_.push_back(e); }

  /// Of a network that several ranks simulate: nodes that are not here tell their own ranks. Before time begins.
  void divide(std::function<bool(NodeId)> here) { here_ = std::move(here); }
  /// Numbers of this rank, and those of all ranks, one of which is its own, which become those of the whole.
  std::string numbers() const;
  void collect(const std::vector<std::string>& all);

  const std::vector<OptwebRow>& rows() const { return rows_; }
  /// Accesses of hosts that are over, in the order in which they were.
  const std::vector<OptwebHostEvent>& host() const { return host_; }
  std::uint64_t executed() const { return executed_; }
  std::uint64_t deliveries() const { return deliveries_; }
  std::uint64_t bytes() const { return bytes_; }
  std::uint64_t buffered() const { return buffered_; }  ///< transfers that came before their instruction
  /// Node whose program was over last, the first of several; nothing when no node has completed an instruction of one.
  std::optional<NodeId> slowest() const;
  /// Of instructions that their senders have completed.
  const OptwebTransfers& transfers(bool rendezvous) const { return transfers_[rendezvous ? 1 : 0]; }
  /// Those from one node to another, of both kinds together; none in larger networks than kMostPairNodes.
  std::vector<PairLatency> pairs() const;

 private:
  struct NodeState {
    std::uint32_t row = ~std::uint32_t{0};  // of its last instruction
    std::uint64_t bytes = 0;                // over its links in that row
    std::optional<Picoseconds> completed;   // its last instruction
    std::optional<Picoseconds> begun;       // the first word of what it receives in the execution under way has left
    std::vector<OptwebDelivery> sent;       // of the execution under way, as far as its receivers have them
  };
  void count_transfers(const OptwebExecution& e);

  std::function<bool(NodeId)> here_;  // empty: all are
  std::vector<std::vector<std::uint32_t>> row_of_;
  std::vector<OptwebRow> rows_;
  std::vector<OptwebHostEvent> host_;
  std::vector<NodeState> nodes_;
  std::array<OptwebTransfers, 2> transfers_;  // eager, rendezvous
  std::vector<LatencySums> pairs_;            // by source and destination; empty: not recorded
  std::uint64_t executed_ = 0;
  std::uint64_t deliveries_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t buffered_ = 0;
};

}  // namespace weft
