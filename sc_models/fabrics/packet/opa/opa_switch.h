#pragma once
// OPA-like switch: ports in groups (MPorts) with a crossbar each, joined by a buffered central crossbar. Messages
// inside an MPort cross its crossbar alone; the others pass a central buffer and a second allocation. Source: Cano-Cano
// et al., section 2.2 and Fig. 2. Timing: docs/packet_switches.md, "OPA-like switch".

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "base/hot_memory.h"
#include "fabrics/packet/common/packet_switch.h"
#include "fabrics/packet/opa/central_transfers.h"
#include "fabrics/packet/opa/opa_parameters.h"

namespace weft {

class OpaSwitch final : public PacketSwitch {
 public:
  /// Precondition: parameters.own is an OpaParameters.
  OpaSwitch(sc_core::sc_module_name name, const SwitchSite& site, const PacketParameters& parameters,
            const PacketRouter& router, EgressSchedulerFactory& schedulers, PacketCommon& common);

  std::uint32_t mports() const { return mports_; }
  std::int64_t promised(PortId out, VirtualLane lane) const override;
  std::string audit() const override;
  void serve_all(std::span<PacketSwitch* const> list, Cycle now, bool fetches) const override;

  // Steps of allocate_all().
  void fetch() const {
    PacketSwitch::fetch();
    prefetch(&free_at_);
  }
  void fetch_requests(Cycle now) const {
    PacketSwitch::fetch_requests(now);
    prefetch(&free_at_[0], &free_at_[0] + ports_);
    prefetch(&next_[0], &next_[0] + ports_);
  }
  void find_requests(Cycle now, RequestList& requests) {
    PacketSwitch::find_requests(now, requests, [this](std::uint32_t number) {
      if (!is_link(number)) return fetch_input(number);
      prefetch(&link_of(number));
    });
  }
  void fetch_heads(const AllocationRequest& l, Cycle now) const;
  void choose(AllocationRequest& l, Cycle now);
  void serve(std::span<AllocationRequest> requests, Cycle now);

 private:
  // Resources move one message at a time, central links maybe several, and are granted in round-robin order of those
  // that ask: output ports, twice, and central links. Per output port, of the resource inside its MPort and the one of
  // the central crossbar:
  struct FreeAt {
    Cycle local = 0;  // first cycle in which it can be granted again
    Cycle remote = 0;
  };
  struct Next {
    std::uint16_t local = 0;  // round-robin pointer
    std::uint16_t remote = 0;
  };
  /// A central link: an output of its MPort's crossbar, and, with the queues behind it, an input of the central one.
  struct alignas(64) CentralLink : HotObject {
    Cycle entry_free_at = 0;     // as output
    Cycle free_at = 0;           // as input
    std::uint32_t occupied = 0;  // bit v: queue v holds a message
    std::uint16_t entry_next = 0;
    VirtualLane next_lane = 0;
    InlineArray<MessageQueue, kFewLanes> queues;  // per VL
  };
  static_assert(sizeof(CentralLink) == 64);

  /// The inputs of an MPort ask for what is behind its crossbar.
  void first_stage(std::uint32_t mport, std::span<AllocationRequest> requests, Cycle now);
  /// Finds what an input asks for: the first head in its turn that is ready for a free port of its MPort, or for a free
  /// central link. `rooms`: they must have room as well.
  void search(AllocationRequest& l, std::uint32_t mport, Cycle now, bool rooms);
  template <bool kPlain>
  void search_as(AllocationRequest& l, std::uint32_t mport, Cycle now, bool rooms);
  bool has_rooms(AllocationRequest& l, std::uint32_t mport, Cycle now);
  /// The central link that is free for an input and comes first in its turn, or nothing.
  template <bool kPlain>
  std::optional<std::uint32_t> free_link(PortId in, std::uint32_t mport, const PacketMessage& m, Cycle now,
                                         Cycle& retry) const;
  bool central_has_room(std::uint32_t mport, const PacketMessage& m, Cycle now, Cycle& retry);
  // Sides of central links.

  /// One message at a time, beside what PacketSwitch::plain() says.
  bool plain() const { return PacketSwitch::plain() && transfers_ == nullptr; }
  /// Flits per cycle of a transfer that is granted now, until its end; 0: the side carries what it can. `side`: its
  /// entry_number() or exit_number().
  template <bool kPlain>
  std::uint32_t rate_of(std::size_t side, Cycle now) const {
    return kPlain || transfers_ == nullptr ? central_rate_
                                           : transfers_of(side).spare(now + parameters().stages.allocation);
  }
  /// The same out of the central buffer: a message that is still coming leaves it no faster than it comes.
  template <bool kPlain>
  std::uint32_t rate_of(std::size_t side, const PacketMessage& m, Cycle now) const {
    const std::uint32_t rate = rate_of<kPlain>(side, now);
    return kPlain || transfers_ == nullptr || is_there(m, now) ? rate : std::min(rate, rate_in(m));
  }
  /// First cycle in which a side that has been granted to this movement can be granted again.
  Cycle note_transfer(std::size_t side, const Drain& moves, Cycle now);
  /// Flits per cycle at which a message has come into the central buffer, where several share a link. Its port has been
  /// chosen, so that the number of ports of its hop is free for it.
  static std::uint32_t rate_in(const PacketMessage& m) { return m.hop.count; }
  /// Whether all of it is in the central buffer when a transfer begins that is granted now.
  bool is_there(const PacketMessage& m, Cycle now) const {
    const Drain comes{m.ready, m.head(), rate_in(m), m.flits};
    return comes.last() <= now + parameters().stages.allocation;
  }
  CentralTransfers& transfers_of(std::size_t side) const { return transfers_[side - entry_number(0)]; }

  void grant_first(std::uint32_t resource, std::uint32_t mport, Cycle now);
  /// Central links ask for output ports.
  void second_stage(std::span<AllocationRequest> requests, Cycle now);
  void search_link(AllocationRequest& l, Cycle now) const;
  template <bool kPlain>
  void search_link_as(AllocationRequest& l, Cycle now) const;
  void grant_second(PortId port, Cycle now);
  /// It joins those that ask in a stage, or is looked at again later.
  void enter(AllocationRequest& l);
  /// Calls grant(resource) for what they ask for, lowest first.
  template <class Grant>
  void grant_all(Grant&& grant);
  /// Of the requests for `resource` that `fits` accepts, the one whose turn comes first.
  template <class Fits>
  AllocationRequest* winner(std::uint32_t resource, std::uint32_t next, std::uint32_t askers, Fits&& fits) const;

  OpaSwitch(sc_core::sc_module_name name, const SwitchSite& site, const PacketParameters& parameters,
            const OpaParameters& own, const PacketRouter& router, EgressSchedulerFactory& schedulers,
            PacketCommon& common);
  static std::uint32_t mports(const SwitchSite& site, const OpaParameters& own) {
    return (site.ports + own.mport_ports - 1) / own.mport_ports;
  }
  std::span<CentralLink> links() const { return {links_.get(), std::size_t{mports_} * central_links_}; }
  std::uint32_t mport_of(PortId port) const { return port / mport_ports_; }
  std::uint32_t mport_of(const AllocationRequest& l) const {
    return is_link(l.number) ? (l.number - number_of(0)) / central_links_ : mport_of(static_cast<PortId>(l.number));
  }
  bool is_of(PortId port, std::uint32_t mport) const {
    return static_cast<std::uint32_t>(port - begin_of(mport)) < mport_ports_;
  }
  // Numbers in SharedPorts: inputs, outputs inside an MPort and of the central crossbar, links on both sides.
  std::size_t local_number(PortId port) const { return std::size_t{ports_} + port; }
  std::size_t remote_number(PortId port) const { return 2 * std::size_t{ports_} + port; }
  std::size_t entry_number(std::uint32_t link) const { return 3 * std::size_t{ports_} + 2 * std::size_t{link}; }
  std::size_t exit_number(std::uint32_t link) const { return entry_number(link) + 1; }
  bool is_link(std::uint32_t number) const { return number >= number_of(0); }
  CentralLink& link_of(std::uint32_t number) const { return links_[number - number_of(0)]; }
  /// Numbers of central links, in wheel_ and as resources of the first stage, come after those of the ports.
  std::uint32_t number_of(std::uint32_t link) const { return ports_ + link; }
  PortId begin_of(std::uint32_t mport) const { return static_cast<PortId>(mport * mport_ports_); }
  PortId end_of(std::uint32_t mport) const {
    return static_cast<PortId>(std::min<std::uint32_t>((mport + 1) * mport_ports_, ports_));
  }

  alignas(64) const std::uint32_t mports_;
  const std::uint32_t mport_ports_;
  const std::uint32_t central_links_;
  const std::uint32_t central_rate_;
  const HotArray<FreeAt> free_at_;
  const HotArray<Next> next_;
  const std::unique_ptr<CentralLink[]> links_;           // MPort * central_links + link
  const std::unique_ptr<SharedBuffer[]> central_;        // per MPort; more is wanted when a head waits for room
  const std::unique_ptr<CentralTransfers[]> transfers_;  // per link entry and exit; null: one message at a time
};

}  // namespace weft
