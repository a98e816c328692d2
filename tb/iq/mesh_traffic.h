#pragma once
// Reference and traffic of the bench of iq_mesh: all routers of the model of a mesh, with neighbours in the places of
// the nodes (link_traffic.h).

#include <cstdint>
#include <memory>
#include <vector>

#include "fabrics/packet/iq/iq_router.h"
#include "iq/link_traffic.h"

namespace weft::pins {

/// Parameters of the block. Those of `router` are the model's: its link and credit are Link and Credit of the block.
struct MeshShape {
  std::uint32_t columns;
  std::uint32_t rows;
  std::uint32_t width;
  IqParameters router;
  LinkShape links() const { return {columns * rows, width, router.vcs, router.buffer, router.link, router.credit}; }
};

class MeshTraffic final : public LinkTraffic {
 public:
  MeshTraffic(const sc_core::sc_module_name& name, ClockDomain& domain, const MeshShape& shape);
  ~MeshTraffic() override;

 private:
  /// End of the links of a node.
  class Node {
   public:
    Node(MeshTraffic& owner, PortId number) : in_(owner, number), out_(&owner, number) {}
    IqInPort& in() { return in_; }
    IqOutPort& out() { return out_; }

   private:
    IqInPort in_;
    IqOutPort out_;
  };
  void address(PacketMessage& packet) override { packet.destination = random_end(); }
  void give_flit(std::uint32_t end, const IqTransfer& transfer) override { routers_[end]->receive(0, transfer); }
  void give_credit(std::uint32_t end, const IqTransfer& transfer) override { routers_[end]->answer(0, transfer); }
  /// The destination of the packet is in its head.
  std::uint64_t word(const PacketMessage& packet, std::uint32_t flit) const override;

  const MeshShape shape_;
  Graph graph_;
  std::unique_ptr<PacketRouting> routing_;
  IqRoutes routes_;
  PacketObservers observers_;
  IqAgenda agenda_;
  IqCore core_;
  std::vector<std::unique_ptr<IqRouter>> routers_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace weft::pins
