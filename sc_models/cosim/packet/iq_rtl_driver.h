#pragma once
// Pins of an input-queued router in RTL, driven by flits and credits of a network.
//
// Timing: in the cycle in which a flit or a credit arrives it is at the pins; what the pins show in a cycle leaves in
// that cycle. Stages of the network that the block does not have (BufferWrite, SwitchAllocation, Crossbar and Credit,
// which only delay) are added here, at the pins.
//
// A flit goes through the block as a word of its data that names its packet, as it is in this router, and its number
// within it. The words are scrambled, so that all bits of the data change and a wrong one names no flit.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cosim/packet/iq_router_rtl.h"
#include "fabrics/packet/iq/iq_router_module.h"

namespace weft {

class IqRtlDriver {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// Packet of which flits are in the router or on their way to it.
  struct Packet {
    PacketMessage* message = nullptr;  ///< null: this number is free
    NodeId source = 0;
    NodeId destination = 0;
    PortId in = 0;
    std::uint8_t vc = 0;
    RouteStep hop;
    std::uint32_t vcs = 0;      ///< that the hop may take
    std::uint32_t entered = 0;  ///< flits that have come
    std::uint32_t left = 0;     ///< and gone
  };

  IqRtlDriver(std::unique_ptr<IqRouterRtl> rtl, const IqRouterRtlSize& size, const IqRouterPlace& place);

  // What is to arrive. Returns the cycle in which it is at the pins; nothing if it came too late, or at the same time
  // as another one.
  std::optional<Cycle> take_flit(PortId in, const IqTransfer& transfer);
  std::optional<Cycle> take_credit(PortId out, const IqTransfer& transfer);

  /// Outputs of a cycle, with what arrives in it.
  const IqRouterOutputs& evaluate(Cycle now);
  const IqRouterInputs& inputs() const { return inputs_; }
  /// The rising edge that ends the cycle.
  void end_cycle() { rtl_->end_cycle(); }
  /// The next cycle that makes a difference: the one behind `now` unless the block is at rest, else the one in which
  /// something arrives; nothing when nothing is known.
  std::optional<Cycle> next_cycle(Cycle now) const;
  /// No flit and no credit is in the block or on its way to it.
  bool quiet() const;

  // Cycles from the pins of the block to the other end of the link.
  Cycle flit_time() const { return flit_time_; }
  Cycle credit_time() const { return credit_time_; }

  /// The packet whose head waits at an input VC, or of which a part has gone already.
  std::uint32_t front(PortId in, std::uint32_t vc) const {
    const auto& packets = packets_of_[index(in, vc)];
    return packets.empty() ? kNone : packets.front();
  }
  const Packet& packet(std::uint32_t number) const { return packets_[number]; }
  /// Word of the next flit of a packet that leaves, which is counted; its number is free again behind the tail.
  std::uint32_t leave(std::uint32_t number);
  /// Number of the packet whose next flit has this word.
  std::optional<std::uint32_t> packet_of(std::uint32_t word) const;
  /// Flits at an input VC that have passed the pins and not left.
  std::uint32_t queued(PortId in, std::uint32_t vc) const { return queued_[index(in, vc)]; }
  // VC of what is at the pins of a port in a coming cycle.
  std::optional<std::uint32_t> flit_coming(PortId in, Cycle at) const;
  std::optional<std::uint32_t> credit_coming(PortId out, Cycle at) const;

  /// The inputs of this cycle, for messages; and outputs of it.
  std::string text_of_inputs() const;
  std::string text(const IqRouterOutputs& outputs) const;

  RtlBlock& block() const { return *rtl_; }
  const IqRouterRtlSize& size() const { return size_; }

 private:
  struct Arrival {
    Cycle at;
    std::uint8_t vc;
    bool head;
    bool tail;
    std::uint32_t packet;
    std::uint32_t word;
  };
  std::size_t index(PortId port, std::uint32_t vc) const { return static_cast<std::size_t>(port) * vcs_ + vc; }
  std::uint32_t new_packet(PortId in, std::uint32_t vc, PacketMessage& message);
  static std::uint32_t word_of(std::uint32_t packet, std::uint32_t flit);
  std::string name_of(std::uint32_t word) const;

  std::unique_ptr<IqRouterRtl> rtl_;
  const IqRouterRtlSize size_;
  const SwitchSite site_;
  const ClockDomain& domain_;
  const PacketRouting& routing_;
  const std::uint32_t vcs_;
  const std::uint32_t class_vcs_;
  // Delays around the block.
  const Cycle write_time_;
  const Cycle flit_time_;
  const Cycle credit_time_;
  const Cycle settling_;  // cycles in which stages of the block empty
  IqRouterInputs inputs_;
  std::vector<std::deque<Arrival>> flits_;    // per input port, in the order of their cycles
  std::vector<std::deque<Arrival>> credits_;  // per output port
  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_;                    // numbers
  std::vector<std::uint32_t> entering_;                // [input, VC]: packet whose tail has not come
  std::vector<std::deque<std::uint32_t>> packets_of_;  // [input, VC]: in the order in which they have come
  std::vector<std::uint32_t> queued_;                  // [input, VC]
  std::uint64_t inside_ = 0;                           // flits past the pins that have not left
  std::uint64_t owed_ = 0;                             // credits of such flits that have not come
  Cycle busy_until_ = -1;
};

}  // namespace weft
