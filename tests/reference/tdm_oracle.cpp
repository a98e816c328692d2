#include "reference/tdm_oracle.h"

#include <algorithm>

namespace weft::oracle {
namespace {

// Host: the next word of a stream if its slot has come.
struct Sender {
  Stream stream;
  std::size_t message = 0;
  std::uint32_t word = 0;

  std::uint32_t link(Slot slot) const {
    if (stream.links.empty()) return 0;
    const auto at = std::find(stream.slots.begin(), stream.slots.end(), slot);
    return stream.links[static_cast<std::size_t>(at - stream.slots.begin())];
  }

  Cell next(Cycle now, std::uint32_t slots) {
    const auto slot = static_cast<Slot>(now % slots);
    if (now < stream.open_from || message == stream.messages.size()) return std::nullopt;
    if (std::find(stream.slots.begin(), stream.slots.end(), slot) == stream.slots.end()) return std::nullopt;
    if (word == 0 && stream.messages[message].generated > now) return std::nullopt;
    const Word result{stream.circuit, message, word};
    if (++word == stream.messages[message].words) {
      word = 0;
      ++message;
    }
    return result;
  }
};

}  // namespace

RegisterFile::RegisterFile(PortId ports, std::uint32_t slots)
    : in_(ports, std::vector<Cell>(slots)), table_(ports, slots) {}

Cell RegisterFile::read(PortId out, Slot slot) const {
  const SlotTableEntry& entry = table_.at(out, slot);
  if (entry.idle()) return std::nullopt;
  return in_[entry.in_port][entry.in_slot];
}

void RegisterFile::write(PortId in, Slot label, Cell cell) { in_[in][label] = cell; }

Slot label_of(Cycle now, Cycle latency, std::uint32_t slots) {
  const Cycle sent = now - latency;
  const auto s = static_cast<Cycle>(slots);
  return static_cast<Slot>(((sent % s) + s) % s);
}

Result simulate(const Network& network, const std::vector<Stream>& streams, Cycle until) {
  const Graph& graph = *network.graph;
  const std::uint32_t slots = network.slots;
  const Cycle link = network.pipeline + network.serdes;
  std::vector<RegisterFile> switches;
  std::vector<std::vector<DelayLine>> wires(graph.switches());  // behind each output towards a switch
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    switches.emplace_back(graph.ports(sw), slots);
    wires[sw].assign(graph.ports(sw), DelayLine(link));
  }
  std::vector<Sender> senders;
  for (const Stream& s : streams) senders.push_back({s});

  Result result;
  std::size_t next_tables = 0;
  for (Cycle now = 0; now < until; ++now) {
    const auto slot = static_cast<Slot>(now % slots);
    if (next_tables < network.tables.size() && network.tables[next_tables].from == now) {
      for (SwitchId sw = 0; sw < graph.switches(); ++sw) switches[sw].set_table(network.tables[next_tables].tables[sw]);
      ++next_tables;
    }

    // All outputs first: they see the registers as they were before this cycle's writes.
    std::vector<std::vector<Cell>> out(graph.switches());
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
      for (PortId p = 0; p < graph.ports(sw); ++p) {
        const Cell cell = switches[sw].read(p, slot);
        out[sw].push_back(cell);
        if (!cell) continue;
        result.sent.push_back({now, sw, p, *cell});
        if (graph.node_at(sw, p) != kNoId)
          result.received.push_back({now + network.pipeline, graph.node_at(sw, p), *cell});
      }
    }

    // Then every input is written with what arrives on it.
    for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
      for (PortId p = 0; p < graph.ports(sw); ++p) {
        const PortRef peer = graph.peer(sw, p);
        if (peer.sw == kNoId) continue;
        switches[peer.sw].write(peer.port, label_of(now, link, slots), wires[sw][p].shift(out[sw][p]));
      }
    }
    std::vector<std::vector<Cell>> injected(graph.nodes(), std::vector<Cell>(graph.node_links()));
    for (Sender& s : senders) {
      if (const Cell cell = s.next(now, slots)) injected[s.stream.source][s.link(slot)] = cell;
    }
    for (NodeId n = 0; n < graph.nodes(); ++n) {
      const PortRef at = graph.attachment(n);
      for (std::uint32_t i = 0; i < graph.node_links(); ++i) {
        switches[at.sw].write(static_cast<PortId>(at.port + i), slot, injected[n][i]);
      }
    }
  }
  std::sort(result.received.begin(), result.received.end());
  return result;
}

}  // namespace weft::oracle
