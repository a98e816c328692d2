#pragma once
// Parts of the flit-by-flit reference: buffers with shared space, messages as queues of flits, transfers through a
// crossbar, and the end of a device that feeds a link. Section names are those of docs/packet_switches.md.

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reference/packet_oracle.h"

namespace weft::packet_oracle {

/// Throws std::logic_error: the reference itself has broken a rule.
void demand(bool rule, Cycle t, const std::string& what);

/// "Buffers and room": places that a message of so many flits takes, and those that it gives back with flit number
/// `index`: one, and with its last flit all that it has taken beyond.
std::uint32_t places_of_message(const PacketParameters& parameters, VirtualLane v, std::uint32_t flits);
std::uint32_t places_of_flit(const PacketParameters& parameters, VirtualLane v, std::uint32_t flits,
                             std::uint32_t index);

/// "Buffers and room": places in use per VL of one buffer.
class SharedBuffer {
 public:
  SharedBuffer(const BufferShares& shares, std::uint32_t lanes);
  std::int64_t room(VirtualLane v) const;
  bool fits(VirtualLane v, std::uint32_t places) const { return room(v) >= places; }
  void reserve(VirtualLane v, std::uint32_t places) { used_[v] += places; }
  void give_back(VirtualLane v, std::uint32_t places) { used_[v] -= places; }
  std::int64_t used(VirtualLane v) const { return used_[v]; }
  void check(Cycle t, const std::string& where) const;

 private:
  BufferShares shares_;
  std::vector<std::int64_t> used_;
};

struct Flit {
  std::uint32_t message = 0;
  std::uint32_t index = 0;
  Cycle here_from = 0;  ///< the buffer holds it from this cycle on
};

/// One message in one buffer.
struct Visit {
  std::uint32_t message = 0;
  std::uint32_t size = 0;
  ServiceLevel level = 0;
  VirtualLane lane = 0;
  Cycle head_arrived = 0;       // input buffers: its head flit came off the link
  PacketHop hop;                // input buffers: where it may go
  std::uint32_t drawn = 0;      // input buffers: offset of its port within the hop, when that is chosen at routing
  PortId port = kNoPort;        // central buffers: where it will go
  std::uint32_t rate_in = 1;    // central buffers: flits per cycle with which it came
  std::deque<Flit> flits;       // in the buffer, or in the last stage before it
  std::uint32_t left = 0;       // flits that have left
  std::vector<Cycle> expected;  // per flit: from when on it will be here; known, as flits of a message never pause
  bool head_is_here(Cycle t) const { return left == 0 && !flits.empty() && flits.front().here_from <= t; }
  std::uint32_t here_so_far(Cycle t) const;  ///< flits that are in the buffer or have been
};
using VisitPtr = std::shared_ptr<Visit>;
using LaneQueues = std::vector<std::deque<VisitPtr>>;  // per VL, in the order in which messages may leave

/// "Switch, X": a granted transfer from one buffer to the next.
struct Transfer {
  VisitPtr from, to;
  std::uint32_t source = 0, sink = 0;  ///< ports of the crossbar
  std::uint32_t rate = 1;
  Cycle first = 0;                   ///< grant + va
  Cycle ends = 0;                    ///< the last flit will move
  std::vector<std::uint32_t> moves;  ///< flits that will move in each cycle from `first` on
};

/// Foresees a transfer flit by flit; fills to->expected. Returns the transfer with `ends` set.
Transfer plan_transfer(VisitPtr from, VisitPtr to, std::uint32_t rate, Cycle first, Cycle crossbar);

/// "X": the transfers that a port of a crossbar has been granted to.
class PortUse {
 public:
  /// Whether it can be granted to this one as well: they follow each other, or share a cycle that each is done in.
  bool takes(const Transfer& transfer) const;
  void take(const Transfer& transfer);

 private:
  Cycle ends_ = -1;          // of the last
  Cycle shared_cycle_ = -1;  // in which all that use it begin and end, with so many flits and the slowest rate:
  std::uint32_t flits_ = 0;
  std::uint32_t rate_ = 0;
};

/// Side of a central link: one message at a time, or "Several messages on a central link".
class CentralUse {
 public:
  CentralUse(std::uint32_t most, std::uint32_t rate) : most_(most), rate_(rate) {}
  /// Flits per cycle that a transfer would have which begins in cycle `first`; none if it could not.
  std::optional<std::uint32_t> rate(Cycle first) const;
  bool takes(const Transfer& transfer) const { return most_ > 1 || one_.takes(transfer); }
  void take(const Transfer& transfer);
  /// To be called in every cycle.
  void check(Cycle t);

 private:
  std::uint32_t most_, rate_;
  PortUse one_;
  std::vector<Transfer> several_;
};

/// Cycle t of a transfer. Returns the number of flits that moved.
std::uint32_t move_flits(const Transfer& transfer, Cycle t, Cycle crossbar);

/// "OB" and "Link": the buffer behind a link, its scheduler, the link and the credits that come back.
class Egress {
 public:
  Egress(const OracleSetup& setup, LinkId id, const BufferShares& own, const BufferShares& next);

  struct OnLink {
    Cycle arrives;
    VirtualLane lane;
    Flit flit;
    std::uint32_t places;
  };
  struct Credit {
    Cycle arrives;
    VirtualLane lane;
    std::uint32_t places;
  };

  /// Cycles that an adapter in the way of the link adds to the flight of a flit, and to that of a credit.
  Cycle adapter() const { return parameters_.adapters.empty() ? 0 : parameters_.adapters[id_]; }
  bool free_in(Cycle t) const { return t >= free_from_; }
  void take_credits(Cycle t);
  void put_on_link(Cycle t);
  /// Returns whether a message was given to the link.
  bool decide(Cycle t, std::vector<std::vector<OracleDecision>>& decisions);
  /// `receiver`: places per VL in use in the next input buffer. `promised`: places of this buffer for messages that are
  /// still in central buffers.
  void check(Cycle t, const std::vector<std::int64_t>& receiver, const std::vector<std::int64_t>& promised) const;
  /// What its first messages wait for; empty when there is none.
  std::string waiting(Cycle t) const;

  SharedBuffer buffer;
  LaneQueues queues;
  std::deque<OnLink> link;
  std::deque<Credit> credits;
  std::uint64_t events = 0;  ///< flits put on the link and credits taken

 private:
  struct Sending {
    VisitPtr visit;
    Cycle start;  // its head flit is put on the link
  };
  EgressView look(Cycle t, std::array<VirtualLane, kMaxServiceLevels>& lane_of) const;

  std::uint32_t left_places(const Visit& visit) const;

  const Graph& graph_;
  const PacketParameters& parameters_;
  LinkId id_;
  std::uint32_t lanes_;
  std::uint32_t levels_;
  StageLatencies stages_;
  SharedBuffer next_;  // the next input buffer, by this sender's own count
  std::unique_ptr<EgressScheduler> scheduler_;
  std::array<VirtualLane, kMaxServiceLevels> after_last_{};  // per SL: the VL after the one it used last
  Cycle free_from_ = 0;
  std::deque<Sending> sending_;  // decided, not yet wholly on the link
  Flit last_;                    // put on the link last, in cycle here_from
  std::uint32_t last_size_ = 1;
};

}  // namespace weft::packet_oracle
