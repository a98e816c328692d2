// What an input-queued router shows of its state: to reports of stalls, audits, waves and the end of the run.

#include <fmt/format.h>

#include <bit>

#include "base/diagnostics.h"
#include "fabric/iq/iq_router.h"

namespace weft {

std::vector<IqRouter::Waiting> IqRouter::waiting() const {
  std::vector<Waiting> out;
  for (std::uint32_t vc = 0; vc < inputs_.size(); ++vc) {
    const InputVc& input = inputs_[vc];
    if (input.flits == 0) continue;
    const bool has_vc = input.out != kNone;
    const PortId port = has_vc ? port_of(input.out) : input.first;
    out.push_back({port_of(vc), static_cast<VirtualLane>(vc_of(vc)), &flit_at(vc, input.read).message(), port,
                   port_[port].usable == 0, has_vc, has_vc ? std::uint32_t{outputs_[input.out].credits} : 0});
  }
  return out;
}

std::string IqRouter::leftovers() const {
  for (std::uint32_t vc = 0; vc < inputs_.size(); ++vc) {
    const PortId p = port_of(vc);
    if (out_[p] == nullptr || vc_of(vc) >= vcs_) continue;
    const std::string where = fmt::format("port {} VC {}", p, vc_of(vc));
    if (inputs_[vc].flits != 0 || inputs_[vc].read != inputs_[vc].write) return "flits in input " + where;
    if ((words_[vc / 64].busy & bit(vc)) != 0) return "a packet in input " + where;
    if (outputs_[vc].credits != parameters_.buffer) {
      return fmt::format("{} of {} credits back of output {}", outputs_[vc].credits, parameters_.buffer, where);
    }
    if (outputs_[vc].owner != kNone) return "a packet owns output " + where;
    if (((port_[p].usable & ~port_[p].free) >> vc_of(vc) & 1) != 0) return "nobody owns, or may take, output " + where;
  }
  return "";
}

void IqRouter::count(Accounts& accounts) const {
  const std::size_t n = static_cast<std::size_t>(ports_) * vcs_;
  accounts.held.assign(n, 0);
  accounts.spent.assign(n, 0);
  const auto place = [&](std::uint32_t vc) { return static_cast<std::size_t>(port_of(vc)) * vcs_ + vc_of(vc); };
  for (PortId p = 0; p < ports_; ++p) {
    for (std::uint32_t v = 0; v < vcs_ && out_[p] != nullptr; ++v) {
      accounts.held[place(static_cast<std::uint32_t>(index_of(p, v)))] = inputs_[index_of(p, v)].flits;
      // Modulo 2^32, if there are too many.
      accounts.spent[place(static_cast<std::uint32_t>(index_of(p, v)))] =
          parameters_.buffer - outputs_[index_of(p, v)].credits;
    }
  }
  for (std::uint64_t b = 0; b <= wheel_mask_; ++b) {
    for (std::uint32_t w = 0; w < word_count_; ++w) {
      const std::uint64_t* const sets = &wheel_[b * bucket_size_ + static_cast<std::size_t>(w) * kKinds];
      for (std::uint64_t set = sets[kFlit]; set != 0; set &= set - 1) {
        ++accounts.held[place(w * 64 + static_cast<std::uint32_t>(std::countr_zero(set)))];
      }
      for (std::uint64_t set = sets[kCredit]; set != 0; set &= set - 1) {
        --accounts.spent[place(w * 64 + static_cast<std::uint32_t>(std::countr_zero(set)))];
      }
    }
  }
}

std::string IqRouter::waits_for(PortId out, std::uint32_t v) const {
  const OutputVc& output = outputs_[index_of(out, v)];
  if (output.owner == kNone || inputs_[output.owner].flits == 0) return "no packet waits for it";
  const PacketMessage& m = flit_at(output.owner, inputs_[output.owner].read).message();
  return fmt::format("a packet of {} flits in input {} VC {} waits with {} credits", m.flits, port_of(output.owner),
                     vc_of(output.owner), output.credits);
}

void IqRouter::lose_credits(PortId out, std::uint32_t v, std::uint32_t credits) {
  OutputVc& output = outputs_[index_of(out, v)];
  output.credits = static_cast<std::uint16_t>(output.credits - std::min<std::uint32_t>(credits, output.credits));
  if (output.credits == 0 && output.owner != kNone) word(output.owner).credit &= ~bit(output.owner);
}

std::optional<std::uint32_t> IqRouter::coming(Kind kind, PortId port, Cycle at) const {
  for (std::uint32_t v = 0; v < vcs_; ++v) {
    if (marked(kind, static_cast<std::uint32_t>(index_of(port, v)), at)) return v;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> IqRouter::flit_coming(PortId in, Cycle at) const {
  return coming(kFlit, in, at + buffer_write_);
}

std::optional<std::uint32_t> IqRouter::credit_coming(PortId out, Cycle at) const { return coming(kCredit, out, at); }

std::optional<std::pair<PortId, std::uint32_t>> IqRouter::owner(PortId out, std::uint32_t v) const {
  const Index owner = outputs_[index_of(out, v)].owner;
  if (owner == kNone) return std::nullopt;
  return std::pair(port_of(owner), vc_of(owner));
}

}  // namespace weft
