#include "workload/axi/axi_checker.h"

#include <fmt/format.h>

namespace weft::axi {
namespace {

std::string of(const Address& a) { return fmt::format("ID {} at {:#x}", a.id, a.address); }

std::string of(const Address& a, std::uint32_t beat) {
  return fmt::format("{}, beat {} of {}", of(a), beat + 1, a.beats);
}

// A channel that waits for READY: it must still be valid, and the same.
std::string unstable(const char* channel, bool valid, const std::string& what) {
  return valid ? fmt::format("{0} changes before {0}READY ({1})", channel, what)
               : fmt::format("{0}VALID is withdrawn before {0}READY ({1})", channel, what);
}

const char* set_or_missing(bool last) { return last ? "set" : "missing"; }

}  // namespace

std::size_t Checker::open() const {
  std::size_t out = w_.size();
  for (const auto& [id, writes] : writes_) out += writes.open.size() + writes.answered;
  for (const auto& [id, list] : reads_) out += list.size();
  return out;
}

void Checker::reset() {
  count_edge();
  waits_ = {};
  b_ = r_ = Answer::none;
  aw_.clear();
  w_.clear();
  w_beats_ = 0;
  writes_.clear();
  reads_.clear();
  within_ = false;
}

void Checker::clock(const ManagerPins& m, const SubordinatePins& s) {
  count_edge();
  check_stable(m, s);
  const std::array<bool, 5> waited = waits_;
  waits_ = {m.aw_valid && !s.aw_ready, m.w_valid && !s.w_ready, s.b_valid && !m.b_ready, m.ar_valid && !s.ar_ready,
            s.r_valid && !m.r_ready};
  if (waits_[0] || waits_[1] || waits_[3]) m_ = m;
  if (waits_[2] || waits_[4]) s_ = s;
  // Answers first: they belong to what was there before this edge.
  b_ = r_ = Answer::none;
  if (s.b_valid) check_b(s, waited[2], m.b_ready);
  if (s.r_valid) check_r(s, waited[4], m.r_ready);
  if (m.aw_valid && s.aw_ready) {
    const std::string rule = violation(m.aw, bus_);
    if (!rule.empty()) violated(fmt::format("AW with {}: {}", of(m.aw), rule));
    aw_.push_back(m.aw);
    writes_[m.aw.id].open.push_back(m.aw);
  }
  if (m.w_valid && s.w_ready) w_.push_back({m.w_last, m.w.strobes});
  while (!aw_.empty() && !w_.empty()) {
    take_w(w_.front());
    w_.pop_front();
  }
  if (m.ar_valid && s.ar_ready) {
    const std::string rule = violation(m.ar, bus_);
    if (!rule.empty()) violated(fmt::format("AR with {}: {}", of(m.ar), rule));
    reads_[m.ar.id].push_back({m.ar});
  }
}

void Checker::check_stable(const ManagerPins& m, const SubordinatePins& s) {
  if (waits_[0] && !(m.aw_valid && m.aw == m_.aw)) violated(unstable("AW", m.aw_valid, of(m_.aw)));
  if (waits_[1] && !(m.w_valid && m.w == m_.w && m.w_last == m_.w_last)) {
    violated(unstable("W", m.w_valid, burst_of_w()));
  }
  if (waits_[2] && !(s.b_valid && s.b_id == s_.b_id && s.b == s_.b)) {
    violated(unstable("B", s.b_valid, fmt::format("ID {}", s_.b_id)));
  }
  if (waits_[3] && !(m.ar_valid && m.ar == m_.ar)) violated(unstable("AR", m.ar_valid, of(m_.ar)));
  const bool same = s.r_valid && s.r_id == s_.r_id && s.r == s_.r && s.r_bytes == s_.r_bytes && s.r_last == s_.r_last;
  if (waits_[4] && !same) violated(unstable("R", s.r_valid, burst_of_r(s_.r_id)));
}

std::string Checker::burst_of_w() const {
  return aw_.empty() ? fmt::format("beat {} before its AW", w_.size() + 1) : of(aw_.front(), w_beats_);
}

std::string Checker::burst_of_r(std::uint32_t id) const {
  const auto it = reads_.find(id);
  if (it == reads_.end() || it->second.empty()) return fmt::format("ID {}", id);
  return of(it->second.front().address, it->second.front().beats);
}

// `seen`: at the edge before already.
void Checker::check_b(const SubordinatePins& s, bool seen, bool taken) {
  Writes& w = writes_[s.b_id];
  b_ = w.open.empty() ? Answer::unasked : w.complete == 0 ? Answer::early : Answer::due;
  if (!seen && b_ == Answer::unasked) violated(fmt::format("B with ID {}, of which no write is under way", s.b_id));
  if (!seen && b_ == Answer::early) {
    violated(fmt::format("B before the last W of its burst is taken ({})", of(w.open.front())));
  }
  if (!taken) return;
  ++bursts;
  if (b_ == Answer::unasked) return;
  w.open.pop_front();
  if (b_ == Answer::early) {
    ++w.answered;
  } else {
    --w.complete;
  }
}

void Checker::check_r(const SubordinatePins& s, bool seen, bool taken) {
  auto& list = reads_[s.r_id];
  r_ = list.empty() ? Answer::unasked : Answer::due;
  if (list.empty()) {
    if (!seen) violated(fmt::format("R with ID {}, of which no read is under way", s.r_id));
    return;
  }
  Read& read = list.front();
  const bool last = read.beats + 1 == read.address.beats;
  if (!seen && last != s.r_last) {
    violated(fmt::format("RLAST is {} ({})", set_or_missing(s.r_last), burst_of_r(s.r_id)));
  }
  if (!taken) return;
  ++read.beats;
  interleaved += within_ && last_r_ != s.r_id ? 1 : 0;
  last_r_ = s.r_id;
  within_ = !last;
  if (!last) return;
  list.pop_front();
  ++bursts;
}

void Checker::take_w(const WriteBeat& w) {
  const Address& a = aw_.front();
  const bool is_last = w_beats_ + 1 == a.beats;
  if (w.last != is_last) violated(fmt::format("WLAST is {} ({})", set_or_missing(w.last), of(a, w_beats_)));
  if (violation(a, bus_).empty()) {  // otherwise nobody knows which bytes a beat has
    const Beat b = beat(a, w_beats_, bus_);
    const std::uint32_t stray = stray_lane(b, w.strobes);
    if (stray < w.strobes.size()) {
      violated(fmt::format("WSTRB of lane {} is set, the beat has lanes {} to {} ({})", stray, b.lane,
                           b.lane + b.bytes - 1, of(a, w_beats_)));
    }
  }
  ++w_beats_;
  if (!is_last) return;
  Writes& writes = writes_[a.id];
  if (writes.answered > 0) {
    --writes.answered;
  } else {
    ++writes.complete;
  }
  aw_.pop_front();
  w_beats_ = 0;
}

}  // namespace weft::axi
