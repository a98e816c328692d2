#pragma once
// Router of an input-queued network as the network sees it: the ends of its links, and what reports, audits and waves
// look at. Most routers are models in the core of the network (iq_router.h); one that an IqRouterFactory makes is a
// module of its own, with RTL inside. Timing of both: docs/iq_router.md.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/iq/iq_core.h"
#include "fabrics/packet/iq/iq_routes.h"
#include "fabrics/packet/iq/parameters.h"
#include "fabrics/packet/iq/protocol.h"
#include "kernel/clock_domain.h"
#include "kernel/switch_site.h"

namespace weft {

class IqRouterModule : public sc_core::sc_module, public IqReceiver, public IqSender {
 public:
  ~IqRouterModule() override;

  IqInPort& in(PortId port) { return *in_[port]; }
  IqOutPort& out(PortId port) { return *out_[port]; }
  PortId ports() const { return static_cast<PortId>(in_.size()); }

  /// An input VC that holds flits, for reports of stalls.
  struct Waiting {
    PortId in;
    VirtualLane vc;
    const PacketMessage* message;
    PortId out;             ///< first port of its hop
    bool down;              ///< the link there is down
    bool has_vc;            ///< owns an output VC
    std::uint32_t credits;  ///< of that output VC
  };
  virtual std::vector<Waiting> waiting() const = 0;
  /// Difference from the initial state: flits left, credits not back, VCs owned. Empty when all is back.
  virtual std::string leftovers() const = 0;
  /// State in which an output VC waits: for reports of credits that are lost.
  virtual std::string waits_for(PortId out, std::uint32_t vc) const = 0;

  /// VC of the flit that arrives at an input, of the credit that comes back to an output, in a coming cycle.
  virtual std::optional<std::uint32_t> flit_coming(PortId in, Cycle at) const = 0;
  virtual std::optional<std::uint32_t> credit_coming(PortId out, Cycle at) const = 0;
  /// Flits in the buffer of an input VC.
  virtual std::uint32_t queued(PortId in, std::uint32_t vc) const = 0;
  /// Flits in the buffers of all its inputs.
  virtual std::uint64_t flits() const = 0;
  virtual std::uint32_t credits(PortId out, std::uint32_t vc) const = 0;
  /// Input port and VC of the packet that owns an output VC.
  virtual std::optional<std::pair<PortId, std::uint32_t>> owner(PortId out, std::uint32_t vc) const = 0;

  /// Credits of an output VC that were given away, flits that an input VC holds or that are on their way to it, between
  /// two cycles. `core`: those of the routers in the core of the network.
  virtual std::uint32_t spent(PortId out, std::uint32_t vc, const IqCore::Accounts& core) const = 0;
  virtual std::uint32_t held(PortId in, std::uint32_t vc, const IqCore::Accounts& core) const = 0;
  /// The output leads straight to a router or a NIC, with nothing in between.
  bool leads_straight(PortId out) const { return out_[out] && out_[out]->peer() != nullptr; }
  /// Flits that it has sent by an output, each counted sending_time() cycles before it is on the link.
  virtual std::uint64_t sent(PortId out) const = 0;
  virtual Cycle sending_time() const = 0;
  /// Flits that it has sent, beside those that the core of the network counts.
  virtual std::uint64_t grants() const { return 0; }
  /// Nothing is on its way in it, beside what the core of the network knows of.
  virtual bool quiet() const { return true; }

 protected:
  IqRouterModule(const sc_core::sc_module_name& name, const SwitchSite& site);
  /// Ends the run: a flit or a credit that came too late, or one too many.
  [[noreturn]] void refuse(const char* what, PortId port, const IqTransfer& transfer, Cycle at, Cycle now) const;

 private:
  std::vector<std::unique_ptr<IqInPort>> in_;
  std::vector<std::unique_ptr<IqOutPort>> out_;
};

/// Network around a router that is to be made. All references but the site must outlive the router.
struct IqRouterPlace {
  const SwitchSite& site;
  ClockDomain& domain;
  const IqParameters& parameters;
  const IqRoutes& routes;
  const PacketObservers& observers;
};

/// Factory of routers that are no models in the core of the network.
class IqRouterFactory {
 public:
  virtual ~IqRouterFactory() = default;
  /// Null: the router is a model.
  virtual std::unique_ptr<IqRouterModule> router(const char* name, const IqRouterPlace& place) = 0;
};

}  // namespace weft
