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
    : directions_{Direction{TransactionStream(path + ".reads", rows), {}},
                  Direction{TransactionStream(path + ".writes", rows), {}}} {}

void BurstStreams::request(bool write, const Address& a) {
  Direction& d = directions_[write ? 1 : 0];
  d.open[a.id].push_back(
      d.stream.begin(fmt::format("id {} {:#x} {} {} x {} B", a.id, a.address, name_of(a.burst), a.beats, a.bytes)));
}

void BurstStreams::answer(bool write, std::uint32_t id) {
  Direction& d = directions_[write ? 1 : 0];
  const auto at = d.open.find(id);
  if (at == d.open.end() || at->second.empty()) return;
  d.stream.end(at->second.front());
  at->second.pop_front();
}

void PacketStreams::beat(std::uint32_t id, std::uint32_t dest, bool last) {
  auto at = open_.find({id, dest});
  if (at == open_.end()) {
    at = open_.insert({{id, dest}, {stream_.begin(fmt::format("id {} to {}", id, dest)), 0}}).first;
  }
  Open& packet = at->second;
  ++packet.beats;
  stream_.name(packet.row, fmt::format("id {} to {}: {} beat{}", id, dest, packet.beats, packet.beats == 1 ? "" : "s"));
  if (!last) return;
  ended_.push_back(packet.row);
  open_.erase(at);
}

void PacketStreams::edge() {
  for (const std::size_t row : ended_) stream_.end(row);
  ended_.clear();
}

}  // namespace weft::axi
