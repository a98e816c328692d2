#pragma once
// Keys of traffic: streams, traces and the length of a run, the same on every fabric; and their step to the checked
// configuration. Reports everything that is wrong and goes on.

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "network/keys/port_range.h"
#include "network/patterns.h"
#include "schema/schema.h"
#include "schema/schema_types.h"
#include "workload/traffic_config.h"

namespace weft {

struct RawStream {
  Given<std::string> level;
  Given<const InjectionProcess*> source;
  Given<DestinationKind> destinations;
  Given<std::string> pattern;
  Given<std::uint64_t> load;
  Given<std::uint32_t> burst;
  Given<std::uint32_t> connections;
  Given<CycleSpan> on;
  Given<CycleSpan> off;
  Given<bool> self_traffic;
  Given<std::vector<Placed<NodeRange>>> from;
  Given<std::vector<Placed<NodeRange>>> to;
  Given<std::uint64_t> to_share;
};

struct RawRun {
  Given<RunUntil> until;
  Given<Duration> warm_up;
  Given<Duration> measure;
  Given<std::uint64_t> half_width;
  Given<std::uint64_t> confidence;
  Given<Duration> at_most;
  Given<std::vector<Placed<std::string>>> levels;
  Given<Duration> drain;
  Given<bool> settle;
};

/// Declares the keys of a stream; a family may add its own. `node`: the word for a node; `level`: what happens without
/// the key `level`.
template <class Raw>
void declare_stream(Section<Raw>& s, const std::string& node, const Fallback& level) {
  const auto own = []<class T>(Given<T> RawStream::*field) { return static_cast<Given<T> Raw::*>(field); };
  s.key("level", own(&RawStream::level), word_type(), level, "Service level, by name or by number.");
  s.key("source", own(&RawStream::source), choice_of(injection_processes().list()), by_default("bernoulli"),
        meanings(injection_processes().list()) + ".");
  s.key("destinations", own(&RawStream::destinations), choice<DestinationKind>(),
        optional("permutation for constant_rate without to, else uniform"),
        "uniform: drawn for each message (or burst); permutation: a random one fixed at the start, every " + node +
            " receives from one; pattern: a named pattern.");
  s.key("pattern", own(&RawStream::pattern), word_type(), optional("needed for destinations pattern"),
        pattern_meaning());
  s.key("load", own(&RawStream::load), decimal_type(6, 0, 1'000'000), required(),
        "Flits per cycle and " + node + ", at most 1; 0 sends nothing.");
  s.key("burst", own(&RawStream::burst), whole<std::uint32_t>(1, 65536), by_default("4"),
        "bursts: messages of a burst.");
  s.key("connections", own(&RawStream::connections), whole<std::uint32_t>(1, 4096), by_default("1"),
        "constant_rate: connections of every " + node +
            ", each with a phase of its own and, unless drawn for each message, a destination; they share the load.");
  s.key("on", own(&RawStream::on), cycle_span_type(1), optional("needed for on_off"), "on_off: mean time on.");
  s.key("off", own(&RawStream::off), cycle_span_type(1), optional("needed for on_off"), "on_off: mean time off.");
  s.key("self_traffic", own(&RawStream::self_traffic), boolean_type(), by_default("false"),
        "uniform: a " + node + " may draw itself; how such a message travels is the fabric's affair.");
  s.key("from", own(&RawStream::from), list_of(node_range_type(), 1, kMostNodeRanges), optional("all " + node + "s"),
        "Those that send, by number or as ranges such as 0..7; the load is that of each of them.");
  s.key("to", own(&RawStream::to), list_of(node_range_type(), 1, kMostNodeRanges), optional("all " + node + "s"),
        "uniform: destinations to draw from, written as in from; one of them never draws itself without self_traffic.");
  s.key("to_share", own(&RawStream::to_share), percentage_type(2, 0, StreamConfig::kWholeShare), by_default("100%"),
        "Share of the messages (or bursts) that go to one of to; every other one goes to any " + node + ".");
}

/// Meaning of the key `trace`.
inline constexpr const char* kTraceMeaning =
    "CSV file of additional messages to send, header 'time_ns,source,destination,level' (a level by name or number), "
    "times not decreasing, with at most 3 decimals, rounded down to cycles.";

/// Meaning of the key `observe.message_log`.
inline constexpr const char* kMessageLogMeaning =
    "Whether messages.csv is written: one line per measured message that arrives, in order of arrival; within a cycle "
    "in that of "
    "their destinations.";

/// Meaning of the key `observe.profile`.
inline constexpr const char* kProfileMeaning =
    "Length of the windows of a profile over time: flits per link, flits in the buffers of switches, flits that wait "
    "at "
    "nodes, offered and accepted load, from the start of the measurement. Long runs of large networks have longer "
    "windows.";

/// Its type, and its windows in cycles.
inline Type<CycleSpan> profile_window_type() { return cycle_span_type(1, kLongestTime); }
inline std::optional<Cycle> profile_window(const Given<CycleSpan>& profile, Duration period) {
  if (!profile.given || !profile.valid || period.ps <= 0) return std::nullopt;
  return std::max<Cycle>(1, profile.value.cycles(period));
}

/// The section `run`. `warm_up`: what happens without that key.
Section<RawRun> run_section(const Fallback& warm_up = by_default("20us"));

/// Number of a service that is given by name or number; reports what is none.
std::optional<std::uint32_t> service_of(const std::string& text, const std::vector<std::string>& names,
                                        const Location& where, const std::string& path, Diagnostics& diagnostics);

/// Stream `path` of service `sl`; nothing where an error leaves none.
std::optional<StreamConfig> resolve_stream(const RawStream& raw, std::uint32_t sl, Duration period,
                                           const Location& where, const std::string& path, Diagnostics& diagnostics);

/// Warns of streams that offer more than a node's link carries.
void check_load(const std::vector<StreamConfig>& streams, const Location& where, const std::string& node,
                Diagnostics& diagnostics);

/// What the length of a run depends on.
struct RunSubject {
  Duration period;
  const std::vector<StreamConfig>& streams;
  std::vector<std::string> services;  ///< their names
  bool programs = false;              ///< run to their end instead
  bool streams_known = true;          ///< none of them has been left out because of an error
};
RunConfig resolve_run(const RawRun& raw, const RunSubject& subject, Diagnostics& diagnostics);

}  // namespace weft
