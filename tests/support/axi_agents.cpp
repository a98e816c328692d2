#include "support/axi_agents.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::test {

using axi::Address;
using axi::Beat;
using axi::Burst;
using axi::ManagerPins;
using axi::Response;
using axi::SubordinatePins;

AxiTraffic::AxiTraffic(const AxiPlan& plan, std::uint64_t seed)
    : plan_(plan), random_(seed, fmt::format("manager at {:#x}", plan.base)) {}

// Within the bytes of an ID, which are a multiple of every burst that wraps in them.
Address AxiTraffic::address(std::uint64_t part) {
  for (;;) {
    Address a;
    a.burst = static_cast<Burst>(random_.below(3));
    a.bytes = 1;
    while (a.bytes < plan_.bus && random_.below(3) > 0) a.bytes *= 2;
    a.beats = static_cast<std::uint32_t>(1 + random_.below(12));
    if (a.burst == Burst::wrap) a.beats = 2U << random_.below(3);
    a.address = part + random_.below(plan_.part);
    if (a.burst == Burst::wrap) a.address -= a.address % a.bytes;
    const axi::Range range = axi::range_of(a, plan_.bus);
    if (axi::violation(a, plan_.bus).empty() && range.address >= part &&
        range.address + range.length <= part + plan_.part) {
      return a;
    }
  }
}

void AxiTraffic::make() {
  const auto id = static_cast<std::uint32_t>(random_.below(plan_.ids));
  const bool write = random_.below(2) == 0;
  const auto other = open_[!write].find(id);
  if (other != open_[!write].end() && !other->second.empty()) return;  // until those are answered
  Access access;
  access.error = plan_.nobody != 0 && random_.below(16) == 0;
  const std::uint64_t memory = random_.below(plan_.memories);
  access.address = address(access.error ? plan_.nobody : part_of(memory, id));
  access.address.id = id;
  access.number = made_++;
  for (std::uint32_t n = 0; n < access.address.beats; ++n) {
    const Beat b = axi::beat(access.address, n, plan_.bus);
    axi::Data d{std::vector<unsigned char>(plan_.bus), std::vector<bool>(plan_.bus)};
    std::vector<bool> unknown(plan_.bus);
    for (std::uint32_t i = 0; i < b.bytes; ++i) {
      const auto cell = access.error ? contents_.end() : contents_.find(b.address + i);
      d.bytes[b.lane + i] = cell == contents_.end() ? 0 : cell->second;
      unknown[b.lane + i] = !access.error && cell == contents_.end() && unsure_.contains(id);
      if (!write || random_.below(8) == 0) continue;
      d.strobes[b.lane + i] = true;
      d.bytes[b.lane + i] = static_cast<unsigned char>(random_());
      if (!access.error) contents_[b.address + i] = d.bytes[b.lane + i];
    }
    if (write) {
      data_.emplace_back(d, n + 1 == access.address.beats);
    } else {
      access.expected.push_back({d.bytes, unknown});
    }
  }
  addresses_[write].push_back(access.address);
  all_open_[access.number] = true;
  open_[write][id].push_back(std::move(access));
}

// Nothing is known of the ID's bytes, until it writes them again.
void AxiTraffic::forget(std::uint32_t id) {
  unsure_.insert(id);
  for (std::uint64_t m = 0; m < plan_.memories; ++m) {
    contents_.erase(contents_.lower_bound(part_of(m, id)), contents_.lower_bound(part_of(m, id) + plan_.part));
  }
}

const ManagerPins& AxiTraffic::reset() {
  if (!in_reset_) plan_.base += plan_.next;
  in_reset_ = true;
  forgotten += all_open_.size();
  all_open_.clear();
  for (const bool write : {false, true}) {
    open_[write].clear();
    addresses_[write].clear();
  }
  data_.clear();
  contents_.clear();
  unsure_.clear();
  return out_ = {};
}

void AxiTraffic::take(bool write, std::uint32_t id, Response response, const std::vector<unsigned char>* bytes,
                      bool last) {
  const auto say = [&](const std::string& what) {
    if (wrong.empty()) wrong = fmt::format("manager at {:#x}, ID {}: {}", plan_.base, id, what);
  };
  auto& list = open_[write][id];
  if (list.empty()) return say("an answer without a burst");
  Access& access = list.front();
  const bool fails = plan_.may_fail && response == Response::slverr;
  if (!fails && response != (access.error ? Response::decerr : Response::okay)) {
    say(fmt::format("response {} of burst {}", static_cast<int>(response), access.number));
  }
  if (bytes != nullptr) {
    if (access.expected.empty()) return say(fmt::format("burst {} has too many beats", access.number));
    const ReadBeat& expected = access.expected.front();
    for (std::size_t i = 0; i < bytes->size() && !fails; ++i) {
      if (expected.unknown[i] || (*bytes)[i] == expected.bytes[i]) continue;
      say(fmt::format("burst {} reads what it has not written", access.number));
      break;
    }
    access.expected.pop_front();
  }
  if (!last) return;
  if (!access.expected.empty()) say(fmt::format("burst {} has too few beats", access.number));
  if (fails && write) forget(id);
  failed += fails ? 1 : 0;
  errors += access.error ? 1 : 0;
  if (all_open_.begin()->first != access.number) ++overtaken;
  all_open_.erase(access.number);
  list.pop_front();
  ++answered;
}

const ManagerPins& AxiTraffic::clock(const SubordinatePins& in) {
  in_reset_ = false;
  if (out_.aw_valid && in.aw_ready) out_.aw_valid = false;
  if (out_.w_valid && in.w_ready) out_.w_valid = false;
  if (out_.ar_valid && in.ar_ready) out_.ar_valid = false;
  if (out_.b_ready && in.b_valid) take(true, in.b_id, in.b, nullptr, true);
  if (out_.r_ready && in.r_valid) take(false, in.r_id, in.r, &in.r_bytes, in.r_last);
  if (made_ < plan_.bursts && wait_-- == 0) {
    make();
    wait_ = static_cast<std::uint32_t>(random_.below(plan_.pause + 1));
  }
  for (const bool write : {false, true}) {
    bool& valid = write ? out_.aw_valid : out_.ar_valid;
    if (valid || addresses_[write].empty() || random_.below(4) == 0) continue;
    valid = true;
    (write ? out_.aw : out_.ar) = addresses_[write].front();
    addresses_[write].pop_front();
  }
  if (!out_.w_valid && !data_.empty() && random_.below(4) > 0) {
    out_.w_valid = true;
    out_.w = data_.front().first;
    out_.w_last = data_.front().second;
    data_.pop_front();
  }
  out_.b_ready = random_.below(3) > 0;
  out_.r_ready = random_.below(3) > 0;
  return out_;
}

AxiMemory::AxiMemory(std::uint32_t bus, std::uint32_t bytes, std::uint64_t seed)
    : bus_(bus), bytes_(bytes), random_(seed, "AXI memory") {}

const SubordinatePins& AxiMemory::reset() {
  aw_.clear();
  w_.clear();
  beats_ = 0;
  b_.clear();
  r_.clear();
  return out_ = {};
}

const SubordinatePins& AxiMemory::clock(const ManagerPins& in) {
  if (out_.b_valid && in.b_ready) out_.b_valid = false;
  if (out_.r_valid && in.r_ready) out_.r_valid = false;
  if (out_.aw_ready && in.aw_valid) aw_.push_back(in.aw);
  if (out_.w_ready && in.w_valid) w_.push_back(in.w);
  if (out_.ar_ready && in.ar_valid) r_[in.ar.id].push_back({in.ar});
  while (!aw_.empty() && !w_.empty()) {
    const Beat b = axi::beat(aw_.front(), beats_, bus_);
    for (std::uint32_t i = 0; i < b.bytes; ++i) {
      if (w_.front().strobes[b.lane + i]) bytes_.at(b.address + i) = w_.front().bytes[b.lane + i];
    }
    w_.pop_front();
    if (++beats_ < aw_.front().beats) continue;
    ++b_[aw_.front().id];
    aw_.pop_front();
    beats_ = 0;
  }
  const auto any = [&](auto& map) {
    auto it = map.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(random_.below(map.size())));
    return it;
  };
  if (!out_.b_valid && !b_.empty() && random_.below(4) == 0) {
    const auto it = any(b_);
    out_.b_valid = true;
    out_.b_id = it->first;
    out_.b = Response::okay;
    if (--it->second == 0) b_.erase(it);
  }
  if (!out_.r_valid && !r_.empty() && random_.below(2) == 0) {
    const auto it = any(r_);
    Read& read = it->second.front();
    const Beat b = axi::beat(read.address, read.beat, bus_);
    out_.r_valid = true;
    out_.r_id = it->first;
    out_.r = Response::okay;
    out_.r_bytes.assign(bus_, 0xee);
    for (std::uint32_t i = 0; i < b.bytes; ++i) out_.r_bytes[b.lane + i] = bytes_.at(b.address + i);
    out_.r_last = ++read.beat == read.address.beats;
    if (out_.r_last) it->second.pop_front();
    if (it->second.empty()) r_.erase(it);
  }
  out_.aw_ready = aw_.size() < 4 && random_.below(3) > 0;
  out_.w_ready = w_.size() < 4 && random_.below(3) > 0;
  out_.ar_ready = r_.size() < 6 && random_.below(3) > 0;
  return out_;
}

}  // namespace weft::test
