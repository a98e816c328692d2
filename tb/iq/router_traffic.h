#pragma once
// Reference and traffic of the bench of iq_router: one router of the model among neighbours that send packets and give
// credits back at random, but keep to the rules of links. What they do in a cycle are the inputs of the block, and what
// the model's router does are the outputs it must show.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "base/random.h"
#include "fabrics/packet/iq/iq_router.h"
#include "kernel/clock_domain.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

/// Parameters of the block. Of `router`, link and credit are those of the model: one cycle of each is outside the
/// block.
struct RouterShape {
  std::uint32_t ports;
  std::uint32_t trunk;    ///< most ports of a hop
  std::uint32_t classes;  ///< lane classes
  std::uint32_t width;
  IqParameters router;
  std::uint32_t port_bits() const;
  std::uint32_t vc_bits() const;
  std::uint32_t count_bits() const;
};

struct RouterInputs {
  explicit RouterInputs(const RouterShape& shape);
  Bits valid, vc, head, tail, data;
  Bits hop_first, hop_count, hop_vcs;
  Bits credit_valid, credit_vc;
};

struct RouterOutputs {
  explicit RouterOutputs(const RouterShape& shape);
  Bits credit_valid, credit_vc;
  Bits valid, vc, head, tail, data;
  bool operator==(const RouterOutputs&) const = default;
  std::string text() const;
};

/// The hop is in the number that the packet's source drew.
class AnyHop final : public PacketRouting {
 public:
  explicit AnyHop(std::uint32_t classes) : classes_(classes) {}
  static std::uint32_t choice(const RouteStep& step) {
    return std::uint32_t{step.first} | std::uint32_t{step.count} << 8 | std::uint32_t{step.lane_class} << 16;
  }
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override;
  void each_step(const RoutePlace& place, NodeId to, const std::function<void(const RouteStep&)>& visit) const override;
  std::uint32_t lane_classes() const override { return classes_; }
  bool single_path() const override { return false; }

 private:
  std::uint32_t classes_;
};

class RouterTraffic final : public sc_core::sc_module, public Agent, public IqReceiver, public IqSender {
 public:
  RouterTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const RouterShape& shape);
  ~RouterTraffic() override;

  /// The first inputs are those of cycle `from`, at least two cycles ahead.
  void begin(Cycle from, std::uint64_t seed);
  void end() { running_ = false; }
  /// Of the present cycle of the clock, which the model has served.
  const RouterInputs& inputs() const { return inputs_; }
  RouterOutputs outputs(Cycle now);
  std::uint64_t flits() const { return flits_; }

  void due(Cycle now, std::uint32_t token) override;
  void receive(PortId out, const IqTransfer& transfer) override;
  void answer(PortId in, const IqTransfer& transfer) override;

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
  void change_pace();
  RouteStep random_hop();
  void send(PortId in, Cycle at);
  void give_back(PortId out, Cycle at);
  RouterOutputs& expected(Cycle at);
  std::uint64_t word(const PacketMessage& packet, std::uint32_t flit) const;

  ClockDomain& domain_;
  const RouterShape shape_;
  Graph graph_;
  AnyHop routing_;
  IqRoutes routes_;
  PacketObservers observers_;
  IqAgenda agenda_;
  IqCore core_;
  std::unique_ptr<IqRouter> router_;
  std::vector<std::unique_ptr<IqOutPort>> to_router_;
  std::vector<std::unique_ptr<IqInPort>> from_router_;
  MessagePool pool_;
  std::optional<RandomStream> random_;
  bool running_ = false;
  Cycle from_ = 0;
  std::uint64_t load_ = 0;       // of 16
  std::uint64_t drain_ = 0;      // of 16
  std::uint32_t longest_ = 1;    // packet
  std::uint32_t favourite_ = 0;  // output of most packets
  std::uint64_t even_ = 0;       // of 16: packets to any output instead
  RouterInputs inputs_, next_;
  std::map<Cycle, RouterOutputs> outputs_;
  std::vector<std::vector<Upstream>> upstream_;  // [input][VC]
  struct Returning {
    Cycle at;
    PortId in;
    std::uint32_t vc;
  };
  std::deque<Returning> returning_;                     // credits on their way to the neighbours
  std::vector<std::deque<Arrived>> arrived_;            // [output]
  std::vector<std::vector<std::uint32_t>> held_;        // [output][VC]: flits behind the output
  std::map<const PacketMessage*, std::uint32_t> seen_;  // flits of a packet that have left
  std::uint32_t packets_ = 0;
  std::uint64_t flits_ = 0;
};

}  // namespace weft::pins
