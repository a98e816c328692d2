#include "observe/profile/network_profile.h"

#include <algorithm>
#include <cereal/archives/binary.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#include <utility>

namespace weft {
namespace {

// Numbers of a whole profile, and windows of one; a page shows no more than these.
constexpr std::size_t kMostNumbers = 400'000;
constexpr std::size_t kFewestWindows = 16;
constexpr std::size_t kMostWindows = 512;

Cycle divide_up(Cycle a, Cycle b) { return (a + b - 1) / b; }

template <class Number>
void add_each(std::vector<Number>& into, const std::vector<Number>& more) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] += more[i];
}

}  // namespace

NetworkProfile::NetworkProfile(ProfileShape shape, Window window)
    : shape_(std::move(shape)),
      window_(window),
      width_(std::max<Cycle>(1, shape_.window)),
      most_(std::clamp(kMostNumbers / std::max<std::size_t>(1, shape_.links + shape_.switches + shape_.nodes),
                       kFewestWindows, kMostWindows) /
            2 * 2),
      buffered_before_(shape_.switches),
      queued_before_(shape_.nodes) {}

NetworkProfile::Row NetworkProfile::empty_row() const {
  Row row;
  row.links.resize(shape_.links);
  row.buffers.resize(shape_.switches);
  row.queues.resize(shape_.nodes);
  row.held.resize(shape_.switches);
  return row;
}

// Windows 2k and 2k + 1 become one: what came in the first of them is there for all of the second, too.
void NetworkProfile::halve() {
  const auto join = [&](std::vector<Level>& into, const std::vector<Level>& second) {
    for (std::size_t i = 0; i < into.size(); ++i) {
      into[i].moment += into[i].net * width_ + second[i].moment;
      into[i].net += second[i].net;
    }
  };
  if (rows_.size() % 2 == 1) rows_.push_back(empty_row());
  for (std::size_t k = 0; k < rows_.size() / 2; ++k) {
    Row row = std::move(rows_[2 * k]);
    const Row& second = rows_[2 * k + 1];
    add_each(row.links, second.links);
    add_each(row.held, second.held);
    join(row.buffers, second.buffers);
    join(row.queues, second.queues);
    row.samples += second.samples;
    row.offered += second.offered;
    row.accepted += second.accepted;
    rows_[k] = std::move(row);
  }
  rows_.resize(rows_.size() / 2);
  width_ *= 2;
}

Cycle NetworkProfile::width_at(Cycle tick) const {
  Cycle width = std::max<Cycle>(1, shape_.window);
  while ((tick - window_.first) / width >= static_cast<Cycle>(most_)) width *= 2;
  return width;
}

NetworkProfile::Row& NetworkProfile::at(Cycle tick) {
  while (number_of(tick) >= most_) halve();
  const std::size_t number = number_of(tick);
  while (rows_.size() <= number) rows_.push_back(empty_row());
  return rows_[number];
}

template <class Visit>
void NetworkProfile::each_window(Cycle first, std::uint64_t flits, Cycle stride, Visit&& visit) {
  Cycle tick = first;
  auto left = static_cast<Cycle>(flits);
  if (tick < window_.first) {
    const Cycle before = std::min(left, divide_up(window_.first - tick, stride));
    tick += before * stride;
    left -= before;
  }
  while (left > 0 && tick < window_.last) {
    Row& row = at(tick);
    const Cycle end = std::min(end_of(number_of(tick)), window_.last);
    const Cycle here = std::min(left, divide_up(end - tick, stride));
    visit(row, static_cast<std::uint64_t>(here));
    tick += here * stride;
    left -= here;
  }
}

void NetworkProfile::carry(std::size_t link, Cycle first, std::uint64_t flits, Cycle stride) {
  each_window(first, flits, stride, [&](Row& row, std::uint64_t n) { row.links[link] += n; });
}

void NetworkProfile::take_back(std::size_t link, Cycle first, std::uint64_t flits, Cycle stride) {
  each_window(first, flits, stride, [&](Row& row, std::uint64_t n) { row.links[link] -= n; });
}

void NetworkProfile::carry_evenly(std::size_t link, Cycle first, Cycle last, std::uint64_t flits) {
  const Cycle length = std::max<Cycle>(1, last - first);
  Cycle tick = std::max(first, window_.first);
  const auto until = [&](Cycle t) {  // flits before tick t
    return t >= first + length
               ? flits
               : static_cast<std::uint64_t>(static_cast<double>(flits) *
                                            (static_cast<double>(t - first) / static_cast<double>(length)));
  };
  std::uint64_t so_far = tick > first ? until(tick) : 0;
  while (so_far < flits && tick < window_.last) {
    Row& row = at(tick);
    tick = std::min(end_of(number_of(tick)), window_.last);
    const std::uint64_t now = until(tick);
    row.links[link] += now - so_far;
    so_far = now;
  }
}

void NetworkProfile::change(std::vector<Level> Row::*levels, std::vector<std::int64_t>& before, std::int64_t sign,
                            std::size_t place, Cycle first, std::uint64_t flits) {
  Cycle tick = first;
  auto left = static_cast<Cycle>(flits);
  if (tick < window_.first) {
    const Cycle earlier = std::min(left, window_.first - tick);
    before[place] += sign * earlier;
    tick += earlier;
    left -= earlier;
  }
  while (left > 0 && tick < window_.last) {
    Level& level = (at(tick).*levels)[place];
    const Cycle end = end_of(number_of(tick));
    const Cycle here = std::min({left, end - tick, window_.last - tick});
    level.net += sign * here;
    level.moment += sign * (here * (end - tick) - here * (here - 1) / 2);
    tick += here;
    left -= here;
  }
}

void NetworkProfile::change_queue(std::int64_t sign, NodeId node, Cycle tick, std::uint64_t flits) {
  if (shape_.nodes == 0 || tick >= window_.last) return;
  const std::int64_t change = sign * static_cast<std::int64_t>(flits);
  if (tick < window_.first) {
    queued_before_[node] += change;
    return;
  }
  Level& level = at(tick).queues[node];
  level.net += change;
  level.moment += change * (end_of(number_of(tick)) - tick);
}

void NetworkProfile::on_generate(const TransferRecord& t) {
  if (window_.holds(t.generated)) at(t.generated).offered += t.units;
  change_queue(1, t.from, t.generated, t.units);
}

void NetworkProfile::on_enter(const TransferRecord& t) { change_queue(-1, t.from, t.entered, t.units); }

void NetworkProfile::measure_from(Cycle first) {
  for (const Row& row : rows_) {
    for (std::size_t s = 0; s < buffered_before_.size(); ++s) buffered_before_[s] += row.buffers[s].net;
    for (std::size_t n = 0; n < queued_before_.size(); ++n) queued_before_[n] += row.queues[n].net;
  }
  rows_.clear();
  width_ = std::max<Cycle>(1, shape_.window);
  window_ = {first, Window::kOpen};
}

std::string NetworkProfile::numbers() const {
  std::ostringstream out;
  cereal::BinaryOutputArchive to(out);
  to(width_, rows_, buffered_before_, queued_before_);
  return std::move(out).str();
}

void NetworkProfile::collect(const std::vector<std::string>& states) {
  const Window window = window_;
  measure_from(window.first);
  window_ = window;
  std::fill(buffered_before_.begin(), buffered_before_.end(), 0);
  std::fill(queued_before_.begin(), queued_before_.end(), 0);
  for (const std::string& state : states) {
    std::istringstream in(state);
    cereal::BinaryInputArchive from(in);
    NetworkProfile part(shape_, window_);
    from(part.width_, part.rows_, part.buffered_before_, part.queued_before_);
    add(part);
  }
}

// What one of them has been told ahead may have made its windows longer than those of another one. All sampled their
// switches in the same ticks, so these count once.
void NetworkProfile::add(NetworkProfile& other) {
  while (width_ < other.width_) halve();
  while (other.width_ < width_) other.halve();
  while (rows_.size() < other.rows_.size()) rows_.push_back(empty_row());
  while (other.rows_.size() < rows_.size()) other.rows_.push_back(empty_row());
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    Row& row = rows_[k];
    const Row& more = other.rows_[k];
    add_each(row.links, more.links);
    add_each(row.held, more.held);
    for (const auto levels : {&Row::buffers, &Row::queues}) {
      for (std::size_t i = 0; i < (row.*levels).size(); ++i) {
        (row.*levels)[i].net += (more.*levels)[i].net;
        (row.*levels)[i].moment += (more.*levels)[i].moment;
      }
    }
    row.samples = std::max(row.samples, more.samples);
    row.offered += more.offered;
    row.accepted += more.accepted;
  }
  add_each(buffered_before_, other.buffered_before_);
  add_each(queued_before_, other.queued_before_);
}

// What was told ahead of what lies behind the end, as of a run that was interrupted, counts for the last window, as it
// does in the totals.
void NetworkProfile::close(Cycle now) {
  window_.last = std::clamp(now + 1, window_.first, window_.last);
  if (window_.length() == 0) return rows_.clear();
  at(window_.last - 1);
  const std::size_t count = number_of(window_.last - 1) + 1;
  Row& end = rows_[count - 1];
  for (std::size_t k = count; k < rows_.size(); ++k) {
    for (std::size_t l = 0; l < shape_.links; ++l) end.links[l] += rows_[k].links[l];
  }
  rows_.resize(count);
}

Window NetworkProfile::window(std::size_t number) const {
  return {window_.first + static_cast<Cycle>(number) * width_, std::min(end_of(number), window_.last)};
}

std::vector<std::int64_t> NetworkProfile::sums(std::vector<Level> Row::*levels, std::int64_t level,
                                               std::size_t place) const {
  std::vector<std::int64_t> out;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const Level& change = (rows_[k].*levels)[place];
    const Window w = window(k);
    out.push_back(level * w.length() + change.moment - change.net * (end_of(k) - w.last));
    level += change.net;
  }
  return out;
}

std::vector<double> NetworkProfile::means(const std::vector<std::int64_t>& sums) const {
  std::vector<double> out;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    out.push_back(static_cast<double>(sums[k]) / static_cast<double>(window(k).length()));
  }
  return out;
}

std::vector<double> NetworkProfile::occupancy(SwitchId sw) const {
  if (!sampled()) return means(buffered(sw));
  std::vector<double> out;
  for (const Row& row : rows_) {
    out.push_back(row.samples == 0 ? 0 : static_cast<double>(row.held[sw]) / static_cast<double>(row.samples));
  }
  return out;
}

bool NetworkProfile::sampled() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.samples > 0; });
}

}  // namespace weft
