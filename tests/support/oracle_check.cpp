#include "support/oracle_check.h"
#include "run/tdm/tdm_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace weft::test {
namespace {

std::string text(const oracle::Sent& s) {
  return fmt::format("cycle {} sw[{}] out {} circuit {} message {} word {}", s.cycle, s.sw, s.port, s.word.circuit,
                     s.word.message, s.word.index);
}

std::string compare_words(const std::vector<oracle::Sent>& run, const std::vector<oracle::Sent>& wanted) {
  const auto [a, b] = std::mismatch(run.begin(), run.end(), wanted.begin(), wanted.end());
  if (a == run.end() && b == wanted.end()) return {};
  return fmt::format("the run has {}, the oracle has {} ({} and {} words in all)",
                     a == run.end() ? "no more words" : text(*a), b == wanted.end() ? "no more words" : text(*b),
                     run.size(), wanted.size());
}

// Each delivery: complete, first and last word in the cycles the oracle says; no word arrives without being delivered.
std::string compare_deliveries(const std::vector<DeliveryEvent>& deliveries, const oracle::Result& wanted) {
  struct Arrived {
    std::set<std::uint32_t> words;
    Cycle first = 0;
    Cycle last = 0;
  };
  std::map<std::tuple<NodeId, std::uint32_t, std::uint64_t>, Arrived> arrived;
  for (const oracle::Received& r : wanted.received) {
    Arrived& a = arrived[{r.node, r.word.circuit, r.word.message}];
    if (a.words.empty()) a.first = r.cycle;
    a.last = r.cycle;
    if (!a.words.insert(r.word.index).second) return fmt::format("oracle: word delivered twice in cycle {}", r.cycle);
  }
  if (arrived.size() != deliveries.size()) {
    return fmt::format("{} deliveries in the run, {} in the oracle", deliveries.size(), arrived.size());
  }
  for (const DeliveryEvent& d : deliveries) {
    const auto it = arrived.find({d.destination, d.message.circuit, d.message.sequence});
    const std::string name =
        fmt::format("circuit {} message {} at node {}", d.message.circuit, d.message.sequence, d.destination);
    if (it == arrived.end()) return name + " was not delivered in the oracle";
    const Arrived& a = it->second;
    if (a.words.size() != d.message.words || a.first != d.first_arrival || a.last != d.delivered) {
      return fmt::format("{}: run {} words in {}..{}, oracle {} words in {}..{}", name, d.message.words,
                         d.first_arrival, d.delivered, a.words.size(), a.first, a.last);
    }
  }
  return {};
}

}  // namespace

oracle::Result oracle_for(const TdmPlatform& platform, const WordRecorder& recorder, Cycle until) {
  const TdmConfig& config = platform.config();
  std::map<CircuitId, std::map<std::uint64_t, TdmMessage>> seen;
  for (const DeliveryEvent& d : recorder.deliveries()) seen[d.message.circuit][d.message.sequence] = d.message;

  oracle::Network network;
  network.graph = &platform.graph();
  network.slots = config.tdm_switch.slots;
  network.pipeline = config.tdm_switch.pipeline;
  network.serdes = config.tdm_switch.serdes;
  std::vector<oracle::Stream> streams;
  const std::int64_t period = config.tdm_switch.period.ps;
  for (std::size_t p = 0; p < recorder.data_starts().size(); ++p) {
    const Cycle start = recorder.data_starts()[p];
    network.tables.push_back({start, platform.phases()[p].tables});
    const TdmSourcesConfig& sources = config.phases[p].sources;
    for (const CircuitPlan& c : platform.phases()[p].circuits) {
      oracle::Stream s{c.id, c.source, c.injection, start, {}, c.node_links};
      const auto& messages = seen[c.id];
      const std::size_t count = sources.messages ? *sources.messages : messages.size();
      for (std::uint64_t k = 0; k < count; ++k) {
        if (!messages.contains(k)) throw RunError(fmt::format("circuit {}: message {} never arrived", c.id, k));
        const TdmMessage& m = messages.at(k);
        Cycle generated = m.generated;
        if (sources.arrivals == &kSaturatedArrivals) generated = 0;
        if (sources.arrivals == &kPeriodicArrivals) {
          const auto after = static_cast<std::int64_t>(k) * sources.interval.ps;
          generated = start + (after + period - 1) / period;
        }
        s.messages.push_back({generated, m.words});
      }
      streams.push_back(std::move(s));
    }
  }
  return oracle::simulate(network, streams, until);
}

std::string differs_from_oracle(const std::string& yaml, TdmRunOptions options, std::size_t& words) {
  Diagnostics diagnostics;
  const TdmConfig config = parse_tdm_config(yaml, "random.yaml", ".", {}, diagnostics);
  const TdmPlatform platform(config);
  WordRecorder recorder(config.tdm_switch.slots);
  options.observers.push_back(&recorder);
  const TdmRunResult result = run_tdm(platform, options);
  if (!result.failure.empty()) return "the run failed: " + result.failure;
  const Cycle quiet = 2 * Cycle{config.tdm_switch.slots} + config.tdm_switch.pipeline + config.tdm_switch.serdes + 10;
  const oracle::Result wanted = oracle_for(platform, recorder, result.cycles + quiet);
  words += wanted.sent.size();
  const std::string difference = compare_words(recorder.words(), wanted.sent);
  return difference.empty() ? compare_deliveries(recorder.deliveries(), wanted) : difference;
}

}  // namespace weft::test
