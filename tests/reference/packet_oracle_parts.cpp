#include "reference/packet_oracle_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::packet_oracle {

void demand(bool rule, Cycle t, const std::string& what) {
  if (!rule) throw std::logic_error(fmt::format("packet oracle, cycle {}: {}", t, what));
}

std::uint32_t places_of_message(const PacketParameters& parameters, VirtualLane v, std::uint32_t flits) {
  return v < parameters.least_places.size() ? std::max(flits, parameters.least_places[v]) : flits;
}

std::uint32_t places_of_flit(const PacketParameters& parameters, VirtualLane v, std::uint32_t flits,
                             std::uint32_t index) {
  return index + 1 < flits ? 1 : places_of_message(parameters, v, flits) - (flits - 1);
}

SharedBuffer::SharedBuffer(const BufferShares& shares, std::uint32_t lanes) : shares_(shares), used_(lanes, 0) {
  if (shares.minimum.size() < lanes || shares.maximum.size() < lanes) {
    throw std::invalid_argument("packet oracle: a buffer needs a minimum and a maximum for every VL");
  }
  shares_.minimum.resize(lanes);
  shares_.maximum.resize(lanes);
}

std::int64_t SharedBuffer::room(VirtualLane v) const {
  std::int64_t shared = shares_.capacity;
  for (std::size_t u = 0; u < used_.size(); ++u) {
    const std::int64_t minimum = shares_.minimum[u];
    shared -= minimum;
    shared -= std::max<std::int64_t>(0, used_[u] - minimum);
  }
  const std::int64_t minimum = shares_.minimum[v];
  const std::int64_t maximum = shares_.maximum[v];
  return std::min(maximum - used_[v], std::max<std::int64_t>(0, minimum - used_[v]) + shared);
}

void SharedBuffer::check(Cycle t, const std::string& where) const {
  std::int64_t kept = 0;  // what is in use or kept free for a guaranteed minimum
  for (std::size_t v = 0; v < used_.size(); ++v) {
    demand(used_[v] >= 0, t, fmt::format("{}: VL {} gives back more than it took", where, v));
    demand(used_[v] <= shares_.maximum[v], t, fmt::format("{}: VL {} above its maximum", where, v));
    kept += std::max<std::int64_t>(used_[v], shares_.minimum[v]);
  }
  demand(kept <= shares_.capacity, t, where + ": no room is left for the guaranteed minimum of a VL");
}

std::uint32_t Visit::here_so_far(Cycle t) const {
  std::uint32_t count = left;
  for (const Flit& flit : flits) {
    if (flit.here_from <= t) ++count;
  }
  return count;
}

Transfer plan_transfer(VisitPtr from, VisitPtr to, std::uint32_t rate, Cycle first, Cycle crossbar) {
  Transfer transfer{.from = from, .to = to, .rate = rate, .first = first};
  std::uint32_t moved = 0;
  for (Cycle c = first; moved < from->size; ++c) {
    const std::uint32_t before = moved;
    for (std::uint32_t n = 0; n < rate && moved < from->size && from->expected[moved] <= c; ++n) {
      to->expected.push_back(c + crossbar);
      ++moved;
    }
    transfer.ends = c;
    transfer.moves.push_back(moved - before);
  }
  return transfer;
}

bool PortUse::takes(const Transfer& transfer) const {
  if (ends_ < transfer.first) return true;
  return shared_cycle_ == transfer.first && transfer.ends == transfer.first &&
         flits_ + transfer.from->size <= std::min(rate_, transfer.rate);
}

void PortUse::take(const Transfer& transfer) {
  const bool beside = shared_cycle_ == transfer.first;
  ends_ = transfer.ends;
  shared_cycle_ = transfer.ends == transfer.first ? transfer.first : -1;
  flits_ = (beside ? flits_ : 0) + transfer.from->size;
  rate_ = beside ? std::min(rate_, transfer.rate) : transfer.rate;
}

std::optional<std::uint32_t> CentralUse::rate(Cycle first) const {
  if (most_ == 1) return rate_;
  std::uint32_t count = 0, used = 0;
  for (const Transfer& transfer : several_) {
    if (transfer.ends < first) continue;
    ++count;
    auto cycle = static_cast<std::size_t>(first - transfer.first);
    if (cycle > 0 && first == transfer.ends) --cycle;
    used += transfer.moves[cycle];
  }
  if (count == most_ || used >= rate_) return std::nullopt;
  return rate_ - used;
}

void CentralUse::take(const Transfer& transfer) {
  if (most_ > 1) {
    several_.push_back(transfer);
  } else {
    one_.take(transfer);
  }
}

void CentralUse::check(Cycle t) {
  std::erase_if(several_, [&](const Transfer& transfer) { return transfer.ends < t; });
  std::uint32_t count = 0, flits = 0;
  for (const Transfer& transfer : several_) {
    if (t < transfer.first) continue;
    ++count;
    flits += transfer.moves[static_cast<std::size_t>(t - transfer.first)];
  }
  demand(count <= most_, t, "a central link carries too many messages");
  demand(flits <= rate_, t, "a central link carries too many flits");
}

std::uint32_t move_flits(const Transfer& transfer, Cycle t, Cycle crossbar) {
  if (t < transfer.first) return 0;
  Visit& from = *transfer.from;
  Visit& to = *transfer.to;
  const std::uint32_t here = from.here_so_far(t);
  std::uint32_t moved = 0;
  while (moved < transfer.rate && !from.flits.empty() && from.flits.front().here_from <= t) {
    const Flit flit = from.flits.front();
    from.flits.pop_front();
    demand(flit.message == from.message && flit.index == from.left, t, "flits change their order in a crossbar");
    demand(flit.here_from == from.expected[flit.index], t, "a flit is not there when it was expected");
    ++from.left;
    to.flits.push_back({flit.message, flit.index, t + crossbar});
    ++moved;
  }
  const std::int64_t by_rate = transfer.rate * (t - transfer.first + 1);
  demand(from.left == std::min<std::int64_t>({from.size, by_rate, here}), t, "a transfer is not on schedule");
  demand((from.left == from.size) == (t == transfer.ends), t, "a transfer does not end when it was expected to");
  return moved;
}

Egress::Egress(const OracleSetup& setup, LinkId id, const BufferShares& own, const BufferShares& next)
    : buffer(own, setup.parameters.lanes),
      queues(setup.parameters.lanes),
      graph_(setup.graph),
      parameters_(setup.parameters),
      id_(id),
      lanes_(setup.parameters.lanes),
      levels_(setup.parameters.levels),
      stages_(setup.parameters.stages),
      next_(next, setup.parameters.lanes),
      scheduler_(setup.scheduler(id)) {}

void Egress::take_credits(Cycle t) {
  while (!credits.empty() && credits.front().arrives == t) {
    next_.give_back(credits.front().lane, credits.front().places);
    credits.pop_front();
    ++events;
  }
}

void Egress::put_on_link(Cycle t) {
  bool used = false;  // in this cycle
  for (Sending& sending : sending_) {
    Visit& visit = *sending.visit;
    if (t < sending.start) continue;
    demand(!used, t, "two flits on a link in one cycle");
    used = true;
    demand(!visit.flits.empty() && visit.flits.front().here_from <= t, t, "a flit is late for its link");
    const Flit flit = visit.flits.front();
    visit.flits.pop_front();
    demand(flit.message == visit.message && flit.index == visit.left, t, "flits change their order in a buffer");
    demand(t == sending.start + flit.index, t, "a message pauses on a link");
    if (flit.index == 0) {
      demand(last_.index + 1 == last_size_, t, "a message begins on a link before the previous one has ended");
    } else {
      demand(last_.message == flit.message && last_.index + 1 == flit.index && last_.here_from == t - 1, t,
             "the flits of a message are not contiguous on a link");
    }
    last_ = {flit.message, flit.index, t};
    last_size_ = visit.size;
    ++visit.left;
    const std::uint32_t places = places_of_flit(parameters_, visit.lane, visit.size, flit.index);
    buffer.give_back(visit.lane, places);
    link.push_back({t + stages_.link + adapter(), visit.lane, {flit.message, flit.index, 0}, places});
    ++events;
  }
  if (!sending_.empty() && sending_.front().visit->left == sending_.front().visit->size) sending_.pop_front();
}

// Which SLs are active in cycle t, and on which VL the head message of each waits.
EgressView Egress::look(Cycle t, std::array<VirtualLane, kMaxServiceLevels>& lane_of) const {
  EgressView view;
  for (std::uint32_t sl = 0; sl < levels_; ++sl) {
    for (std::uint32_t i = 0; i < lanes_; ++i) {
      const auto v = static_cast<VirtualLane>((after_last_[sl] + i) % lanes_);
      if (queues[v].empty()) continue;
      const Visit& first = *queues[v].front();
      if (first.level != sl || !first.head_is_here(t) ||
          !next_.fits(v, places_of_message(parameters_, v, first.size))) {
        continue;
      }
      view.active |= 1U << sl;
      view.head[sl] = first.size;
      lane_of[sl] = v;
      break;
    }
  }
  return view;
}

bool Egress::decide(Cycle t, std::vector<std::vector<OracleDecision>>& decisions) {
  if (!free_in(t)) return false;
  std::array<VirtualLane, kMaxServiceLevels> lane_of{};
  const EgressView view = look(t, lane_of);
  if (view.active == 0) {
    scheduler_->idle();
    return false;
  }
  const std::optional<ServiceLevel> sl = scheduler_->pick(view);
  if (!sl) return false;
  demand(view.is_active(*sl), t, "the scheduler picks an SL that is not active");
  const VirtualLane v = lane_of[*sl];
  const VisitPtr visit = queues[v].front();
  queues[v].pop_front();
  next_.reserve(v, places_of_message(parameters_, v, visit->size));
  after_last_[*sl] = static_cast<VirtualLane>((v + 1) % lanes_);
  free_from_ = t + visit->size;
  sending_.push_back({visit, t + stages_.output});
  decisions[visit->message].push_back({id_, t});
  scheduler_->sent(*sl, look(t, lane_of));
  return true;
}

// Places of the flits that have not left.
std::uint32_t Egress::left_places(const Visit& visit) const {
  if (visit.left == visit.size) return 0;
  return places_of_message(parameters_, visit.lane, visit.size) - visit.left;
}

void Egress::check(Cycle t, const std::vector<std::int64_t>& receiver,
                   const std::vector<std::int64_t>& promised) const {
  const std::string name = graph_.link_name(id_);
  buffer.check(t, name + ", output buffer");
  next_.check(t, name + ", next input buffer");
  for (VirtualLane v = 0; v < lanes_; ++v) {
    std::int64_t own = promised[v];
    std::int64_t taken = receiver[v];
    for (const VisitPtr& visit : queues[v]) own += left_places(*visit);
    for (const Sending& sending : sending_) {
      if (sending.visit->lane != v) continue;
      own += left_places(*sending.visit);
      taken += left_places(*sending.visit);
    }
    for (const OnLink& on : link) taken += on.lane == v ? on.places : 0;
    for (const Credit& credit : credits) taken += credit.lane == v ? credit.places : 0;
    demand(own == buffer.used(v), t, fmt::format("{}: the count of VL {} is wrong", name, v));
    demand(taken == next_.used(v), t, fmt::format("{}: credits of VL {} are lost or doubled", name, v));
  }
}

std::string Egress::waiting(Cycle t) const {
  std::string text;
  for (VirtualLane v = 0; v < lanes_; ++v) {
    if (queues[v].empty()) continue;
    const Visit& first = *queues[v].front();
    const std::string reason = !first.head_is_here(t) ? "its head flit has not come"
                               : next_.room(v) < places_of_message(parameters_, v, first.size)
                                   ? fmt::format("the next buffer has room for {}", next_.room(v))
                                   : "the scheduler does not pick it";
    text += fmt::format("  {}: VL {}: message {} of SL {} with {} flits: {}\n", graph_.link_name(id_), v, first.message,
                        first.level, first.size, reason);
  }
  return text;
}

}  // namespace weft::packet_oracle
