#pragma once
// Check that both ends of every link do the same things in the same order. Every instruction that is issued says what
// it sends to whom and what it expects from whom; what two nodes say of each other is compared in order: the operation
// (algorithms/optweb/step.h) and the bytes. The hardware carries none of this. It cannot see a mismatch of 0 bytes at
// all, and takes one operation for another that moves as much; the simulator tells.

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "algorithms/optweb/step.h"
#include "base/ids.h"

namespace weft {

class TransferLedger {
 public:
  /// Names an instruction of a node.
  using Name = std::function<std::string(NodeId node, std::uint32_t number)>;
  explicit TransferLedger(std::uint32_t nodes, Name name) : nodes_(nodes), name_(std::move(name)) {}

  /// What a sender says, for the rank of its receiver.
  struct Sent {
    NodeId from = kNoId;
    NodeId to = kNoId;
    std::uint32_t number = 0;
    optweb::Operation operation;
    std::uint64_t bytes = 0;
  };
  /// Of a network that several ranks simulate: they compare at the receiver, so what is sent to a node that is not here
  /// is told. Before time begins.
  void divide(std::function<bool(NodeId)> here, std::function<void(const Sent&)> tell) {
    here_ = std::move(here);
    tell_ = std::move(tell);
  }
  /// Throws as post().
  void hear(const Sent& sent) { add(sent.from, sent.to, true, {sent.number, sent.operation, sent.bytes}); }

  /// Instruction `number` of `node` has been issued. Throws RunError when it does not fit what its partners have done.
  void post(NodeId node, std::uint32_t number, const optweb::Operation& operation,
            const std::vector<optweb::Partner>& partners);
  /// Operations posted by one end only, a line for each pair of nodes, by sender and receiver. For the end of a run.
  struct Unmatched {
    std::uint64_t pair = 0;  ///< sender * nodes + receiver
    std::string line;
  };
  std::vector<Unmatched> unmatched() const;

 private:
  struct Entry {
    std::uint32_t number = 0;
    optweb::Operation operation;
    std::uint64_t bytes = 0;
  };
  struct Side {
    bool sender = false;                             // who is ahead
    boost::container::small_vector<Entry, 1> ahead;  // the oldest first
  };
  void add(NodeId from, NodeId to, bool sends, const Entry& mine);
  void compare(NodeId from, NodeId to, const Entry& sent, const Entry& expected) const;

  std::uint32_t nodes_;
  Name name_;
  std::function<bool(NodeId)> here_;  // empty: all are
  std::function<void(const Sent&)> tell_;
  std::unordered_map<std::uint64_t, Side> pairs_;  // by sender and receiver, while one of them is ahead
};

}  // namespace weft
