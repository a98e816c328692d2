#pragma once
// Traffic of the benches of input-queued RTL: at the ends of links of a block, and of its model, neighbours send
// packets and give credits back at random, but keep to the rules of links. What they do in a cycle are the inputs of
// the block, and what the model does are the outputs it must show.

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "base/random.h"
#include "fabrics/packet/common/message.h"
#include "fabrics/packet/iq/parameters.h"
#include "fabrics/packet/iq/protocol.h"
#include "kernel/clock_domain.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

/// Links of a block to its neighbours.
struct LinkShape {
  std::uint32_t ends;  ///< links
  std::uint32_t width;
  std::uint32_t vcs;
  std::uint32_t buffer;
  // Cycles of the model from the pins of the block to the neighbour.
  Cycle flit_time = 1;
  Cycle credit_time = 1;
  std::uint32_t vc_bits() const;
};

/// Bits that as many numbers need to be told apart.
std::uint32_t bits_of(std::uint32_t numbers);

/// Inputs of a cycle, or its outputs: flits one way, credits the other.
struct LinkPins {
  explicit LinkPins(const LinkShape& shape);
  std::vector<Bits*> all() { return {&valid, &vc, &head, &tail, &data, &credit_valid, &credit_vc}; }
  std::string text() const;
  bool operator==(const LinkPins&) const = default;
  Bits valid, vc, head, tail, data;
  Bits credit_valid, credit_vc;
};

class LinkTraffic : public sc_core::sc_module, public Agent, public IqReceiver, public IqSender {
 public:
  /// The first inputs are those of cycle `from`, at least two cycles ahead.
  void begin(Cycle from, std::uint64_t seed);
  void end() { running_ = false; }
  /// Of the present cycle of the clock, which the model has served.
  const LinkPins& inputs() const { return inputs_; }
  LinkPins outputs(Cycle now);
  std::uint64_t flits() const { return flits_; }

  void due(Cycle now, std::uint32_t token) override;
  /// A flit that the model sends, a credit that it gives back, at an end.
  void receive(PortId end, const IqTransfer& transfer) override;
  void answer(PortId end, const IqTransfer& transfer) override;

 protected:
  LinkTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const LinkShape& shape);
  /// Where a new packet goes.
  virtual void address(PacketMessage& packet) = 0;
  // To the model.
  virtual void give_flit(std::uint32_t end, const IqTransfer& transfer) = 0;
  virtual void give_credit(std::uint32_t end, const IqTransfer& transfer) = 0;
  /// Pins of a flit beside those of LinkPins.
  virtual void show(std::uint32_t, const PacketMessage&, bool /*head*/) {}
  /// Data of a flit: all bits differ from flit to flit.
  virtual std::uint64_t word(const PacketMessage& packet, std::uint32_t flit) const;

  RandomStream& random() { return *random_; }
  /// An end that most packets like, or now and then any.
  std::uint32_t random_end();

 private:
  struct Upstream {  ///< of an input VC
    std::uint32_t credits = 0;
    PacketMessage* packet = nullptr;
    std::uint32_t sent = 0;
  };
  struct Arrived {
    Cycle at;
    std::uint32_t vc;
  };
  struct Returning {
    Cycle at;
    std::uint32_t end;
    std::uint32_t vc;
  };
  void change_pace();
  void send(std::uint32_t end, Cycle at);
  void give_back(std::uint32_t end, Cycle at);
  LinkPins& expected(Cycle at);
  void set_flit(LinkPins& pins, std::uint32_t end, const IqTransfer& transfer, std::uint64_t data) const;
  void set_credit(LinkPins& pins, std::uint32_t end, std::uint32_t vc) const;

  ClockDomain& domain_;
  const LinkShape shape_;
  MessagePool pool_;
  std::optional<RandomStream> random_;
  bool running_ = false;
  Cycle from_ = 0;
  std::uint64_t load_ = 0;       // of 16
  std::uint64_t drain_ = 0;      // of 16
  std::uint32_t longest_ = 1;    // packet
  std::uint32_t favourite_ = 0;  // end of most packets
  std::uint64_t even_ = 0;       // of 16: packets to any end instead
  LinkPins inputs_, next_;
  std::map<Cycle, LinkPins> outputs_;
  std::vector<std::vector<Upstream>> upstream_;         // [end][VC]
  std::deque<Returning> returning_;                     // credits on their way to the neighbours
  std::vector<std::deque<Arrived>> arrived_;            // [end]
  std::vector<std::vector<std::uint32_t>> held_;        // [end][VC]: flits behind the block
  std::map<const PacketMessage*, std::uint32_t> seen_;  // flits of a packet that have left
  std::uint32_t packets_ = 0;
  std::uint64_t flits_ = 0;
};

}  // namespace weft::pins
