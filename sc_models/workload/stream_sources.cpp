#include "workload/stream_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/diagnostics.h"
#include "base/hot_memory.h"
#include "network/patterns.h"
#include "network/places.h"

namespace weft {
namespace {

constexpr double kMillion = 1e6;
constexpr std::uint32_t kTraceToken = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr std::uint32_t kGenerateToken = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kFetchAhead = 4;  // sources
constexpr Cycle kNoMore = std::numeric_limits<Cycle>::max();

// Place in `to` of the node itself, which it does not draw; their number: it is none of them, or may draw itself.
std::size_t own_place(const std::vector<NodeId>& to, NodeId node, bool self_traffic) {
  const auto found = std::lower_bound(to.begin(), to.end(), node);
  const bool skips = !self_traffic && found != to.end() && *found == node;
  return skips ? static_cast<std::size_t>(found - to.begin()) : to.size();
}

// Destination of each node; kNoId: it sends nothing. Empty: a destination is drawn for each message.
std::vector<NodeId> fixed_destinations(const TrafficConfig& config, const Graph& graph, std::size_t stream,
                                       std::uint32_t connection) {
  const StreamConfig& c = config.streams[stream];
  if (c.destinations == DestinationKind::uniform) return {};
  const std::string name = fmt::format("destinations/{}", stream);
  RandomStream random(config.seed, connection == 0 ? name : fmt::format("{}/{}", name, connection));
  std::vector<NodeId> to(graph.nodes(), kNoId);
  if (c.destinations == DestinationKind::pattern) {
    for (const auto& [source, destination] : make_pattern(c.pattern, graph, random, c.pattern_where)) {
      to[source] = destination;
    }
    return to;
  }
  if (graph.nodes() < 2) return to;
  // Sattolo's algorithm: a random permutation of one cycle, so nobody sends to itself.
  std::vector<NodeId> order(graph.nodes());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(i)]);
  return order;
}

}  // namespace

void check_sources(const TrafficConfig& config, const Graph& graph, const std::string& node) {
  Diagnostics diagnostics;
  for (std::size_t i = 0; i < config.streams.size(); ++i) {
    const StreamConfig& c = config.streams[i];
    const std::string path = fmt::format("traffic.{}", i);
    if (const auto silent = c.silent(); silent && c.from.size() == 1 && c.from.front().first == c.from.front().last &&
                                        c.from.front().first == *silent && c.load > 0) {
      diagnostics.error(c.where,
                        fmt::format("{}: {} {} sends to itself alone (self_traffic is false)", path, node, *silent));
    }
    check_node_ranges(c.from, graph.nodes(), path + ".from", node, diagnostics);
    check_node_ranges(c.to, graph.nodes(), path + ".to", node, diagnostics);
    if (c.destinations != DestinationKind::pattern) {
      if (graph.nodes() > 1 || c.self_traffic || c.load == 0) continue;
      diagnostics.error(c.where,
                        fmt::format("{}: the only {} has nobody to send to (self_traffic is false)", path, node));
      continue;
    }
    Diagnostics own;
    std::vector<NodeId> to;
    passes([&] { to = fixed_destinations(config, graph, i, 0); }, own);
    for (const Diagnostic& d : own.list()) {
      diagnostics.error(d.where, fmt::format("{}.pattern: {}", path, d.message));
    }
    // Other connections draw random patterns of their own.
    if (!own.ok() || c.load == 0 || c.connections > 1) continue;
    const auto nobody = [&](NodeId n) { return to[n] == kNoId || !c.sends(n); };
    NodeId n = 0;
    while (n < to.size() && nobody(n)) ++n;
    if (n < to.size()) continue;
    diagnostics.error(c.pattern_where, fmt::format("{}.pattern: no {} {}sends to another one with this pattern", path,
                                                   node, c.from.empty() ? "" : "of 'from' "));
  }
  if (!config.trace.empty()) passes([&] { read_trace(config, graph.nodes()); }, diagnostics);
  diagnostics.throw_if_errors();
}

std::vector<collectives::PairMessages> pairs_of(const TrafficConfig& config, const Graph& graph, std::uint32_t most) {
  check_sources(config, graph, "node");
  const std::uint32_t nodes = graph.nodes();
  std::map<std::pair<NodeId, NodeId>, collectives::PairMessages> pairs;
  std::vector<std::uint32_t> partners(nodes);
  const auto add = [&](NodeId from, NodeId to, ServiceId service, const Location& where) {
    if (from == to) return;
    const std::uint64_t bytes = config.services[service].bytes();
    const auto [at, is_new] =
        pairs.try_emplace({from, to}, collectives::PairMessages{from, to, bytes, bytes, where, where});
    collectives::PairMessages& p = at->second;
    if (is_new && ++partners[from] > most) {
      throw InputError(where, fmt::format("traffic: node {} sends to more than {} others", from, most));
    }
    p.shortest = std::min(p.shortest, bytes);
    if (bytes <= p.longest) return;
    p.longest = bytes;
    p.longest_where = where;
  };
  for (std::size_t i = 0; i < config.streams.size(); ++i) {
    const StreamConfig& c = config.streams[i];
    const auto service = static_cast<ServiceId>(c.sl);
    if (c.load == 0) continue;
    const std::vector<NodeId> to = nodes_of(c.to);
    for (std::uint32_t k = 0; k < c.connections; ++k) {
      const std::vector<NodeId> fixed = fixed_destinations(config, graph, i, k);
      for (NodeId from = 0; from < nodes; ++from) {
        if (!c.sends(from)) continue;
        if (!fixed.empty()) {
          if (fixed[from] != kNoId) add(from, fixed[from], service, c.where);
          continue;
        }
        for (const NodeId n : to) add(from, n, service, c.where);
        for (NodeId n = 0; n < nodes && c.sends_to_others(); ++n) add(from, n, service, c.where);
      }
    }
  }
  if (!config.trace.empty()) {
    const auto trace = read_trace(config, nodes);
    for (const TraceMessage& m : *trace) add(m.source, m.destination, m.level, config.trace_where);
  }
  std::vector<collectives::PairMessages> out;
  for (auto& [ends, pair] : pairs) out.push_back(std::move(pair));
  return out;
}

StreamSources::StreamSources(const TrafficConfig& config, const Graph& graph, Endpoints& endpoints, Part part)
    : config_(config), graph_(graph), part_(std::move(part)), endpoints_(endpoints), last_(kNoMore - 1) {
  transfer_.client = endpoints.attach(*this);
  for (std::size_t i = 0; i < config.streams.size(); ++i) {
    const StreamConfig& c = config.streams[i];
    Stream stream;
    stream.config = &c;
    stream.flits = config.services[c.sl].message;
    stream.bytes = config.services[c.sl].bytes();
    stream.rate.load = c.load;
    stream.rate.on = c.on;
    stream.rate.off = c.off;
    stream.rate.interval = std::uint64_t{stream.flits} * 1'000'000 * c.connections;
    const double load = static_cast<double>(c.load) / kMillion / c.connections;
    double probability = load / stream.flits / c.burst;
    if (c.source->on_off) {
      probability *= static_cast<double>(c.on + c.off) / static_cast<double>(c.on);
      stream.rate.on_length = Geometric(1.0 / static_cast<double>(c.on));
      stream.rate.off_length = Geometric(1.0 / static_cast<double>(c.off));
    }
    stream.rate.gap = Geometric(probability);
    stream.to = nodes_of(c.to);
    streams_.push_back(std::move(stream));
    for (std::uint32_t k = 0; k < c.connections; ++k) add_sources(i, k);
  }
  if (!config.trace.empty()) trace_ = read_trace(config, graph.nodes());
}

void StreamSources::add_sources(std::size_t stream, std::uint32_t connection) {
  const StreamConfig& c = *streams_[stream].config;
  const std::vector<NodeId> fixed = fixed_destinations(config_, graph_, stream, connection);
  const std::string suffix = connection == 0 ? std::string() : fmt::format("/{}", connection);
  for (NodeId n = 0; n < graph_.nodes() && c.load > 0; ++n) {
    if ((!fixed.empty() && fixed[n] == kNoId) || !c.sends(n) || !part_.has_node(graph_, n)) continue;
    if (fixed.empty() && graph_.nodes() < 2 && !c.self_traffic) continue;
    if (c.silent() == n) continue;
    Source s;
    s.state.random = RandomStream(config_.seed, fmt::format("traffic/{}/{}{}", stream, n, suffix));
    s.stream = static_cast<std::uint32_t>(stream);
    s.node = n;
    if (!fixed.empty()) s.fixed = fixed[n];
    sources_.push_back(s);
  }
}

void StreamSources::start(ClockDomain& domain) {
  domain_ = &domain;
  for (std::uint32_t i = 0; i < sources_.size(); ++i) {
    Source& s = sources_[i];
    const Stream& stream = streams_[s.stream];
    if (stream.config->source->start != nullptr) stream.config->source->start(s.state, stream.rate);
    plan(i, -1);
  }
  plan_trace();
}

void StreamSources::plan(std::uint32_t index, Cycle now) {
  Source& s = sources_[index];
  const Stream& stream = streams_[s.stream];
  const Cycle next = stream.config->source->next(s.state, stream.rate, now);
  if (next <= last_) domain_->schedule(next, Phase::prepare, *this, index);
}

void StreamSources::plan_trace() {
  if (trace_next_ >= trace_->size() || (*trace_)[trace_next_].cycle > last_) return;
  domain_->schedule((*trace_)[trace_next_].cycle, Phase::prepare, *this, kTraceToken);
}

// Sources of one NIC that are due in the same cycle send in the order of the configuration, whatever order they were
// called in.
void StreamSources::due(Cycle now, std::uint32_t token) {
  if (now > last_) return;
  if (token != kGenerateToken) {
    if (due_.empty()) domain_->schedule(now, Phase::generate, *this, kGenerateToken);
    due_.push_back(token);
    return;
  }
  if (due_.size() > 1) std::sort(due_.begin(), due_.end());
  for (std::size_t i = 0; i < due_.size(); ++i) {
    if (i + 2 * kFetchAhead < due_.size()) fetch(due_[i + 2 * kFetchAhead]);
    if (i + kFetchAhead < due_.size()) expect(due_[i + kFetchAhead]);
    generate(now, due_[i]);
  }
  due_.clear();
}

// Large networks have too many sources for the cache, and wait for each of them unless it has been fetched.
void StreamSources::fetch(std::uint32_t token) const {
  if (token == kTraceToken) return;
  prefetch(&sources_[token].state.random);
  prefetch(&sources_[token].state.base);  // perhaps another line
}

void StreamSources::expect(std::uint32_t token) const {
  if (token != kTraceToken) endpoints_.expect(sources_[token].node);
}

inline void StreamSources::send(NodeId from, NodeId to, ServiceId service, std::uint64_t bytes, std::uint32_t choice) {
  transfer_.to = to;
  transfer_.bytes = bytes;
  transfer_.service = service;
  transfer_.choice = choice;
  endpoints_.send(from, transfer_);
}

NodeId StreamSources::draw(const Stream& stream, Source& s) {
  const StreamConfig& c = *stream.config;
  if (!stream.to.empty() &&
      (c.to_share == StreamConfig::kWholeShare || s.state.random.below(c.kWholeShare) < c.to_share)) {
    const std::size_t own = own_place(stream.to, s.node, c.self_traffic);
    const std::size_t others = stream.to.size() - (own < stream.to.size() ? 1 : 0);
    if (others > 0) {
      const std::uint64_t place = s.state.random.below(others);
      return stream.to[place < own ? place : place + 1];
    }
  }
  if (c.self_traffic) return static_cast<NodeId>(s.state.random.below(graph_.nodes()));
  const auto to = static_cast<NodeId>(s.state.random.below(graph_.nodes() - 1));
  return to >= s.node ? to + 1 : to;
}

void StreamSources::generate(Cycle now, std::uint32_t token) {
  if (token == kTraceToken) {
    while (trace_next_ < trace_->size() && (*trace_)[trace_next_].cycle == now) {
      const TraceMessage& m = (*trace_)[trace_next_++];
      const auto choice = static_cast<std::uint32_t>(trace_choices_());  // on every rank those of all messages
      if (!part_.has_node(graph_, m.source)) continue;
      send(m.source, m.destination, m.level, config_.services[m.level].bytes(), choice);
    }
    plan_trace();
    return;
  }
  Source& s = sources_[token];
  const Stream& stream = streams_[s.stream];
  const NodeId to = s.fixed == kNoId ? draw(stream, s) : s.fixed;
  for (std::uint32_t i = 0; i < stream.config->burst; ++i) {
    send(s.node, to, static_cast<ServiceId>(stream.config->sl), stream.bytes,
         static_cast<std::uint32_t>(s.state.random() >> 32));
  }
  plan(token, now);
}

}  // namespace weft
