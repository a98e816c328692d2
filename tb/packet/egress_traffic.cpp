#include "packet/egress_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "algorithms/qos/scheduler_factory.h"
#include "base/hot_memory.h"

namespace weft::pins {
namespace {

std::uint32_t bits_for(std::uint32_t numbers) {  // that many numbers can be told apart
  return numbers < 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(numbers - 1));
}

// Adds to the number at [index * width, (index + 1) * width).
void add(Bits& bits, std::uint32_t index, std::uint32_t width, std::uint64_t more) {
  const std::size_t low = std::size_t{index} * width;
  bits.set(low, width, bits.get(low, width) + more);
}

std::uint32_t total(const std::vector<std::uint32_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint32_t{0});
}

}  // namespace

std::uint32_t EgressShape::level_bits() const { return bits_for(levels); }
std::uint32_t EgressShape::lane_bits() const { return bits_for(lanes); }
std::uint32_t EgressShape::entry_bits() const { return bits_for(entries); }
std::uint32_t EgressShape::place_bits() const { return bits_for(depth + 1); }
std::uint32_t EgressShape::next_bits() const { return bits_for(next_depth + 1); }
std::uint32_t EgressShape::rate_bits() const { return bits_for(rate + 1); }

EgressShares::EgressShares(const EgressShape& s)
    : limit(8),
      minimum(s.lanes * s.place_bits()),
      maximum(s.lanes * s.place_bits()),
      shared(s.place_bits()),
      next_minimum(s.lanes * s.next_bits()),
      next_maximum(s.lanes * s.next_bits()),
      next_shared(s.next_bits()) {}

EgressInputs::EgressInputs(const EgressShape& s)
    : cfg_we(1),
      cfg_high(1),
      cfg_index(s.entry_bits()),
      cfg_sl(s.level_bits()),
      cfg_weight(s.weight_bits),
      reserve(s.lanes * s.place_bits()),
      flits(s.rate_bits()),
      head(1),
      vl(s.lane_bits()),
      sl(s.level_bits()),
      size(s.size_bits),
      data(std::size_t{s.rate} * s.width),
      credit(s.lanes * s.next_bits()) {}

std::vector<Bits*> EgressInputs::all() {
  return {&cfg_we, &cfg_high, &cfg_index, &cfg_sl, &cfg_weight, &reserve, &flits,
          &head,   &vl,       &sl,        &size,   &data,       &credit};
}

EgressOutputs::EgressOutputs(const EgressShape& s)
    : room(s.lanes * s.place_bits()),
      credits(s.lanes * s.next_bits()),
      grant(1),
      grant_sl(s.level_bits()),
      grant_vl(s.lane_bits()),
      valid(1),
      head(1),
      tail(1),
      vl(s.lane_bits()),
      data(s.width) {}

std::string EgressOutputs::text() const {
  return fmt::format("room {} credits {} grant {} SL {} VL {}, flit {} head {} tail {} VL {} data {}", room.hex(),
                     credits.hex(), grant.hex(), grant_sl.hex(), grant_vl.hex(), valid.hex(), head.hex(), tail.hex(),
                     vl.hex(), data.hex());
}

struct EgressTraffic::Port : HotObject {
  Port(EgressTraffic& owner, PacketCommon& common, const PacketParameters& parameters,
       std::unique_ptr<EgressScheduler> scheduler)
      : egress(owner, common, 0, 0, parameters.output, parameters.input, std::move(scheduler)),
        out(&egress.sender(), 0) {}
  EgressPort egress;
  PacketOutPort out;
};

EgressTraffic::EgressTraffic(ClockDomain& domain, const EgressShape& shape, Cycle from, std::uint64_t seed)
    : domain_(domain), shape_(shape), random_(seed, "egress traffic"), from_(from), shares_(shape) {
  choose_tables();
  choose_shares();
  common_ = std::make_unique<PacketCommon>(domain, parameters_, observers_);
  port_ = std::make_unique<Port>(*this, *common_, parameters_, make_scheduler(scheduler_));
  behind_ = std::make_unique<PacketInPort>(*this, 0);
  port_->out.bind(*behind_);
  port_->egress.resolve(port_->out);
  write_tables();
  change_pace();
  domain_.schedule(from - 1, Phase::prepare, *this, 0);
}

EgressTraffic::~EgressTraffic() = default;

// Every level can be sent if the tables have places for all.
void EgressTraffic::choose_tables() {
  const auto weight = [&] {
    const std::uint64_t most = (std::uint64_t{1} << shape_.weight_bits) - 1;
    return static_cast<std::uint32_t>(1 +
                                      random_.below(random_.below(2) == 0 ? most : std::min<std::uint64_t>(most, 4)));
  };
  const auto table = [&] {
    ArbitrationTable out(shape_.entries);
    for (TableEntry& e : out) {
      e.sl = static_cast<ServiceLevel>(random_.below(shape_.levels));
      e.weight = random_.below(6) == 0 ? 0 : weight();
    }
    return out;
  };
  if (shape_.scheduler == 0) {
    scheduler_.table = table();
    scheduler_.table.front().weight = weight();
    scheduler_.type = scheduler_types().find("dtable");
  } else if (shape_.scheduler == 1) {
    for (std::uint32_t s = 0; s < shape_.levels; ++s) scheduler_.quanta.push_back(random_.below(6) == 0 ? 0 : weight());
    scheduler_.quanta.back() = weight();
    scheduler_.type = scheduler_types().find("drr");
  } else {
    scheduler_.high = table();
    scheduler_.low = table();
    scheduler_.low.front().weight = weight();
    scheduler_.limit_of_high_priority = static_cast<std::uint32_t>(random_.below(random_.below(4) == 0 ? 256 : 3));
    scheduler_.type = scheduler_types().find("ib_arbiter");
  }
  const std::uint32_t served = served_levels(scheduler_);
  for (std::uint32_t left = served; left != 0; left &= left - 1) {
    levels_.push_back(static_cast<ServiceLevel>(std::countr_zero(left)));
  }
}

BufferShares EgressTraffic::random_shares(std::uint32_t depth, std::uint32_t least) {
  BufferShares out;
  out.capacity = random_.below(2) == 0 ? depth : depth - static_cast<std::uint32_t>(random_.below(depth / 2 + 1));
  // Small minima, none, or one VL that has most of the buffer or all of it.
  const auto favourite = random_.below(2 * shape_.lanes);
  const bool others = random_.below(2) == 0;
  for (std::uint32_t v = 0, left = out.capacity; v < shape_.lanes; ++v) {
    const auto some = static_cast<std::uint32_t>(random_.below(left / 4 + 1));
    const std::uint32_t minimum = v == favourite ? left - (others ? some : 0) : others ? some : 0;
    left -= minimum;
    out.minimum.push_back(minimum);
    const std::uint32_t at_least = std::max({minimum, least, std::uint32_t{1}});
    const bool all = at_least >= out.capacity || random_.below(2) == 0;
    out.maximum.push_back(all ? out.capacity
                              : at_least + static_cast<std::uint32_t>(random_.below(out.capacity - at_least + 1)));
  }
  return out;
}

void EgressTraffic::choose_shares() {
  parameters_.lanes = shape_.lanes;
  parameters_.levels = shape_.levels;
  parameters_.crossbar_rate = shape_.rate;
  parameters_.stages.output = shape_.output;
  parameters_.stages.crossbar = static_cast<Cycle>(random_.below(3));
  parameters_.stages.link = static_cast<Cycle>(1 + random_.below(3));
  parameters_.output = random_shares(shape_.depth, 2);
  parameters_.input = random_shares(shape_.next_depth, 2);
  const auto write = [&](const BufferShares& from, std::uint32_t width, Bits& minimum, Bits& maximum, Bits& shared) {
    for (std::uint32_t v = 0; v < shape_.lanes; ++v) {
      add(minimum, v, width, from.minimum[v]);
      add(maximum, v, width, from.maximum[v]);
    }
    shared.set(0, width, from.capacity - total(from.minimum));
  };
  write(parameters_.output, shape_.place_bits(), shares_.minimum, shares_.maximum, shares_.shared);
  write(parameters_.input, shape_.next_bits(), shares_.next_minimum, shares_.next_maximum, shares_.next_shared);
  if (shape_.scheduler == 2) {
    shares_.limit.set(0, 8, scheduler_.limit_of_high_priority);
  } else {  // of no meaning
    shares_.limit = Bits::random(random_, 8);
  }
}

void EgressTraffic::write_tables() {
  Cycle at = from_;
  const auto write = [&](bool high, std::uint32_t index, std::uint32_t sl, std::uint32_t weight) {
    EgressInputs& in = inputs_of(at++);
    in.cfg_we.set(0, 1, 1);
    in.cfg_high.set(0, 1, high ? 1 : 0);
    in.cfg_index.set(0, shape_.entry_bits(), index);
    in.cfg_sl.set(0, shape_.level_bits(), sl);
    in.cfg_weight.set(0, shape_.weight_bits, weight);
  };
  const auto write_table = [&](bool high, const ArbitrationTable& table) {
    for (std::uint32_t e = 0; e < table.size(); ++e) write(high, e, table[e].sl, table[e].weight);
  };
  write_table(false, scheduler_.table);
  write_table(true, scheduler_.high);
  write_table(false, scheduler_.low);
  for (std::uint32_t s = 0; s < scheduler_.quanta.size(); ++s) write(false, 0, s, scheduler_.quanta[s]);
  next_grant_ = at;
}

void EgressTraffic::change_pace() {
  load_ = 1 + random_.below(16);
  drain_ = random_.below(4) == 0 ? 1 + random_.below(2) : 4 + random_.below(13);
  longest_ = static_cast<std::uint32_t>(random_.below(3) == 0 ? 1 : 1 + random_.below(random_.below(3) == 0 ? 64 : 12));
}

EgressInputs& EgressTraffic::inputs_of(Cycle at) {
  const auto found = inputs_.find(at);
  if (found != inputs_.end()) return found->second;
  EgressInputs& in = inputs_.try_emplace(at, shape_).first->second;
  // Pins that have no meaning in a cycle may say anything.
  for (Bits* pins :
       {&in.cfg_high, &in.cfg_index, &in.cfg_sl, &in.cfg_weight, &in.head, &in.vl, &in.sl, &in.size, &in.data}) {
    *pins = Bits::random(random_, pins->size());
  }
  return in;
}

EgressInputs EgressTraffic::inputs() {
  const Cycle now = domain_.now();
  EgressInputs in = inputs_of(now);
  inputs_.erase(inputs_.begin(), inputs_.upper_bound(now));
  return in;
}

EgressOutputs& EgressTraffic::outputs_of(Cycle at) { return outputs_.try_emplace(at, shape_).first->second; }

EgressOutputs EgressTraffic::outputs(Cycle now) {
  EgressOutputs out = outputs_of(now);
  outputs_.erase(outputs_.begin(), outputs_.upper_bound(now));
  return out;
}

Bits EgressTraffic::word(const PacketMessage& message, std::uint32_t flit) const {
  Bits out(shape_.width);
  std::uint64_t all = std::uint64_t{message.sequence} * 64 + flit + 1;
  for (std::size_t low = 0; low < out.size(); low += 64) {
    all *= 0x9e3779b97f4a7c15;
    all ^= all >> 32;
    const std::size_t width = std::min<std::size_t>(64, out.size() - low);
    out.set(low, width, width < 64 ? all & ((std::uint64_t{1} << width) - 1) : all);
  }
  return out;
}

void EgressTraffic::due(Cycle now, std::uint32_t) {
  if (!running_) return;
  domain_.schedule(now + 1, Phase::prepare, *this, 0);
  if (now < from_) return;
  if (random_.below(100) == 0) change_pace();
  EgressPort& port = port_->egress;
  port.space().advance(now);
  port.credits().advance(now);
  EgressOutputs& out = outputs_of(now);
  for (std::uint32_t v = 0; v < shape_.lanes; ++v) {
    const auto lane = static_cast<VirtualLane>(v);
    add(out.room, v, shape_.place_bits(), static_cast<std::uint64_t>(port.space().room(lane)));
    add(out.credits, v, shape_.next_bits(), static_cast<std::uint64_t>(port.credits().room(lane)));
  }
  if (now >= next_grant_ && random_.below(16) < load_) grant(now);
  if (random_.below(16) < drain_) give_back(now);
}

// As an allocator of one cycle; the input has the first flits of the message, and one more comes in each cycle.
void EgressTraffic::grant(Cycle now) {
  const auto lane = static_cast<VirtualLane>(random_.below(shape_.lanes));
  const std::uint32_t most = std::min(
      {parameters_.output.maximum[lane], parameters_.input.maximum[lane], longest_, (1U << shape_.size_bits) - 1});
  const auto flits = random_.below(8) == 0 ? most : static_cast<std::uint32_t>(1 + random_.below(most));
  if (port_->egress.space().room(lane) < flits) return;
  PacketMessage& m = pool_.take();
  m.flits = flits;
  m.lane = lane;
  m.level = levels_[random_.below(levels_.size())];
  m.sequence = ++messages_;
  const Cycle start = now + parameters_.stages.allocation;
  const Drain moves{start, start - static_cast<Cycle>(random_.below(flits + 1)), shape_.rate, flits};
  const Cycle crossbar = parameters_.stages.crossbar;
  port_->egress.reserve(lane, flits);
  m.ready = start + crossbar;
  port_->egress.push(m);
  next_grant_ = moves.last() - parameters_.stages.allocation + 1;
  add(inputs_of(now).reserve, lane, shape_.place_bits(), flits);
  for (std::uint32_t i = 0; i < flits; ++i) {
    EgressInputs& in = inputs_of(moves.when(i + 1) + crossbar - 1);
    const auto place = static_cast<std::uint32_t>(in.flits.get(0, shape_.rate_bits()));
    in.flits.set(0, shape_.rate_bits(), place + 1);
    in.data.insert(std::size_t{place} * shape_.width, word(m, i));
    in.vl.set(0, shape_.lane_bits(), lane);
    if (place == 0) in.head.set(0, 1, i == 0 ? 1 : 0);
    if (i > 0) continue;
    in.sl.set(0, shape_.level_bits(), m.level);
    in.size.set(0, shape_.size_bits, flits);
  }
}

// The port has decided.
void EgressTraffic::receive(PortId, const PacketTransfer& transfer) {
  const PacketMessage& m = *transfer.message;
  const Cycle first = transfer.head - parameters_.stages.link;
  EgressOutputs& decision = outputs_of(domain_.now());
  decision.grant.set(0, 1, 1);
  decision.grant_sl.set(0, shape_.level_bits(), m.level);
  decision.grant_vl.set(0, shape_.lane_bits(), m.lane);
  for (std::uint32_t i = 0; i < m.flits; ++i) {
    EgressOutputs& out = outputs_of(first + i);
    out.valid.set(0, 1, 1);
    out.head.set(0, 1, i == 0 ? 1 : 0);
    out.tail.set(0, 1, i + 1 == m.flits ? 1 : 0);
    out.vl.set(0, shape_.lane_bits(), m.lane);
    out.data = word(m, i);
  }
  held_.push_back({transfer.message, transfer.head});
}

// Flits of a message behind the link leave its buffer there; several messages may do so at the same time, or all of a
// VL in one cycle.
void EgressTraffic::give_back(Cycle now) {
  if (held_.empty()) return;
  const std::size_t which = random_.below(held_.size());
  const VirtualLane lane = held_[which].message->lane;
  const Cycle start = now + 1 + static_cast<Cycle>(random_.below(3));
  const auto rate = static_cast<std::uint32_t>(1 + random_.below(3));
  if (random_.below(4) > 0) {
    if (held_[which].head <= now) leave(which, start, rate);
    return;
  }
  for (std::size_t i = held_.size(); i-- > 0;) {
    const PacketMessage& m = *held_[i].message;
    if (m.lane == lane && held_[i].head + static_cast<Cycle>(m.flits) <= now) leave(i, start, kMaxFlitsPerCycle);
  }
}

void EgressTraffic::leave(std::size_t which, Cycle start, std::uint32_t rate) {
  const Held leaves = held_[which];
  held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(which));
  PacketTransfer transfer;
  transfer.lane = leaves.message->lane;
  transfer.credits = {start, std::min(start, leaves.head + 1), rate, leaves.message->flits};
  for (std::uint32_t n = 1; n <= transfer.credits.flits; ++n) {
    add(inputs_of(transfer.credits.when(n) - 1).credit, transfer.lane, shape_.next_bits(), 1);
  }
  pool_.give_back(*leaves.message);
  behind_->answer(transfer, sc_core::SC_ZERO_TIME);
}

}  // namespace weft::pins
