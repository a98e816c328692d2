#include "cosim/packet/iq_rtl_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr std::uint32_t kPacketBits = 18;
constexpr std::uint32_t kFlitMask = (std::uint32_t{1} << (32 - kPacketBits)) - 1;
constexpr std::uint32_t kScramble = 0x9E3779B1;

// Newton's iteration: each step doubles the bits that are right.
constexpr std::uint32_t inverse(std::uint32_t odd) {
  std::uint32_t x = odd;
  for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
  return x;
}
constexpr std::uint32_t kUnscramble = inverse(kScramble);
static_assert(kScramble * kUnscramble == 1);

std::uint32_t mask(std::uint32_t bits) { return static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1); }

}  // namespace

IqRtlDriver::IqRtlDriver(std::unique_ptr<IqRouterRtl> rtl, const IqRouterRtlSize& size, const IqRouterPlace& place)
    : rtl_(std::move(rtl)),
      size_(size),
      site_(place.site),
      domain_(place.domain),
      routing_(place.routes.routing()),
      vcs_(place.parameters.vcs),
      class_vcs_(vcs_ / routing_.lane_classes()),
      write_time_(place.parameters.buffer_write - size.buffer_write),
      flit_time_(place.parameters.switch_allocation + place.parameters.crossbar + place.parameters.link -
                 size.switch_allocation - size.crossbar),
      credit_time_(place.parameters.switch_allocation + place.parameters.credit - size.switch_allocation - size.credit),
      settling_(1 + Cycle{size.buffer_write} + size.switch_allocation + std::max(size.crossbar, size.credit)),
      flits_(site_.ports),
      credits_(site_.ports),
      entering_(static_cast<std::size_t>(site_.ports) * vcs_, kNone),
      packets_of_(entering_.size()),
      queued_(entering_.size()) {
  inputs_.flits.resize(size.ports);
  inputs_.credits.resize(size.ports);
}

std::uint32_t IqRtlDriver::word_of(std::uint32_t packet, std::uint32_t flit) {
  return ((flit & kFlitMask) << kPacketBits | packet) * kScramble;
}

// The routing looks ahead: the hop comes with the head.
std::uint32_t IqRtlDriver::new_packet(PortId in, std::uint32_t vc, PacketMessage& message) {
  std::uint32_t number;
  if (!free_.empty()) {
    number = free_.back();
    free_.pop_back();
  } else {
    number = static_cast<std::uint32_t>(packets_.size());
    if (number >> kPacketBits != 0) throw RunError("internal: too many packets in a router in RTL");
    packets_.emplace_back();
  }
  const std::uint32_t lane_class = site_.to_node[in] ? 0 : vc / class_vcs_;
  const RouteStep hop =
      routing_.step({site_.sw, in, static_cast<std::uint8_t>(lane_class)}, message.destination, message.choice);
  if (hop.count > size_.trunk) throw RunError("internal: a hop of more ports than a router in RTL has in a trunk");
  const std::uint32_t vcs = site_.to_node[hop.first] ? mask(vcs_) : mask(class_vcs_) << (hop.lane_class * class_vcs_);
  packets_[number] = {&message, message.source, message.destination, in, static_cast<std::uint8_t>(vc), hop, vcs, 0, 0};
  packets_of_[index(in, vc)].push_back(number);
  return number;
}

std::optional<Cycle> IqRtlDriver::take_flit(PortId in, const IqTransfer& transfer) {
  auto& coming = flits_[in];
  const Cycle at = transfer.at + write_time_;
  if (at <= domain_.now() || (!coming.empty() && coming.back().at >= at)) return std::nullopt;
  std::uint32_t& entering = entering_[index(in, transfer.vc)];
  const IqFlit flit = transfer.flit;
  if (flit.head() != (entering == kNone) || (!flit.head() && packets_[entering].message != &flit.message())) {
    throw RunError(fmt::format("packets are mixed up in input port {} VC {} of router {}", in, transfer.vc, site_.sw));
  }
  if (flit.head()) entering = new_packet(in, transfer.vc, flit.message());
  const std::uint32_t number = entering;
  coming.push_back({at, static_cast<std::uint8_t>(transfer.vc), flit.head(), flit.tail(), number,
                    word_of(number, packets_[number].entered++)});
  if (flit.tail()) entering = kNone;
  return at;
}

std::optional<Cycle> IqRtlDriver::take_credit(PortId out, const IqTransfer& transfer) {
  auto& coming = credits_[out];
  if (transfer.at <= domain_.now() || (!coming.empty() && coming.back().at >= transfer.at)) return std::nullopt;
  coming.push_back({transfer.at, static_cast<std::uint8_t>(transfer.vc), false, false, kNone, 0});
  return transfer.at;
}

const IqRouterOutputs& IqRtlDriver::evaluate(Cycle now) {
  bool busy = false;
  for (PortId p = 0; p < site_.ports; ++p) {
    inputs_.flits[p] = {};
    inputs_.credits[p] = {};
    if (auto& coming = flits_[p]; !coming.empty() && coming.front().at == now) {
      const Arrival a = coming.front();
      coming.pop_front();
      const Packet& packet = packets_[a.packet];
      inputs_.flits[p] = {true, a.head, a.tail, a.vc, packet.hop.first, packet.hop.count, packet.vcs, a.word};
      ++queued_[index(p, a.vc)];
      ++inside_;
      ++owed_;
      busy = true;
    }
    if (auto& coming = credits_[p]; !coming.empty() && coming.front().at == now) {
      inputs_.credits[p] = {true, coming.front().vc};
      coming.pop_front();
      busy = true;
    }
  }
  const IqRouterOutputs& out = rtl_->drive(inputs_);
  for (const IqRouterOutputs::Credit& credit : out.credits) owed_ -= credit.valid && owed_ > 0 ? 1 : 0;
  for (const IqRouterOutputs::Flit& flit : out.flits) inside_ -= flit.valid && inside_ > 0 ? 1 : 0;
  if (busy || inside_ > 0 || owed_ > 0) busy_until_ = now + settling_;
  return out;
}

std::optional<Cycle> IqRtlDriver::next_cycle(Cycle now) const {
  if (now < busy_until_) return now + 1;
  std::optional<Cycle> next;
  for (const auto* side : {&flits_, &credits_}) {
    for (const auto& coming : *side) {
      if (!coming.empty() && (!next || coming.front().at < *next)) next = coming.front().at;
    }
  }
  return next;
}

bool IqRtlDriver::quiet() const {
  const auto empty = [](const auto& coming) { return coming.empty(); };
  return inside_ == 0 && owed_ == 0 && std::all_of(flits_.begin(), flits_.end(), empty) &&
         std::all_of(credits_.begin(), credits_.end(), empty);
}

std::uint32_t IqRtlDriver::leave(std::uint32_t number) {
  Packet& packet = packets_[number];
  const std::uint32_t word = word_of(number, packet.left++);
  --queued_[index(packet.in, packet.vc)];
  if (packet.left < packet.message->flits) return word;
  std::erase(packets_of_[index(packet.in, packet.vc)], number);
  packet.message = nullptr;
  free_.push_back(number);
  return word;
}

std::optional<std::uint32_t> IqRtlDriver::packet_of(std::uint32_t word) const {
  const std::uint32_t number = word * kUnscramble & mask(kPacketBits);
  if (number >= packets_.size() || packets_[number].message == nullptr) return std::nullopt;
  const Packet& packet = packets_[number];
  if (word != word_of(number, packet.left) || queued(packet.in, packet.vc) == 0) return std::nullopt;
  return number;
}

std::optional<std::uint32_t> IqRtlDriver::flit_coming(PortId in, Cycle at) const {
  for (const Arrival& a : flits_[in]) {
    if (a.at == at + write_time_) return a.vc;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> IqRtlDriver::credit_coming(PortId out, Cycle at) const {
  for (const Arrival& a : credits_[out]) {
    if (a.at == at) return a.vc;
  }
  return std::nullopt;
}

/// "flit 2 of 3>7", or the data when they name no flit.
std::string IqRtlDriver::name_of(std::uint32_t word) const {
  const std::uint32_t plain = word * kUnscramble;
  const std::uint32_t number = plain & mask(kPacketBits);
  if (number >= packets_.size()) return fmt::format("data {:08x}", word);
  return fmt::format("data {:08x}, flit {} of {}>{}", word, plain >> kPacketBits, packets_[number].source,
                     packets_[number].destination);
}

std::string IqRtlDriver::text_of_inputs() const {
  std::string out;
  for (std::size_t p = 0; p < inputs_.flits.size(); ++p) {
    if (const auto& f = inputs_.flits[p]; f.valid) {
      out += fmt::format("\n    in[{}]: VC {}{}{}, {}", p, f.vc, f.head ? ", head" : "", f.tail ? ", tail" : "",
                         name_of(f.word));
      if (f.head) out += fmt::format(", hop {}..{} by VCs {:x}", f.first, f.first + f.count - 1, f.vcs);
    }
    if (const auto& c = inputs_.credits[p]; c.valid) out += fmt::format("\n    out[{}]: credit of VC {}", p, c.vc);
  }
  return out.empty() ? " none" : out;
}

std::string IqRtlDriver::text(const IqRouterOutputs& outputs) const {
  std::string out;
  const IqRouterOutputs::Flit nothing;
  for (std::size_t p = 0; p < outputs.flits.size(); ++p) {
    if (const auto& f = outputs.flits[p]; f != nothing) {
      out += fmt::format("\n    out[{}]: {}VC {}{}{}, {}{}", p, f.valid ? "" : "not valid, ", f.vc,
                         f.head ? ", head" : "", f.tail ? ", tail" : "", name_of(f.word),
                         f.torn ? ", which the rest of the data does not repeat" : "");
    }
    if (const auto& c = outputs.credits[p]; c != IqRouterOutputs::Credit()) {
      out += fmt::format("\n    in[{}]: {}credit of VC {}", p, c.valid ? "" : "not valid, ", c.vc);
    }
  }
  return out.empty() ? " nothing" : out;
}

}  // namespace weft
