#include "run/waves/transfer_streams.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

TransferStreams::TransferStreams(const std::string& root, const WaveTransfers& transfers, const TrafficConfig& traffic,
                                 std::uint32_t nodes)
    : stream_of_(nodes, kUnwatched) {
  for (const ServiceConfig& s : traffic.services) {
    const auto named = [&](const WaveTransfers::Level& l) { return l.name == s.name; };
    const bool shown = transfers.levels.empty() || std::any_of(transfers.levels.begin(), transfers.levels.end(), named);
    names_.push_back(shown ? s.name : std::string());
  }
  const auto add = [&](NodeId n) {
    if (stream_of_[n] != kUnwatched) return;
    stream_of_[n] = streams_.size();
    streams_.emplace_back(fmt::format("{}transfers.node[{}]", root, n), transfers.rows);
  };
  for (const WaveTransfers::Node& n : transfers.nodes) add(n.node);
  for (NodeId n = 0; transfers.nodes.empty() && n < nodes; ++n) add(n);
}

std::string TransferStreams::text_of(const TransferRecord& t, std::uint32_t others) const {
  const std::string to = others == 0 ? std::to_string(t.to) : fmt::format("{} and {} more", t.to, others);
  return text_ ? text_(t, to) : fmt::format("#{} to {} {} {} B", t.id, to, names_[t.service], t.bytes);
}

// A multicast is told once for each of its destinations.
void TransferStreams::on_generate(const TransferRecord& transfer) {
  const std::size_t stream = stream_of_[transfer.from];
  if (stream == kUnwatched || names_[transfer.service].empty()) return;
  const auto [at, fresh] = open_.try_emplace(transfer.id);
  Open& open = at->second;
  if (fresh) {
    open = {stream, streams_[stream].begin(text_of(transfer, 0)), transfer.to, 1};
    return;
  }
  TransferRecord first = transfer;
  first.to = open.to;
  streams_[stream].name(open.row, text_of(first, open.missing++));
}

void TransferStreams::finish(std::uint64_t id) {
  const auto at = open_.find(id);
  if (at == open_.end() || --at->second.missing > 0) return;
  streams_[at->second.stream].end(at->second.row);
  open_.erase(at);
}

}  // namespace weft
