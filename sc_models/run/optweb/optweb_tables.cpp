#include "run/optweb/optweb_tables.h"

#include <algorithm>

namespace weft {

Table node_table(const OptwebConfig& config, const OptwebNetwork& network) {
  Table t{"nodes", "Nodes", "Words of 256 bits unless configured otherwise.", {}, {}};
  t.columns = {{"node", "1", "number"},
               {"instructions", "1", "completed by its command sequencer, parts counted"},
               {"words_sent", "1", "over its links"},
               {"words_received", "1", "over its links"},
               {"notifications_sent", "1", "over its links"},
               {"words_read", "1", "from its memory"},
               {"words_written", "1", "to its memory"},
               {"busiest_stripe", "1", "words read and written in the memory I/O with most of them"},
               {"user_time", "us", "for which the changeover switch has joined the memory to the user logic"}};
  for (NodeId n = 0; n < network.nodes(); ++n) {
    const OptwebNode& node = network.node(n);
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t notifications = 0;
    std::uint64_t read = 0;
    std::uint64_t written = 0;
    std::uint64_t busiest = 0;
    for (NodeId m = 0; m < network.nodes(); ++m) {
      const LinkIp* link = node.distributed_switch().link(m);
      if (link == nullptr) continue;
      sent += link->words_sent();
      notifications += link->notifications_sent();
      received += node.distributed_switch().words_received(m);
    }
    const MemoryInterfaces& memory = node.memory().interfaces();
    for (std::uint32_t s = 0; s < config.stripes; ++s) {
      const std::uint64_t out = memory.words_read(2 * s) + memory.words_read(2 * s + 1);
      const std::uint64_t in = memory.words_written(2 * s) + memory.words_written(2 * s + 1);
      read += out;
      written += in;
      busiest = std::max(busiest, out + in);
    }
    const auto count = [](std::uint64_t v) { return Value(static_cast<std::int64_t>(v)); };
    t.rows.push_back({std::int64_t{n}, count(node.sequencer().completed()), count(sent), count(received),
                      count(notifications), count(read), count(written), count(busiest),
                      us(node.clock().span(node.changeover().user_cycles()))});
  }
  return t;
}

Table host_table(const OptwebConfig& config, const OptwebStats& stats) {
  Table t{"host", "Accesses of hosts", "What the configuration has under 'host', in that order.", {}, {}};
  t.columns = {{"access", "1", "its place in the configuration"},
               {"node", "1", "whose memory"},
               {"operation", "", "read or write"},
               {"stripe", "1", "in which it begins"},
               {"address", "B", "from the beginning of the stripe"},
               {"size", "B", ""},
               {"at", "us", "asked for"},
               {"opened", "us", "its first word could pass"},
               {"over", "us", "its last word is read, or acknowledged"},
               {"bandwidth", "Gb/s", "size over the time from opened to over"}};
  std::vector<const OptwebHostEvent*> events(config.host.size());
  for (const OptwebHostEvent& e : stats.host()) events[e.number] = &e;
  const auto count = [](std::uint64_t v) { return Value(static_cast<std::int64_t>(v)); };
  for (std::size_t i = 0; i < events.size(); ++i) {
    const OptwebHostAccess& a = config.host[i];
    const std::uint64_t stripe = 2 * config.interface_bytes;
    std::vector<Value> row{count(i),
                           count(a.node),
                           to_string(a.write ? OptwebHostOp::write : OptwebHostOp::read),
                           count(a.address / stripe),
                           count(a.address % stripe),
                           count(a.bytes),
                           us(a.at.ps)};
    if (const OptwebHostEvent* e = events[i]) {
      row.emplace_back(us(e->opened));
      row.emplace_back(us(e->over));
      row.emplace_back(gbps(a.bytes, e->over - e->opened));
    }
    row.resize(t.columns.size());
    t.rows.push_back(std::move(row));
  }
  return t;
}

}  // namespace weft
