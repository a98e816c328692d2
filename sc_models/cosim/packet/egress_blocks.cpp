#include "cosim/packet/egress_blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

std::uint32_t word_of(std::uint32_t number, std::uint32_t flit) { return number << 8 | (flit & 0xff); }

std::string input_text(const EgressPortInputs& in) {
  std::string out;
  if (!in.words.empty()) {
    out += fmt::format(" {} flits of VL {}, data {:08x}", in.words.size(), in.lane, fmt::join(in.words, " "));
    if (in.head) out += fmt::format(", head of {} flits of SL {}", in.flits, in.level);
  }
  if (!in.reserve.empty()) out += fmt::format(" reserved {}", fmt::join(in.reserve, " "));
  if (!in.credit.empty()) out += fmt::format(" credits {}", fmt::join(in.credit, " "));
  return out.empty() ? " none" : out;
}

std::string output_text(const EgressPortOutputs& out) {
  const std::string grant =
      out.grant.valid ? fmt::format("grant to SL {} VL {}", out.grant.level, out.grant.lane) : std::string("no grant");
  const std::string flit =
      out.flit.valid ? fmt::format("flit of VL {}{}{}, data {:08x}", out.flit.lane, out.flit.head ? ", head" : "",
                                   out.flit.tail ? ", tail" : "", out.flit.word)
                     : std::string("no flit");
  return fmt::format("{}; {}; room {}; credits {}", grant, flit, fmt::join(out.room, " "), fmt::join(out.credits, " "));
}

}  // namespace

std::vector<EgressPortLimit> egress_port_rtl_limits(const EgressPortRtlSize& size, const EgressPortNeed& need) {
  using Of = EgressPortLimit::Of;
  std::vector<EgressPortLimit> out;
  const auto at_most = [&](Of of, std::uint64_t wanted, std::uint64_t most, const std::string& what) {
    if (wanted > most) out.push_back({of, fmt::format("{} {}; the egress port in RTL has {}", wanted, what, most)});
  };
  at_most(Of::lanes, need.lanes, size.lanes, "VLs");
  at_most(Of::output_buffer, need.output.capacity, size.depth, "flits");
  at_most(Of::next_buffer, need.next.capacity, size.next_depth, "flits behind the link");
  at_most(Of::crossbar_rate, need.rate, size.rate, "flits per cycle");
  if (need.rate > 1 && need.iterations > 1) {
    out.push_back(
        {Of::iterations, "the egress port in RTL takes one message in a cycle; expected 1, or crossbar_rate: 1"});
  }
  if (need.output_stage != size.output) {
    out.push_back(
        {Of::output_stage, fmt::format("{} cycles; the egress port in RTL takes {}", need.output_stage, size.output)});
  }
  return out;
}

RtlEgressPort::RtlEgressPort(const EgressSite& site, std::string path, const PacketParameters& parameters,
                             std::unique_ptr<EgressPortRtl> rtl, std::unique_ptr<EgressScheduler> model,
                             LockstepCount* count)
    : domain_(*site.domain),
      path_(std::move(path)),
      parameters_(parameters),
      rtl_(std::move(rtl)),
      model_(std::move(model)),
      count_(count),
      waiting_(parameters.lanes) {
  rtl_->stand({path_, [this] { return time(); }});
}

std::string RtlEgressPort::time() const {
  const Cycle cycle = domain_.now();
  return cycle < 0 ? std::string() : fmt::format("{} (cycle {})", domain_.time_of(cycle).to_string(), cycle);
}

EgressPortInputs& RtlEgressPort::pins(Cycle at) {
  if (at <= served_) {
    throw RunError(path_ +
                   ": something comes to the RTL for a cycle that it has served; networks divided over processes "
                   "need the models of egress ports");
  }
  wake(at);
  return pins_[at];
}

void RtlEgressPort::wake(Cycle at) {
  if (next_ && *next_ <= at) return;
  next_ = at;
  domain_.schedule(at, Phase::settle, *this, 0);
}

void RtlEgressPort::granted(const PacketMessage& message, const Drain& moves) {
  const VirtualLane lane = message.lane;
  const std::uint32_t number = numbers_++;
  EgressPortInputs& now = pins(domain_.now());
  now.reserve.resize(parameters_.lanes);
  now.reserve[lane] += message.flits;
  for (std::uint32_t i = 0; i < message.flits; ++i) {
    EgressPortInputs& in = pins(moves.when(i + 1) + parameters_.stages.crossbar - 1);
    in.words.push_back(word_of(number, i));
    in.lane = lane;
    if (i > 0) continue;
    in.head = true;
    in.level = message.level;
    in.flits = message.flits;
  }
  waiting_[lane].push_back({number, message.flits});
  ++held_;
}

void RtlEgressPort::answer(PortId, const PacketTransfer& transfer) {
  const Drain& credits = transfer.credits;
  for (std::uint32_t n = 1; n <= credits.flits; ++n) {
    EgressPortInputs& in = pins(credits.when(n) - 1);
    in.credit.resize(parameters_.lanes);
    ++in.credit[transfer.lane];
  }
  port_->take_credits(transfer.lane, credits, domain_.now());
}

void RtlEgressPort::decide(ServiceLevel level, Cycle now) {
  const VirtualLane lane = port_->candidate(level).lane;
  const Waiting message = waiting_[lane].front();
  waiting_[lane].pop_front();
  --held_;
  sending_.push_back({now, message.flits, level, lane, message.number});
  wake(now);
}

std::optional<ServiceLevel> RtlEgressPort::pick(const EgressView& view) {
  const Cycle now = domain_.now();
  std::optional<ServiceLevel> level;
  if (model_ != nullptr) {
    level = model_->pick(view);
  } else {
    const auto at = pins_.find(now);
    const EgressPortInputs& in = at == pins_.end() ? nothing_ : at->second;
    const EgressPortOutputs& out = rtl_->drive(in);
    wake(now);
    if (!out.grant.valid) return std::nullopt;
    if (!view.is_active(out.grant.level) || port_->candidate(out.grant.level).lane != out.grant.lane) {
      EgressPortOutputs none = expected(in, now);
      none.grant = {};
      wrong(in, none, out);
    }
    level = out.grant.level;
  }
  if (level) decide(*level, now);
  return level;
}

void RtlEgressPort::sent(ServiceLevel level, const EgressView& after) {
  if (model_ != nullptr) model_->sent(level, after);
}

void RtlEgressPort::idle() {
  if (model_ != nullptr) model_->idle();
}

// What the accounting of the network says; of this cycle's changes nothing counts before the next one.
EgressPortOutputs RtlEgressPort::expected(const EgressPortInputs& in, Cycle now) const {
  EgressPortOutputs out;
  SharedBuffer space = port_->space();
  SharedBuffer credits = port_->credits();
  space.advance(now);
  credits.advance(now);
  if (!sending_.empty() && sending_.back().decided == now) {
    const Sending& s = sending_.back();
    out.grant = {true, s.level, s.lane};
    credits.take(s.lane, -s.flits);
  }
  if (!sending_.empty()) {
    const Sending& s = sending_.front();
    const Cycle i = now - s.decided - parameters_.stages.output;
    if (i >= 0) {
      out.flit = {true, i == 0, i + 1 == static_cast<Cycle>(s.flits), s.lane,
                  word_of(s.number, static_cast<std::uint32_t>(i))};
    }
  }
  for (std::uint32_t v = 0; v < parameters_.lanes; ++v) {
    const auto lane = static_cast<VirtualLane>(v);
    if (!in.reserve.empty()) space.take(lane, -in.reserve[v]);
  }
  for (std::uint32_t v = 0; v < parameters_.lanes; ++v) {
    const auto lane = static_cast<VirtualLane>(v);
    out.room.push_back(static_cast<std::uint32_t>(space.room(lane)));
    out.credits.push_back(static_cast<std::uint32_t>(credits.room(lane)));
  }
  return out;
}

void RtlEgressPort::wrong(const EgressPortInputs& in, const EgressPortOutputs& model,
                          const EgressPortOutputs& rtl) const {
  rtl_->break_off();
  throw RunError(fmt::format("{} {} at {}\n  inputs:{}\n  {} {}\n  rtl shows {}",
                             model_ != nullptr ? "lockstep difference in" : "the RTL does what it must not in", path_,
                             time(), input_text(in), model_ != nullptr ? "model shows" : "the network needs",
                             output_text(model), output_text(rtl)));
}

// Registers of a port that holds nothing, and to which nothing comes, stay as they are.
bool RtlEgressPort::holds_anything(Cycle now) const { return held_ > 0 || !sending_.empty() || now < last_input_ + 2; }

void RtlEgressPort::due(Cycle now, std::uint32_t) {
  if (served_ == now) return;
  served_ = now;
  if (next_ && *next_ <= now) next_.reset();
  const auto at = pins_.find(now);
  const EgressPortInputs& in = at == pins_.end() ? nothing_ : at->second;
  const EgressPortOutputs& rtl = rtl_->drive(in);
  const EgressPortOutputs model = expected(in, now);
  if (rtl != model) wrong(in, model, rtl);
  if (count_ != nullptr) ++count_->cycles;
  rtl_->end_cycle();
  if (at != pins_.end()) last_input_ = now;
  // One cycle longer than the last flit: in it the scheduler learns that nothing is active.
  if (!sending_.empty() && now >= sending_.front().decided + parameters_.stages.output + sending_.front().flits - 1) {
    sending_.pop_front();
    last_input_ = now;
  }
  pins_.erase(pins_.begin(), pins_.upper_bound(now));
  if (holds_anything(now)) {
    wake(now + 1);
  } else if (!pins_.empty()) {
    wake(pins_.begin()->first);
  }
}

}  // namespace weft
