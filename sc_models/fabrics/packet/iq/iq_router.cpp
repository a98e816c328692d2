#include "fabrics/packet/iq/iq_router.h"

#include <fmt/format.h>
#include <bit>

namespace weft {

IqRouter::IqRouter(const sc_core::sc_module_name& name, IqCore& core, const SwitchSite& site)
    : IqRouterModule(name, site), core_(core), base_(core.add_router(site)) {}

void IqRouter::end_of_elaboration() {
  const auto here = [&](auto* owner) {
    const auto* router = dynamic_cast<const IqRouter*>(owner);
    return router != nullptr && &router->core_ == &core_ ? router : nullptr;
  };
  for (PortId p = 0; p < ports(); ++p) {
    if (!core_.port(index(p)).connected) continue;
    const auto* ahead = out(p).peer();
    if (const IqRouter* router = ahead == nullptr ? nullptr : here(&ahead->owner()); router != nullptr) {
      core_.lead(index(p), router->index(ahead->port()));
    } else {
      core_.lead_out(index(p), out(p));
    }
    const auto* back = in(p).peer();
    if (back == nullptr || here(back->owner()) == nullptr) core_.lead_back(index(p), in(p));
  }
}

void IqRouter::receive(PortId in, const IqTransfer& transfer) {
  const Cycle usable = transfer.at + core_.parameters().buffer_write;
  if (!core_.fits_flit(index(in, transfer.vc), transfer.at, newest(newest_flits_, in, transfer.vc)))
    refuse("flit", in, transfer, usable, core_.now());
  core_.take_flit(index(in, transfer.vc), transfer.flit, transfer.at);
}

void IqRouter::answer(PortId out, const IqTransfer& transfer) {
  const bool fits = core_.fits_credit(index(out, transfer.vc), transfer.at, newest(newest_credits_, out, transfer.vc));
  if (!fits) refuse("credit", out, transfer, transfer.at, core_.now());
  core_.take_credit(index(out, transfer.vc), transfer.at);
}

std::vector<IqRouterModule::Waiting> IqRouter::waiting() const {
  std::vector<Waiting> out;
  for (PortId p = 0; p < ports(); ++p) {
    for (std::uint32_t v = 0; v < core_.parameters().vcs; ++v) {
      const IqCore::VcIndex vc = index(p, v);
      const IqCore::InputVc& input = core_.input(vc);
      if (input.flits == 0) continue;
      const bool has_vc = input.out != IqCore::kNone;
      const IqCore::PortIndex port = has_vc ? core_.port_of(input.out) : input.first;
      out.push_back({p, static_cast<VirtualLane>(v), &input.front.message(), static_cast<PortId>(port - base_),
                     core_.port(port).usable == 0, has_vc, has_vc ? core_.credits(input.out) : 0});
    }
  }
  return out;
}

std::uint64_t IqRouter::flits() const {
  std::uint64_t sum = 0;
  for (PortId p = 0; p < ports(); ++p) {
    const IqCore::PortIndex port = base_ + p;
    for (std::uint32_t left = core_.port(port).flits; left != 0; left &= left - 1) {
      sum += core_.input(core_.vc(port, static_cast<std::uint32_t>(std::countr_zero(left)))).flits;
    }
  }
  return sum;
}

std::string IqRouter::leftovers() const {
  const std::uint32_t buffer = core_.parameters().buffer;
  for (PortId p = 0; p < ports(); ++p) {
    const IqCore::Port& port = core_.port(index(p));
    for (std::uint32_t v = 0; v < core_.parameters().vcs && port.connected; ++v) {
      const IqCore::OutputVc& output = core_.output(index(p, v));
      const std::string where = fmt::format("port {} VC {}", p, v);
      if (queued(p, v) != 0) return "flits in input " + where;
      if ((port.busy >> v & 1) != 0) return "a packet in input " + where;
      if (credits(p, v) != buffer) {
        return fmt::format("{} of {} credits back of output {}", credits(p, v), buffer, where);
      }
      if (output.owner != IqCore::kNone) return "a packet owns output " + where;
      if (((port.usable & ~port.free) >> v & 1) != 0) return "nobody owns, or may take, output " + where;
    }
  }
  return "";
}

std::string IqRouter::waits_for(PortId out, std::uint32_t vc) const {
  const IqCore::VcIndex owner = core_.output(index(out, vc)).owner;
  if (owner == IqCore::kNone || core_.input(owner).flits == 0) return "no packet waits for it";
  return fmt::format("a packet of {} flits in input {} VC {} waits with {} credits",
                     core_.input(owner).front.message().flits, port_here(owner), core_.vc_of(owner), credits(out, vc));
}

std::optional<std::pair<PortId, std::uint32_t>> IqRouter::owner(PortId out, std::uint32_t vc) const {
  const IqCore::VcIndex owner = core_.output(index(out, vc)).owner;
  if (owner == IqCore::kNone) return std::nullopt;
  return std::pair(port_here(owner), core_.vc_of(owner));
}

}  // namespace weft
