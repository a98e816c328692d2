#include "run/optweb/optweb_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "observe/columns.h"
#include "observe/vocabulary.h"
#include "parallel/gather.h"

namespace weft {
namespace {

constexpr const char* kKinds[] = {"eager", "rendezvous"};

// Words of all transfers over the time of the run.
ServiceLoad load_of(const OptwebConfig& config, std::uint64_t words, Picoseconds end) {
  if (end <= 0) return {};
  const auto count = static_cast<double>(words);
  const auto time = static_cast<double>(end);
  return {count * static_cast<double>(config.period.ps) / (time * config.nodes),
          count * static_cast<double>(config.word_bytes) * 8e3 / time};
}

}  // namespace

double words_per_second(const OptwebConfig& config) {
  return static_cast<double>(config.link.rate.bits_per_s) / (static_cast<double>(config.word_bytes) * 8);
}

std::vector<ServiceFigures> transfer_services(const OptwebConfig& config, const OptwebStats& stats, Picoseconds end) {
  std::vector<ServiceFigures> out;
  for (const bool rendezvous : {false, true}) {
    const OptwebTransfers& t = stats.transfers(rendezvous);
    if (t.latency.messages() == 0) continue;
    out.push_back(
        {kKinds[rendezvous ? 1 : 0], std::nullopt, load_of(config, t.words, end), t.latency.figures(Duration{1})});
  }
  return out;
}

ServiceFigures all_transfers(const OptwebConfig& config, const OptwebStats& stats, Picoseconds end) {
  MessageLatency latency = stats.transfers(false).latency;
  latency.add(stats.transfers(true).latency);
  return {"", std::nullopt, load_of(config, stats.transfers(false).words + stats.transfers(true).words, end),
          latency.figures(Duration{1})};
}

Table transfer_histogram(const OptwebStats& stats) {
  std::vector<ServiceHistogram> services;
  for (const bool rendezvous : {false, true}) {
    services.push_back({kKinds[rendezvous ? 1 : 0], stats.transfers(rendezvous).latency.histogram().values()});
  }
  return histogram_table(services, Duration{1});
}

Table link_table(const OptwebConfig& config, const OptwebNetwork& network, Picoseconds end) {
  struct Row {
    NodeId from = 0;
    NodeId to = 0;
    std::uint64_t words = 0;
    std::uint64_t sent = 0;      // most in its transmit FIFO
    std::uint64_t received = 0;  // and in its receive FIFO
  };
  std::vector<Row> rows;
  for (NodeId from = 0; from < network.nodes(); ++from) {
    for (NodeId to = 0; network.has_node(from) && to < network.nodes(); ++to) {
      const LinkIp* const link = network.node(from).distributed_switch().link(to);
      if (link == nullptr || link->words_sent() == 0) continue;
      const std::uint64_t filled = config.has_fifos() ? network.node(from).distributed_switch().most_fifo_words(to) : 0;
      // The end that receives is here, even where the node is on another rank.
      rows.push_back({from, to, link->words_passed(), filled, network.link_end(to, from)->most_received()});
    }
  }
  rows = gather_rows(network.ranks(), std::move(rows));
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  const double word_ps =
      static_cast<double>(config.word_bytes) * 8e12 / static_cast<double>(config.link.rate.bits_per_s);
  Columns<Row> columns{
      {vocabulary::kLink, [](const Row& r) { return fmt::format("node[{}] -> node[{}]", r.from, r.to); }},
      {{"words", "1", "words that it carried"}, &Row::words},
      {vocabulary::refined(vocabulary::kUtilization, "the time of the run"), [&](const Row& r) {
         return end <= 0 ? Value{} : Value{100 * static_cast<double>(r.words) * word_ps / static_cast<double>(end)};
       }}};
  if (config.has_fifos()) {
    columns.push_back({{"transmit_fifo", "1", "most words in the FIFO of the sending IP at a time"}, &Row::sent});
    columns.push_back({{"receive_fifo", "1", "the same of the receiving IP"}, &Row::received});
  }
  Table t = make_table({"links", "Links", "Every directed link that carried something."}, columns, rows);
  t.bars = bars_of(t, vocabulary::kUtilization.key);
  return t;
}

Table node_table(const OptwebConfig& config, const OptwebNetwork& network) {
  struct Row {
    NodeId node = 0;
    std::uint64_t instructions = 0;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t notifications = 0;
    std::uint64_t read = 0;
    std::uint64_t written = 0;
    std::uint64_t busiest = 0;
    Picoseconds user_time = 0;
  };
  std::vector<Row> rows;
  for (NodeId n = 0; n < network.nodes(); ++n) {
    if (!network.has_node(n)) continue;
    const OptwebNode& node = network.node(n);
    Row& row = rows.emplace_back();
    row.node = n;
    row.instructions = node.sequencer().completed();
    row.user_time = node.clock().span(node.changeover().user_cycles());
    for (NodeId m = 0; m < network.nodes(); ++m) {
      const LinkIp* link = node.distributed_switch().link(m);
      if (link == nullptr) continue;
      row.sent += link->words_passed();
      row.notifications += link->notifications_sent();
      row.received += node.distributed_switch().words_received(m);
    }
    const MemoryInterfaces& memory = node.memory().interfaces();
    for (std::uint32_t s = 0; s < config.stripes; ++s) {
      const std::uint64_t out = memory.words_read(2 * s) + memory.words_read(2 * s + 1);
      const std::uint64_t in = memory.words_written(2 * s) + memory.words_written(2 * s + 1);
      row.read += out;
      row.written += in;
      row.busiest = std::max(row.busiest, out + in);
    }
  }
  rows = gather_rows(network.ranks(), std::move(rows));
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.node < b.node; });
  const Columns<Row> columns{
      {{"node", "1", "number"}, &Row::node},
      {{"instructions", "1", "completed by its command sequencer, parts counted"}, &Row::instructions},
      {{"words_sent", "1", "over its links"}, &Row::sent},
      {{"words_received", "1", "over its links"}, &Row::received},
      {{"notifications_sent", "1", "over its links"}, &Row::notifications},
      {{"words_read", "1", "from its memory"}, &Row::read},
      {{"words_written", "1", "to its memory"}, &Row::written},
      {{"busiest_stripe", "1", "words read and written in the memory I/O with most of them"}, &Row::busiest},
      {{"user_time", "ns", "for which the changeover switch has joined the memory to the user logic"},
       [](const Row& r) { return ns(r.user_time); }}};
  return make_table({"nodes", "Nodes", "Words of 256 bits unless configured otherwise."}, columns, rows);
}

Table memory_table(const OptwebConfig& config, const OptwebNetwork& network, Picoseconds end) {
  struct Row {
    NodeId node = 0;
    std::uint32_t interface = 0;
    dram::Counters bursts;
    std::array<dram::Time, dram::kPorts> waited{};
    double busy = 0;
  };
  std::vector<Row> rows;
  for (NodeId n = 0; n < network.nodes(); ++n) {
    const OptwebNode& node = network.node(n);
    const Cycle at = node.clock().at_or_after(end);
    for (std::uint32_t i = 0; i < 2 * config.stripes; ++i) {
      const dram::MemoryPorts* const ports = node.memory().controllers().stripe(i / 2);
      if (ports == nullptr) continue;
      const dram::Counters bursts = ports->channel(i % 2, at);
      if (bursts.reads + bursts.writes == 0) continue;
      Row& row = rows.emplace_back(Row{n, i, bursts, {}, 0});
      for (std::size_t p = 0; p < dram::kPorts; ++p) {
        row.waited[p] = ports->port(i % 2, static_cast<dram::Port>(p), at).waited;
      }
      const auto clocks = static_cast<double>(bursts.reads + bursts.writes) *
                          static_cast<double>(config.hbm2->timing.burst * config.hbm2->clock_ps);
      row.busy = end <= 0 ? 0 : 100 * clocks / static_cast<double>(end);
    }
  }
  const auto waited = [](dram::Port port) {
    return [port](const Row& r) { return ns(r.waited[static_cast<std::size_t>(port)]); };
  };
  const Columns<Row> columns{
      {{"node", "1", "number"}, &Row::node},
      {{"interface", "1", "2i and 2i + 1 belong to stripe i"}, &Row::interface},
      {{"reads", "1", "bursts of a word"}, [](const Row& r) { return r.bursts.reads; }},
      {{"writes", "1", "bursts of a word"}, [](const Row& r) { return r.bursts.writes; }},
      {{"page_hits", "1", "bursts to a row that was open"}, [](const Row& r) { return r.bursts.hits; }},
      {{"page_misses", "1", "bursts to a bank without an open row"}, [](const Row& r) { return r.bursts.misses; }},
      {{"page_conflicts", "1", "bursts to a bank with another row open"},
       [](const Row& r) { return r.bursts.conflicts; }},
      {{"turns", "1", "of the data bus, from reading to writing or back"}, [](const Row& r) { return r.bursts.turns; }},
      {{"refreshes", "1", "of all banks, or of single ones with refresh: per_bank"},
       [](const Row& r) { return r.bursts.refreshes; }},
      {{"busy", "%", "part of the time of the run in which the data bus has moved words"}, &Row::busy},
      {{"reader_waited", "ns", "by which words to the network were late, over all stalls"}, waited(dram::Port::reader)},
      {{"writer_waited", "ns", "for which words from the network found no room in the FIFO"},
       waited(dram::Port::writer)},
      {{"host_waited", "ns", "the same of the words of the host"}, waited(dram::Port::host)}};
  return make_table({"memory", "Memory interfaces",
                     "Every pseudo channel that has moved words; waiting beyond the turns of the 2 x 2 crossbar."},
                    columns, rows);
}

Table host_table(const OptwebConfig& config, const OptwebStats& stats) {
  struct Row {
    std::size_t place;
    const OptwebHostAccess& access;
    const OptwebHostEvent* event;  // null: not over
  };
  std::vector<const OptwebHostEvent*> events(config.host.size());
  for (const OptwebHostEvent& e : stats.host()) events[e.number] = &e;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < events.size(); ++i) rows.push_back({i, config.host[i], events[i]});
  const std::uint64_t stripe = 2 * config.interface_bytes;
  const auto over = [](auto of) {
    return [of](const Row& r) { return r.event == nullptr ? Value{} : Value{of(r.access, *r.event)}; };
  };
  const Columns<Row> columns{
      {{"access", "1", "its place in the configuration"}, &Row::place},
      {{"node", "1", "whose memory"}, [](const Row& r) { return r.access.node; }},
      {{"operation", "", "read or write"},
       [](const Row& r) { return to_string(r.access.write ? OptwebHostOp::write : OptwebHostOp::read); }},
      {{"stripe", "1", "in which it begins"}, [=](const Row& r) { return r.access.address / stripe; }},
      {{"address", "B", "from the beginning of the stripe"}, [=](const Row& r) { return r.access.address % stripe; }},
      {{"size", "B", ""}, [](const Row& r) { return r.access.bytes; }},
      {{"at", "ns", "asked for"}, [](const Row& r) { return ns(r.access.at.ps); }},
      {{"opened", "ns", "its first word could pass"},
       over([](const OptwebHostAccess&, const OptwebHostEvent& e) { return ns(e.opened); })},
      {{"over", "ns", "its last word is read, or acknowledged"},
       over([](const OptwebHostAccess&, const OptwebHostEvent& e) { return ns(e.over); })},
      {{"bandwidth", "Gb/s", "size over the time from opened to over"},
       over([](const OptwebHostAccess& a, const OptwebHostEvent& e) { return gbps(a.bytes, e.over - e.opened); })}};
  return make_table({"host", "Accesses of hosts", "What the configuration has under 'host', in that order."}, columns,
                    rows);
}

}  // namespace weft
