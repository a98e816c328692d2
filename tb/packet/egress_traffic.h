#pragma once
// Reference and traffic of the bench of egress_port: an egress port of the model between an allocator that grants it
// messages at random and a neighbour that gives credits back at random; both keep to the rules of
// docs/packet_switches.md. What they do in a cycle are the inputs of the block, and what the model's port does are the
// outputs it must show.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/qos/scheduler_type.h"
#include "base/random.h"
#include "fabrics/packet/common/egress_port.h"
#include "kernel/clock_domain.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

/// Parameters of the block.
struct EgressShape {
  std::uint32_t scheduler;  ///< 0: dtable, 1: drr, 2: ib_arbiter
  std::uint32_t levels;
  std::uint32_t lanes;
  std::uint32_t entries;
  std::uint32_t weight_bits;
  std::uint32_t size_bits;
  std::uint32_t depth;
  std::uint32_t next_depth;
  std::uint32_t rate;
  std::uint32_t output;
  std::uint32_t width;
  std::uint32_t level_bits() const;
  std::uint32_t lane_bits() const;
  std::uint32_t entry_bits() const;
  std::uint32_t place_bits() const;
  std::uint32_t next_bits() const;
  std::uint32_t rate_bits() const;
};

/// What stays during a run.
struct EgressShares {
  explicit EgressShares(const EgressShape& shape);
  Bits limit, minimum, maximum, shared, next_minimum, next_maximum, next_shared;
};

struct EgressInputs {
  explicit EgressInputs(const EgressShape& shape);
  std::vector<Bits*> all();
  Bits cfg_we, cfg_high, cfg_index, cfg_sl, cfg_weight;
  Bits reserve, flits, head, vl, sl, size, data, credit;
};

struct EgressOutputs {
  explicit EgressOutputs(const EgressShape& shape);
  Bits room, credits, grant, grant_sl, grant_vl, valid, head, tail, vl, data;
  bool operator==(const EgressOutputs&) const = default;
  std::string text() const;
};

class EgressTraffic final : public Agent, public EgressOwner, public PacketReceiver {
 public:
  /// The first inputs are those of cycle `from`, at least two cycles ahead.
  EgressTraffic(ClockDomain& domain, const EgressShape& shape, Cycle from, std::uint64_t seed);
  ~EgressTraffic() override;
  void end() { running_ = false; }

  const EgressShares& shares() const { return shares_; }
  /// Of the present cycle of the clock, which the model has served.
  EgressInputs inputs();
  EgressOutputs outputs(Cycle now);
  std::uint64_t messages() const { return messages_; }

  void due(Cycle now, std::uint32_t token) override;
  void receive(PortId in, const PacketTransfer& transfer) override;
  void space_coming(PortId, Cycle) override {}

 private:
  struct Port;
  struct Held {  ///< behind the link
    PacketMessage* message;
    Cycle head;
  };
  BufferShares random_shares(std::uint32_t depth, std::uint32_t longest);
  void choose_tables();
  void choose_shares();
  void write_tables();
  void change_pace();
  void grant(Cycle now);
  void give_back(Cycle now);
  void leave(std::size_t which, Cycle start, std::uint32_t rate);
  EgressInputs& inputs_of(Cycle at);
  EgressOutputs& outputs_of(Cycle at);
  Bits word(const PacketMessage& message, std::uint32_t flit) const;

  ClockDomain& domain_;
  const EgressShape shape_;
  RandomStream random_;
  const Cycle from_;
  SchedulerConfig scheduler_;
  std::vector<ServiceLevel> levels_;  // that are served
  PacketParameters parameters_;
  EgressShares shares_;
  PacketObservers observers_;
  std::unique_ptr<PacketCommon> common_;
  std::unique_ptr<Port> port_;
  std::unique_ptr<PacketInPort> behind_;
  MessagePool pool_;
  bool running_ = true;
  std::uint64_t load_ = 0;   // of 16
  std::uint64_t drain_ = 0;  // of 16
  std::uint32_t longest_ = 1;
  Cycle next_grant_ = 0;
  std::vector<Held> held_;
  std::map<Cycle, EgressInputs> inputs_;
  std::map<Cycle, EgressOutputs> outputs_;
  std::uint32_t messages_ = 0;
};

}  // namespace weft::pins
