#pragma once
// Reference and traffic of the bench of iq_router: one router of the model among neighbours (link_traffic.h), who say
// of each head the hop it takes here.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "fabrics/packet/iq/iq_router.h"
#include "iq/link_traffic.h"

namespace weft::pins {

/// Parameters of the block. Of `router`, link and credit are those of the model: one cycle of each is outside the
/// block.
struct RouterShape {
  std::uint32_t ports;
  std::uint32_t trunk;    ///< most ports of a hop
  std::uint32_t classes;  ///< lane classes
  std::uint32_t width;
  IqParameters router;
  LinkShape links() const { return {ports, width, router.vcs, router.buffer}; }
  std::uint32_t port_bits() const;
  std::uint32_t count_bits() const;
};

/// Pins of the hops, which count with heads.
struct HopPins {
  explicit HopPins(const RouterShape& shape);
  std::vector<Bits*> all() { return {&first, &count, &vcs}; }
  Bits first, count, vcs;
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

class RouterTraffic final : public LinkTraffic {
 public:
  RouterTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const RouterShape& shape);
  ~RouterTraffic() override;

  /// Of the cycle of inputs().
  const HopPins& hops() const { return hops_; }
  void due(Cycle now, std::uint32_t token) override;

 private:
  void address(PacketMessage& packet) override;
  void give_flit(std::uint32_t end, const IqTransfer& transfer) override;
  void give_credit(std::uint32_t end, const IqTransfer& transfer) override;
  void show(std::uint32_t end, const PacketMessage& packet, bool head) override;

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
  HopPins hops_, next_hops_;
};

}  // namespace weft::pins
