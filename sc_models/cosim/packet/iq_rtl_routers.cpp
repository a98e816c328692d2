#include "cosim/packet/iq_rtl_routers.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"

namespace weft {

IqRtlModule::IqRtlModule(const sc_core::sc_module_name& name, const IqRouterPlace& place,
                         std::unique_ptr<IqRouterRtl> rtl, const IqRouterRtlSize& size, Phase phase)
    : IqRouterModule(name, place.site), domain_(place.domain), driver_(std::move(rtl), size, place), phase_(phase) {
  driver_.block().stand({this->name(), [this] { return time(); }});
}

std::string IqRtlModule::time() const {
  const Cycle cycle = domain_.now();
  return cycle < 0 ? std::string() : fmt::format("{} (cycle {})", domain_.time_of(cycle).to_string(), cycle);
}

void IqRtlModule::wake(Cycle at) {
  if (next_ && *next_ <= at) return;
  next_ = at;
  domain_.schedule(at, phase_, *this, 0);
}

void IqRtlModule::due(Cycle now, std::uint32_t) {
  if (served_ == now) return;
  served_ = now;
  if (next_ && *next_ <= now) next_.reset();
  serve(now);
  if (const auto next = driver_.next_cycle(now)) wake(*next);
}

RtlIqRouter::RtlIqRouter(const sc_core::sc_module_name& name, const IqRouterPlace& place,
                         std::unique_ptr<IqRouterRtl> rtl, const IqRouterRtlSize& size)
    : IqRtlModule(name, place, std::move(rtl), size, Phase::transfer),
      site_(place.site),
      parameters_(place.parameters),
      observers_(place.observers),
      outputs_(static_cast<std::size_t>(site_.ports) * parameters_.vcs),
      held_(outputs_.size()),
      sent_(site_.ports) {}

void RtlIqRouter::receive(PortId in, const IqTransfer& transfer) {
  const auto at = driver_.take_flit(in, transfer);
  if (!at) refuse("flit", in, transfer, transfer.at, domain_.now());
  ++held_[index(in, transfer.vc)];
  wake(*at);
}

void RtlIqRouter::answer(PortId out, const IqTransfer& transfer) {
  const auto at = driver_.take_credit(out, transfer);
  Output& output = outputs_[index(out, transfer.vc)];
  if (!at || output.spent == 0) refuse("credit", out, transfer, transfer.at, domain_.now());
  --output.spent;
  ++output.coming;
  wake(*at);
}

void RtlIqRouter::wrong(const std::string& text) const {
  driver_.block().break_off();
  throw RunError(fmt::format("the RTL of {} at {} {}\n  inputs:{}", name(), time(), text, driver_.text_of_inputs()));
}

void RtlIqRouter::serve(Cycle now) {
  const IqRouterOutputs& pins = driver_.evaluate(now);
  for (PortId p = 0; p < pins.flits.size(); ++p) {
    if (p < ports() && driver_.inputs().credits[p].valid) {
      --outputs_[index(p, driver_.inputs().credits[p].vc)].coming;
    }
    if (pins.flits[p].valid) send(p, pins.flits[p], now);
  }
  for (PortId p = 0; p < pins.credits.size(); ++p) {
    if (!pins.credits[p].valid) continue;
    const std::uint8_t vc = pins.credits[p].vc;
    if (p >= ports() || vc >= parameters_.vcs || held_[index(p, vc)] == 0) {
      wrong(fmt::format("gives back a credit of input {} VC {}, which holds no flit", p, vc));
    }
    --held_[index(p, vc)];
    IqTransfer transfer{{}, now + driver_.credit_time(), vc};
    in(p).answer(transfer, domain_.time_of(driver_.credit_time()));
  }
  driver_.end_cycle();
}

void RtlIqRouter::send(PortId out, const IqRouterOutputs::Flit& flit, Cycle now) {
  const std::string where = fmt::format("output {} VC {}", out, flit.vc);
  if (out >= ports() || !site_.connected[out] || flit.vc >= parameters_.vcs) {
    wrong("sends a flit by " + where + ", where nothing is");
  }
  const auto number = driver_.packet_of(flit.word);
  if (!number || flit.torn)
    wrong(fmt::format("sends a flit by {} that it does not hold: data {:08x}", where, flit.word));
  const IqRtlDriver::Packet packet = driver_.packet(*number);
  Output& output = outputs_[index(out, flit.vc)];
  if (flit.head != (packet.left == 0) || flit.tail != (packet.left + 1 == packet.message->flits)) {
    wrong(fmt::format("sends flit {} of {} of a packet by {} with wrong marks{}{}", packet.left, packet.message->flits,
                      where, flit.head ? ", head" : "", flit.tail ? ", tail" : ""));
  }
  if (output.packet != (flit.head ? IqRtlDriver::kNone : *number)) wrong("mixes packets in " + where);
  if (out < packet.hop.first || out >= packet.hop.first + packet.hop.count || (packet.vcs >> flit.vc & 1) == 0) {
    wrong("sends a packet by " + where + ", which is not on its hop");
  }
  if (output.spent + output.coming >= parameters_.buffer) wrong("sends a flit by " + where + " without a credit");
  PacketMessage& message = *packet.message;
  driver_.leave(*number);
  output.packet = flit.tail ? IqRtlDriver::kNone : *number;
  ++output.spent;
  ++sent_[out];
  const Cycle at = now + driver_.flit_time();
  if (flit.head) {
    observers_.tell_hop([&](PacketObserver& o) {
      message.lane = flit.vc;
      o.on_hop(site_.sw, out, message, now + sending_time());
    });
  }
  IqTransfer transfer{IqFlit(message, flit.head, flit.tail), at, flit.vc};
  this->out(out).send(transfer, domain_.time_of(driver_.flit_time()));
}

std::uint64_t RtlIqRouter::flits() const {
  std::uint64_t sum = 0;
  for (PortId p = 0; p < ports(); ++p) {
    for (std::uint32_t v = 0; v < parameters_.vcs; ++v) sum += driver_.queued(p, v);
  }
  return sum;
}

std::uint32_t RtlIqRouter::credits(PortId out, std::uint32_t vc) const {
  const Output& output = outputs_[index(out, vc)];
  return parameters_.buffer - output.spent - output.coming;
}

std::optional<std::pair<PortId, std::uint32_t>> RtlIqRouter::owner(PortId out, std::uint32_t vc) const {
  const std::uint32_t number = outputs_[index(out, vc)].packet;
  if (number == IqRtlDriver::kNone) return std::nullopt;
  return std::pair(driver_.packet(number).in, std::uint32_t{driver_.packet(number).vc});
}

std::vector<IqRouterModule::Waiting> RtlIqRouter::waiting() const {
  std::vector<Waiting> waiting;
  for (PortId p = 0; p < ports(); ++p) {
    for (std::uint32_t v = 0; v < parameters_.vcs; ++v) {
      if (queued(p, v) == 0) continue;
      const IqRtlDriver::Packet& packet = driver_.packet(driver_.front(p, v));
      Waiting w{p, static_cast<VirtualLane>(v), packet.message, packet.hop.first, false, false, 0};
      for (PortId o = 0; o < ports(); ++o) {
        for (std::uint32_t by = 0; by < parameters_.vcs; ++by) {
          if (owner(o, by) != std::pair(p, v)) continue;
          w.out = o;
          w.has_vc = true;
          w.credits = credits(o, by);
        }
      }
      waiting.push_back(w);
    }
  }
  return waiting;
}

std::string RtlIqRouter::leftovers() const {
  for (PortId p = 0; p < ports(); ++p) {
    for (std::uint32_t v = 0; v < parameters_.vcs; ++v) {
      const std::string where = fmt::format("port {} VC {}", p, v);
      if (held_[index(p, v)] != 0) return "flits in input " + where;
      if (credits(p, v) != parameters_.buffer) {
        return fmt::format("{} of {} credits back of output {}", credits(p, v), parameters_.buffer, where);
      }
      if (owner(p, v)) return "a packet owns output " + where;
    }
  }
  return "";
}

std::string RtlIqRouter::waits_for(PortId out, std::uint32_t vc) const {
  const auto from = owner(out, vc);
  if (!from || queued(from->first, from->second) == 0) return "no packet waits for it";
  return fmt::format("a packet of {} flits in input {} VC {} waits with {} credits",
                     driver_.packet(outputs_[index(out, vc)].packet).message->flits, from->first, from->second,
                     credits(out, vc));
}

}  // namespace weft
