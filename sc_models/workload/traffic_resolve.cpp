// Streams, and the section `run` of a file.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/text.h"
#include "network/keys/network_schema.h"
#include "workload/traffic_schema.h"

namespace weft {
namespace {

constexpr int kShareDecimals = 2;  // of a percentage

// Sum of the loads that a node sends, of the node that sends most.
std::uint64_t largest_load(const std::vector<StreamConfig>& streams) {
  std::uint64_t of_all = 0;
  std::map<std::uint64_t, std::int64_t> steps;  // by node: change of the load from this one on
  for (const StreamConfig& s : streams) {
    if (s.destinations == DestinationKind::pattern) continue;
    if (s.from.empty()) of_all += s.load;
    const auto add = [&](std::uint64_t first, std::uint64_t last, std::int64_t load) {
      steps[first] += load;
      steps[last + 1] -= load;
    };
    const auto load = static_cast<std::int64_t>(s.load);
    for (const NodeRange& r : s.from) add(r.first, r.last, load);
    if (const auto silent = s.silent(); silent && s.sends(*silent)) add(*silent, *silent, -load);
  }
  std::int64_t load = 0;
  std::int64_t largest = 0;
  for (const auto& [node, change] : steps) largest = std::max(largest, load += change);
  return of_all + static_cast<std::uint64_t>(largest);
}

// Which nodes send, and to which.
void resolve_ends(const RawStream& r, const std::string& path, StreamConfig& s, Diagnostics& diagnostics) {
  const bool drawn = s.destinations == DestinationKind::uniform;
  if (r.from.valid) s.from = resolve_node_ranges(r.from.value, path + ".from", diagnostics);
  if (r.to.given && !drawn) {
    diagnostics.error(r.to.key_where, fmt::format("{}.to: belongs to destinations 'uniform', not '{}'", path,
                                                  to_string(s.destinations)));
  } else if (r.to.valid) {
    s.to = resolve_node_ranges(r.to.value, path + ".to", diagnostics);
  }
  s.to_share = static_cast<std::uint32_t>(r.to_share.value);
  warn_unused(r.to_share, r.to.given, path + ".to_share has no effect without 'to'", diagnostics);
}

}  // namespace

bool StreamConfig::sends(NodeId n) const {
  const auto after =
      std::upper_bound(from.begin(), from.end(), n, [](NodeId node, const NodeRange& r) { return node < r.first; });
  return from.empty() || (after != from.begin() && n <= std::prev(after)->last);
}

Section<RawRun> run_section(const Fallback& warm_up) {
  Section<RawRun> s("run", "Length of the run.");
  s.key(
      "until", &RawRun::until, choice<RunUntil>(), by_default("window"),
      "What ends the measurement: window (warm_up, then measure) or steady (the warm-up ends where MSER-5 finds its "
      "end, the window when every controlled mean latency is known to within half_width, or its level is saturated).");
  s.key("warm_up", &RawRun::warm_up, duration_type(kNoTime, kLongestTime), warm_up,
        "Messages generated before this are not measured; steady: the shortest warm-up.");
  s.key("measure", &RawRun::measure, duration_type(kShortestTime, kLongestTime), by_default("100us"),
        "Measurement window: messages generated in it are measured, and throughput counts arrivals in it; steady: the "
        "shortest window.");
  s.key("half_width", &RawRun::half_width, percentage_type(kShareDecimals, 10, 5000), by_default("2%"),
        "steady: half of the confidence interval of a mean latency, as a share of the mean.");
  s.key("confidence", &RawRun::confidence, percentage_type(kShareDecimals, 5000, 9999), by_default("95%"),
        "Confidence of the intervals of mean latencies, for each level separately.");
  s.key("at_most", &RawRun::at_most, duration_type(kShortestTime, kLongestTime), by_default("20ms"),
        "steady: longest warm-up and window together; the report says what has not been reached by then.");
  s.key("levels", &RawRun::levels, list_of(word_type(), 1, 32), optional("all levels with traffic"),
        "steady: levels whose mean latency is controlled, by name or by number.");
  s.key("drain", &RawRun::drain, duration_type(kNoTime, kLongestTime), by_default("200us"),
        "Longest time after the window in which measured messages may arrive; sources continue meanwhile.");
  s.key("settle", &RawRun::settle, boolean_type(), by_default("true"),
        "Whether afterwards the sources stop, everything that has entered the network must arrive, and all credits and "
        "buffers are checked.");
  return s;
}

std::optional<std::uint32_t> service_of(const std::string& text, const std::vector<std::string>& names,
                                        const Location& where, const std::string& path, Diagnostics& diagnostics) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  std::uint32_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end && number < names.size()) return number;
  diagnostics.error(where, fmt::format("{}: expected a level (a name, or a number below {}), got '{}'{}", path,
                                       names.size(), text, did_you_mean(text, names)));
  return std::nullopt;
}

// Overload can be what somebody wants to see. Of patterns it depends on the network which nodes send, so they are left
// out, as is a trace.
void check_load(const std::vector<StreamConfig>& streams, const Location& where, const std::string& node,
                Diagnostics& diagnostics) {
  constexpr std::uint64_t kWhole = 1'000'000;
  const std::uint64_t sum = largest_load(streams);
  if (sum <= kWhole) return;
  const bool all = std::all_of(streams.begin(), streams.end(), [](const StreamConfig& s) { return s.from.empty(); });
  diagnostics.warning(where, fmt::format("traffic: the loads that {} {} sends add up to {} flits per cycle, its "
                                         "link carries 1; queues grow as long as the sources go on",
                                         all ? "every" : "a", node, decimal_text(sum, 6)));
}

std::optional<StreamConfig> resolve_stream(const RawStream& r, std::uint32_t sl, Duration period, const Location& where,
                                           const std::string& path, Diagnostics& diagnostics) {
  StreamConfig s;
  s.where = where;
  s.sl = sl;
  s.source = r.source.valid ? r.source.value : injection_processes().list().front();
  const bool fixed = s.source->connections && !r.to.given;
  s.destinations = r.destinations.given ? r.destinations.value
                   : fixed              ? DestinationKind::permutation
                                        : DestinationKind::uniform;
  s.load = r.load.value;
  s.burst = s.source->bursts ? r.burst.value : 1;
  s.self_traffic = r.self_traffic.value;
  s.connections = s.source->connections ? r.connections.value : 1;
  const bool named = s.destinations == DestinationKind::pattern;
  if (r.destinations.given && !r.destinations.valid) return std::nullopt;
  if (named && !r.pattern.given) {
    diagnostics.error(where, path + ": destinations 'pattern' needs the key 'pattern'");
  } else if (!named && r.pattern.given) {
    diagnostics.error(r.pattern.key_where, fmt::format("{}.pattern: belongs to destinations 'pattern', not '{}'", path,
                                                       to_string(s.destinations)));
  }
  s.pattern = r.pattern.value;
  s.pattern_where = r.pattern.where;
  resolve_ends(r, path, s, diagnostics);
  if (s.source->on_off) {
    if (!r.on.given || !r.off.given) {
      diagnostics.error(where, fmt::format("{}: source '{}' needs the keys 'on' and 'off'", path, s.source->name));
      return std::nullopt;
    }
    if (!r.on.valid || !r.off.valid) return std::nullopt;
    s.on = static_cast<std::uint64_t>(r.on.value.cycles(period));
    s.off = static_cast<std::uint64_t>(r.off.value.cycles(period));
    // While on, messages come at load * (on + off) / on, which cannot be more than the link takes.
    if (s.load * (s.on + s.off) > 1'000'000 * s.on) {
      diagnostics.error(r.load.where,
                        fmt::format("{}.load: on only {} of {} cycles, a load of at most {} is possible", path, s.on,
                                    s.on + s.off, decimal_text(1'000'000 * s.on / (s.on + s.off), 6)));
    }
  }
  const auto with_source = [&](const auto& key, const char* name, bool reads) {
    warn_unused(key, reads, fmt::format("{}.{} has no effect with source '{}'", path, name, s.source->name),
                diagnostics);
  };
  with_source(r.burst, "burst", s.source->bursts);
  with_source(r.connections, "connections", s.source->connections);
  with_source(r.on, "on", s.source->on_off);
  with_source(r.off, "off", s.source->on_off);
  warn_unused(r.self_traffic, s.destinations == DestinationKind::uniform,
              fmt::format("{}.self_traffic has no effect with destinations '{}'", path, to_string(s.destinations)),
              diagnostics);
  return s;
}

}  // namespace weft
