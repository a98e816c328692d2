#include "algorithms/optweb/faults/link_timeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::optweb {

double frame_error_probability(double bit_error_rate, std::uint64_t bits) {
  return -std::expm1(static_cast<double>(bits) * std::log1p(-bit_error_rate));
}

double goodput_share(const LinkTiming& t) {
  const auto frame =
      static_cast<double>(t.frame) * static_cast<double>(t.rate.cycles) / static_cast<double>(t.rate.words);
  const double q = t.frame_errors;
  const double delay = frame + static_cast<double>(t.turnaround + 2 * t.wire);
  return (1 - q) / (1 - q + q * delay / frame);
}

LinkTimeline::LinkTimeline(const LinkTiming& timing, std::vector<Outage> outages, RandomStream errors)
    : timing_(timing), outages_(std::move(outages)), errors_(errors) {
  if (timing.frame_errors > 0) mean_gap_ = -1 / std::log1p(-timing.frame_errors);
  draw();
  plan();
}

// The whole part of an exponential variable is geometric.
void LinkTimeline::draw() {
  if (mean_gap_ > 0) gap_ = static_cast<std::uint64_t>(std::min(errors_.exponential(mean_gap_), 1e15));
}

// What happens next: the frames behind the last repeat leave the wire without a pause.
void LinkTimeline::plan() {
  next_.reset();
  if (total_ >= kNever) return;
  const Cycle leave = timing_.transmit + timing_.wire + total_;
  const auto frames = [&](std::uint64_t n) { return last_ + timing_.rate.time(n * timing_.frame); };
  const bool errors = mean_gap_ > 0;
  const Cycle bad = errors ? frames(gap_) : kNever;
  const Cycle seen = errors ? frames(gap_ + 1) + leave : kNever;  // it has left the wire
  const Cycle answered = seen + timing_.turnaround + timing_.wire;
  for (; outage_ < outages_.size(); ++outage_) {
    const Outage& o = outages_[outage_];
    if (errors && answered <= o.down) break;
    Cycle begin = last_;
    if (o.down > last_ + leave) begin = frames(timing_.rate.passed(o.down - leave - last_) / timing_.frame);
    if (seen <= o.down) begin = std::min(begin, bad);
    // The first of these frames would have left the wire then.
    const Cycle delay = o.up >= kNever ? kNever : o.up + timing_.wire - (begin + leave);
    if (delay <= 0) continue;  // it is repeated, for another reason, after the link has come back
    next_ = Repeat{begin, std::max(begin, o.down - timing_.transmit - total_), delay, total_, o.down, o.fault};
    return;
  }
  if (!errors || seen >= kNever) return;
  next_ = Repeat{
      bad,         answered - timing_.transmit - total_, answered + timing_.wire - (bad + leave), total_, answered,
      std::nullopt};
}

void LinkTimeline::commit() {
  const Repeat r = *next_;
  const Cycle at = place(r.known);
  if (!windows_.empty() && r.known <= windows_.back().end) {
    windows_.back().end = std::min(kNever, windows_.back().end + r.delay);
  } else {
    windows_.push_back({r.known, std::min(kNever, r.known + r.delay), at});
  }
  repeats_.push_back(r);
  last_ = r.begin;
  total_ = std::min(kNever, total_ + r.delay);
  if (r.fault) ++outage_;
  draw();
  plan();
}

Cycle LinkTimeline::place(Cycle at) const {
  const auto behind =
      std::partition_point(windows_.begin(), windows_.end(), [&](const Window& w) { return w.begin < at; });
  if (behind == windows_.begin()) return at;
  const Window& w = *std::prev(behind);
  return at <= w.end ? w.position : w.position + (at - w.end);
}

Cycle LinkTimeline::position(Cycle at) {
  while (next_ && next_->known < at) commit();
  return place(at);
}

std::optional<LinkTimeline::Stop> LinkTimeline::stop_after(Cycle at) {
  const auto last_may_grow = [&] { return windows_.back().end > at && next_->known <= windows_.back().end; };
  while (next_ && (windows_.empty() || windows_.back().end <= at || last_may_grow())) commit();
  const auto w = std::partition_point(windows_.begin(), windows_.end(), [&](const Window& x) { return x.end <= at; });
  if (w == windows_.end()) return std::nullopt;
  return Stop{w->begin, w->end};
}

Cycle LinkTimeline::open(Cycle at, Cycle cycles) {
  while (at < kNever) {
    const std::optional<Stop> stop = stop_after(at);
    if (!stop || stop->begin >= at + std::max<Cycle>(1, cycles)) return at;
    at = stop->end;
  }
  return kNever;
}

Cycle LinkTimeline::delivered(Cycle sent) {
  if (sent >= kNever) return kNever;
  const Cycle at = position(sent);
  while (next_ && next_->begin < at) commit();
  const auto behind =
      std::partition_point(repeats_.begin(), repeats_.end(), [&](const Repeat& r) { return r.begin < at; });
  if (behind == repeats_.begin()) return at;
  const Repeat& last = *std::prev(behind);
  return std::min(kNever, at + last.before + last.delay);
}

const std::vector<LinkTimeline::Repeat>& LinkTimeline::repeats(Cycle time) {
  while (next_ && next_->known < time) commit();
  return repeats_;
}

const Outage* LinkTimeline::down(Cycle at) const {
  for (const Outage& o : outages_) {
    if (o.down <= at && at < o.up) return &o;
  }
  return nullptr;
}

Cycle LinkTimeline::down_time(Cycle end) const {
  Cycle out = 0;
  for (const Outage& o : outages_) out += std::max<Cycle>(0, std::min(end, o.up) - o.down);
  return out;
}

std::vector<LinkTimeline::Stop> joined(std::vector<LinkTimeline::Stop> stops) {
  std::sort(stops.begin(), stops.end(),
            [](const LinkTimeline::Stop& a, const LinkTimeline::Stop& b) { return a.begin < b.begin; });
  std::vector<LinkTimeline::Stop> out;
  for (const LinkTimeline::Stop& s : stops) {
    if (!out.empty() && s.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, s.end);
    } else {
      out.push_back(s);
    }
  }
  return out;
}

Cycle cycles_between(Cycle from, Cycle to, const std::vector<LinkTimeline::Stop>& stops) {
  Cycle out = to - from;
  const auto first =
      std::partition_point(stops.begin(), stops.end(), [&](const LinkTimeline::Stop& s) { return s.end <= from; });
  for (auto s = first; s != stops.end() && s->begin < to; ++s) out -= std::min(to, s->end) - std::max(from, s->begin);
  return out;
}

template <class Reached>
void StreamTime::look(Reached reached) const {
  while (!over_) {
    const Cycle from = marks_.empty() ? begin_ : marks_.back().stop.end;
    if (from >= kNever) {
      over_ = true;
      return;
    }
    const Cycle run = marks_.empty() ? begin_ : marks_.back().run;
    if (reached(from, run)) return;
    std::optional<LinkTimeline::Stop> first;
    for (LinkTimeline* link : links_) {
      const auto stop = link->stop_after(from);
      if (stop && (!first || stop->begin < first->begin)) first = stop;
    }
    if (!first) {
      over_ = true;
      return;
    }
    const Cycle begin = std::max(first->begin, from);
    if (reached(begin, run + (begin - from))) return;
    if (!marks_.empty() && begin == from) {
      marks_.back().stop.end = first->end;  // another lane stands still from then on
    } else {
      marks_.push_back({{begin, first->end}, run + (begin - from)});
    }
  }
}

Cycle StreamTime::real(Cycle run) const {
  look([&](Cycle, Cycle reached) { return reached >= run; });
  const auto behind = std::partition_point(marks_.begin(), marks_.end(), [&](const Mark& m) { return m.run < run; });
  if (behind == marks_.begin()) return run;
  const Mark& m = *std::prev(behind);
  return std::min(kNever, m.stop.end + (run - m.run));
}

Cycle StreamTime::run(Cycle real) const {
  look([&](Cycle reached, Cycle) { return reached >= real; });
  const auto behind =
      std::partition_point(marks_.begin(), marks_.end(), [&](const Mark& m) { return m.stop.begin < real; });
  if (behind == marks_.begin()) return real;
  const Mark& m = *std::prev(behind);
  return real <= m.stop.end ? m.run : m.run + (real - m.stop.end);
}

std::vector<LinkTimeline::Stop> StreamTime::stops(Cycle before) const {
  look([&](Cycle reached, Cycle) { return reached >= before; });
  std::vector<LinkTimeline::Stop> out;
  for (const Mark& m : marks_) {
    if (m.stop.begin < before) out.push_back(m.stop);
  }
  return out;
}

}  // namespace weft::optweb
