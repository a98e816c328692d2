#pragma once
// OPA-like switch: ports in groups (MPorts) with a crossbar each, joined by a buffered central crossbar. Messages
// inside an MPort cross its crossbar alone; the others pass a central buffer and a second allocation. Source: Cano-Cano
// et al., section 2.2 and Fig. 2. Timing: docs/packet_switches.md, "OPA-like switch".

#include <algorithm>

#include "fabric/packet/packet_switch.h"

namespace weft {

class OpaSwitch final : public PacketSwitch {
 public:
  OpaSwitch(sc_core::sc_module_name name, const PacketSwitchSite& site, const PacketParameters& parameters,
            const PacketRouter& router, EgressSchedulerFactory& schedulers, EgressCommon& common);

  std::uint32_t mports() const { return static_cast<std::uint32_t>(central_.size()); }
  std::int64_t promised(PortId out, VirtualLane lane) const override;
  std::string audit() const override;

 private:
  /// A resource that moves one message at a time and is granted in round-robin order.
  struct Resource {
    Cycle free_at = 0;       // first cycle in which it can be granted again
    std::uint32_t next = 0;  // round-robin pointer over those that ask
  };
  /// A central link: an output of its MPort's crossbar, and, with the queues behind it, an input of the central one.
  struct alignas(64) CentralLink {
    Resource entry;
    std::uint32_t occupied = 0;
    Cycle free_at = 0;  // as input of the central crossbar
    std::uint32_t next_lane = 0;
    InlineArray<MessageQueue, kFewLanes> queues;  // per VL
  };
  struct Request {
    std::uint32_t from = 0;  // input port; in the second stage the number of the central link
    VirtualLane lane = 0;    // of the queue whose head asks
    std::uint32_t resource = 0;
    PortId port = 0;           // output port
    std::uint32_t offset = 0;  // of the port within the hop
  };

  void allocate(Cycle now) override;
  void fetch_hops(std::span<const Look> heads) const override;
  void fetch_ports(std::span<const Look> heads, Cycle now) const override;
  void fetch_other(std::uint32_t number) const override {
    const CentralLink& link = links_[number - number_of(0)];
    prefetch(&link, &link + 1);
  }
  void find_other_heads(std::uint32_t number, std::vector<Look>& heads) const override {
    const CentralLink& link = links_[number - number_of(0)];
    find_fronts(number, link.occupied, link.next_lane, link.queues, heads);
  }
  void first_stage(std::uint32_t mport, Cycle now);
  bool request(PortId in, VirtualLane lane, Cycle now, Cycle& retry);
  /// The central link the head of an input could take, or nothing.
  std::optional<std::uint32_t> free_link(PortId in, const PacketMessage& m, Cycle now, Cycle& retry);
  void grant_first(std::uint32_t resource, Cycle now);
  void ask_links(Cycle now);
  void second_stage(Cycle now);
  /// Of the requests for `resource` that `fits` accepts, the one whose turn comes first.
  template <class Fits>
  const Request* winner(std::uint32_t resource, std::uint32_t next, std::uint32_t askers, Fits&& fits) const;

  static std::uint32_t mports(const PacketSwitchSite& site, const PacketParameters& parameters) {
    return (site.ports + parameters.mport_ports - 1) / parameters.mport_ports;
  }
  std::uint32_t mport_of(PortId port) const { return port / parameters_.mport_ports; }
  /// In looks_ and as a resource of the first stage.
  std::uint32_t number_of(std::uint32_t link) const { return site_.ports + link; }
  PortId begin_of(std::uint32_t mport) const { return static_cast<PortId>(mport * parameters_.mport_ports); }
  PortId end_of(std::uint32_t mport) const {
    return static_cast<PortId>(std::min<std::uint32_t>((mport + 1) * parameters_.mport_ports, site_.ports));
  }

  // First-stage resources: output port p is number p, central link l number ports + l.
  std::vector<Resource> local_;        // per output port, inside its MPort
  std::vector<Resource> remote_;       // per output port, of the central crossbar
  std::vector<CentralLink> links_;     // MPort * central_links + link
  std::vector<SharedBuffer> central_;  // per MPort
  std::vector<Request> requests_;
  std::vector<std::uint32_t> resources_;  // that are asked for, in order
  std::vector<std::uint32_t> due_;        // MPorts with inputs to be looked at
  std::vector<bool> central_wanted_;      // per MPort: a head waits for room in its central buffer
};

}  // namespace weft
