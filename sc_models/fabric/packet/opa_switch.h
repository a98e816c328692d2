#pragma once
// OPA-like switch: ports in groups (MPorts) with a crossbar each, joined by a buffered central crossbar. Messages
// inside an MPort cross its crossbar alone; the others pass a central buffer and a second allocation. Source: Cano-Cano
// et al., section 2.2 and Fig. 2. Timing: docs/packet_switches.md, "OPA-like switch".

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
  struct CentralLink {
    Resource entry;
    std::vector<MessageQueue> queues;  // per VL
    std::uint32_t occupied = 0;
    Cycle free_at = 0;       // as input of the central crossbar
    Cycle look_at = kNever;  // before this cycle it is busy, or none of its heads can be granted
    std::uint32_t next_lane = 0;
  };
  struct Request {
    std::uint32_t from = 0;  // input port; in the second stage the number of the central link
    VirtualLane lane = 0;    // of the queue whose head asks
    std::uint32_t resource = 0;
    PortId port = 0;           // output port
    std::uint32_t offset = 0;  // of the port within the hop
  };

  Cycle allocate(Cycle now) override;
  void first_stage(std::uint32_t mport, Cycle now);
  bool request(PortId in, VirtualLane lane, Cycle now, Cycle& retry);
  /// The central link the head of an input could take, or nothing.
  std::optional<std::uint32_t> free_link(PortId in, const PacketMessage& m, Cycle now, Cycle& retry);
  void grant_first(std::uint32_t resource, Cycle now);
  /// Returns the next cycle in which a central link has to be looked at.
  Cycle second_stage(Cycle now);
  void look_again(std::uint32_t mport, Cycle from);
  /// Of the requests for `resource` that `fits` accepts, the one whose turn comes first.
  template <class Fits>
  const Request* winner(std::uint32_t resource, std::uint32_t next, std::uint32_t askers, Fits&& fits) const;

  std::uint32_t mport_of(PortId port) const { return port / parameters_.mport_ports; }

  // First-stage resources: output port p is number p, central link l number ports + l.
  std::vector<Resource> local_;        // per output port, inside its MPort
  std::vector<Resource> remote_;       // per output port, of the central crossbar
  std::vector<CentralLink> links_;     // MPort * central_links + link
  std::vector<SharedBuffer> central_;  // per MPort
  std::vector<Request> requests_;
  std::vector<bool> central_wanted_;  // per MPort: a head waits for room in its central buffer
};

}  // namespace weft
