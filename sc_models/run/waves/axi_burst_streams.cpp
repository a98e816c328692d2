#include "run/waves/axi_burst_streams.h"

#include <fmt/format.h>

namespace weft::axi {
namespace {

const char* name_of(Burst burst) {
  switch (burst) {
    case Burst::fixed:
      return "FIXED";
    case Burst::incr:
      return "INCR";
    case Burst::wrap:
      return "WRAP";
  }
  return "reserved";
}

}  // namespace

BurstStreams::BurstStreams(const std::string& path, std::uint32_t rows)
    : directions_{Direction{TransactionStream(path + ".reads", rows), {}, {}},
                  Direction{TransactionStream(path + ".writes", rows), {}, {}}} {}

void BurstStreams::expect(bool write, const std::optional<Address>& address) {
  Direction& d = directions_[write ? 1 : 0];
  if (d.expected == address) return;
  if (d.expected) {
    auto& rows = d.open[d.expected->id];
    d.stream.end(rows.back());
    rows.pop_back();
  }
  d.expected = address;
  if (!address) return;
  d.open[address->id].push_back(d.stream.begin(fmt::format("id {} {:#x} {} {} x {} B", address->id, address->address,
                                                           name_of(address->burst), address->beats, address->bytes)));
}

void BurstStreams::request(bool write, const std::optional<Address>& address) {
  expect(write, address);
  directions_[write ? 1 : 0].expected.reset();
}

void BurstStreams::answer(bool write, std::uint32_t id) {
  Direction& d = directions_[write ? 1 : 0];
  const auto at = d.open.find(id);
  if (at == d.open.end() || at->second.empty()) return;
  d.stream.end(at->second.front());
  at->second.pop_front();
}

void BurstStreams::reset() {
  for (Direction& d : directions_) {
    for (const auto& [id, rows] : d.open) {
      for (const std::size_t row : rows) d.stream.end(row);
    }
    d.open.clear();
    d.expected.reset();
  }
}

void PacketStreams::show(const Stream& stream, const Open& packet) {
  stream_.name(packet.row, fmt::format("id {} to {}: {} beat{}", stream.first, stream.second, packet.beats,
                                       packet.beats == 1 ? "" : "s"));
}

void PacketStreams::add(const Beat& beat) {
  const Stream stream{beat.id, beat.dest};
  auto at = open_.find(stream);
  if (at == open_.end()) {
    at = open_.insert({stream, {stream_.begin(fmt::format("id {} to {}", beat.id, beat.dest)), 0}}).first;
  }
  ++at->second.beats;
  show(stream, at->second);
}

void PacketStreams::expect(const std::optional<Beat>& beat) {
  if (expected_) {
    const auto at = open_.find({expected_->id, expected_->dest});
    if (--at->second.beats > 0) {
      show(at->first, at->second);
    } else {
      stream_.end(at->second.row);
      open_.erase(at);
    }
  }
  expected_ = beat;
  if (beat) add(*beat);
}

void PacketStreams::edge(const std::optional<Beat>& beat) {
  for (const std::size_t row : ended_) stream_.end(row);
  ended_.clear();
  const bool seen = beat && expected_ == beat;
  if (!seen) expect(beat);
  expected_.reset();
  if (!beat || !beat->last) return;
  const auto at = open_.find({beat->id, beat->dest});
  if (seen) {
    stream_.end(at->second.row);
  } else {
    ended_.push_back(at->second.row);
  }
  open_.erase(at);
}

void PacketStreams::reset() {
  for (const std::size_t row : ended_) stream_.end(row);
  for (const auto& [stream, packet] : open_) stream_.end(packet.row);
  ended_.clear();
  open_.clear();
  expected_.reset();
}

}  // namespace weft::axi
