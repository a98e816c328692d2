#include "support/axi_stream_agents.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace weft::test {

using axi::StreamPins;

StreamTraffic::StreamTraffic(const StreamPlan& plan, StreamBooks& books, std::uint64_t seed)
    : plan_(plan), books_(books), random_(seed, fmt::format("transmitter of {}", plan.first_id)) {}

const StreamPins& StreamTraffic::clock(bool ready) {
  if (out_.valid && ready) out_.valid = false;
  if (!out_.valid && random_.below(8) >= plan_.pause) next();
  return out_;
}

const StreamPins& StreamTraffic::reset() {
  if (out_.valid && out_.last) {  // this beat has not been taken
    books_.expected.at({out_.id, out_.dest}).back().cut = true;
    --books_.sent;
  }
  for (auto& [id, packet] : open_) books_.expected[{id, packet.dest}].push_back({std::move(packet.bytes), true});
  open_.clear();
  return out_ = {};
}

// A beat of a packet that is open, or of a new one.
void StreamTraffic::next() {
  const bool more = made_ < plan_.packets && open_.size() < plan_.ids;
  if (more && (open_.empty() || random_.below(4) == 0)) {
    std::uint32_t id = plan_.first_id + static_cast<std::uint32_t>(random_.below(plan_.ids));
    while (open_.count(id) > 0) id = plan_.first_id + (id + 1 - plan_.first_id) % plan_.ids;
    open_[id] = {static_cast<std::uint32_t>(random_.below(plan_.dests)),
                 static_cast<std::uint32_t>(1 + random_.below(plan_.beats)),
                 {}};
    ++made_;
  }
  if (open_.empty()) return;
  const auto at = std::next(open_.begin(), static_cast<std::ptrdiff_t>(random_.below(open_.size())));
  Packet& packet = at->second;
  out_ = {true,
          std::vector<unsigned char>(plan_.bus),
          std::vector<bool>(plan_.bus),
          std::vector<bool>(plan_.bus),
          --packet.beats == 0,
          at->first,
          packet.dest};
  const std::uint64_t kind = random_.below(8);  // full beats, most of them; none of the bytes; some
  for (std::uint32_t i = 0; i < plan_.bus; ++i) {
    out_.bytes[i] = static_cast<unsigned char>(random_());
    out_.keep[i] = kind > 1 || (kind == 1 && random_.below(2) == 0);
    out_.strobes[i] = out_.keep[i] && (kind > 2 || random_.below(4) > 0);
    if (out_.keep[i]) packet.bytes.push_back(out_.strobes[i] ? out_.bytes[i] : -1);
  }
  if (packet.beats > 0) return;
  ++books_.sent;
  books_.empty += packet.bytes.empty() ? 1 : 0;
  books_.expected[{at->first, packet.dest}].push_back({std::move(packet.bytes)});
  open_.erase(at);
}

StreamSink::StreamSink(std::uint32_t dest, std::uint32_t pause, StreamBooks& books, std::uint64_t seed)
    : dest_(dest), pause_(pause), books_(books), random_(seed, fmt::format("receiver {}", dest)) {}

void StreamSink::say(std::uint32_t id, const std::string& what) {
  if (books_.wrong.empty()) books_.wrong = fmt::format("receiver {}, TID {}: {}", dest_, id, what);
}

// With resets packets may be missing; those that arrive keep the order of their stream.
void StreamSink::arrive(std::uint32_t id, const StreamBytes& bytes) {
  auto& expected = books_.expected[{id, dest_}];
  const auto fits = [&](const StreamRecord& record) {
    if (!record.cut) return record.bytes == bytes;
    return !bytes.empty() && bytes.size() % books_.piece == 0 && bytes.size() <= record.bytes.size() &&
           std::equal(bytes.begin(), bytes.end(), record.bytes.begin());
  };
  while (books_.piece > 0 && !expected.empty() && !fits(expected.front())) {
    books_.missing += expected.front().cut ? 0 : 1;
    expected.pop_front();
  }
  if (expected.empty()) {
    say(id, "a packet that nobody has sent");
  } else {
    if (!fits(expected.front())) say(id, fmt::format("packet {} has other bytes", books_.arrived));
    books_.cut += expected.front().cut ? 1 : 0;
    expected.pop_front();
  }
  ++books_.arrived;
}

bool StreamSink::reset() {
  open_.clear();
  return ready_ = false;
}

bool StreamSink::clock(const StreamPins& in) {
  if (in.valid && ready_) {
    StreamBytes& bytes = open_[in.id];
    for (std::size_t i = 0; i < in.bytes.size(); ++i) {
      if (in.keep[i]) bytes.push_back(in.strobes[i] ? in.bytes[i] : -1);
    }
    if (in.dest != dest_) say(in.id, fmt::format("a beat for {}", in.dest));
    if (in.last) {
      arrive(in.id, bytes);
      open_.erase(in.id);
    }
  }
  return ready_ = random_.below(8) >= pause_;
}

}  // namespace weft::test
