#pragma once
// Keys of a workload in the configuration of a fabric that serves all levels alike: service levels, traffic, a trace,
// programs, the length of the run. A family, a user's too, derives its raw configuration from RawWorkload and has the
// same keys with the same meaning as all others.

#include <optional>
#include <string>
#include <vector>

#include "network/keys/network_schema.h"
#include "workload/program_schema.h"
#include "workload/traffic_schema.h"
#include "workload/workload.h"

namespace weft {

struct RawServiceLevel {
  Given<DataSize> message;
  Given<std::string> traffic_class;
};

struct RawServiceLevels {
  Given<std::vector<Named<RawServiceLevel>>> levels;
};

struct RawProgramNodes : RawProgramSoftware {
  Given<std::string> level;
  Given<RawAlgorithms> algorithms;
};

/// What a fabric records of its nodes: signals in a waveform, and the states of the boxes within them.
enum class NodeRecords { none, waves, waves_and_boxes };

/// Of a fabric whose signals belong to nodes.
struct RawNodeWaves : RawWaveTimes {
  Given<std::vector<Placed<std::uint32_t>>> nodes;
};

/// Table of the boxes within the nodes, of a fabric whose nodes have some.
struct RawNodeBoxes {
  Given<std::vector<Placed<std::uint32_t>>> nodes;
  Given<Duration> from;
  Given<Duration> until;
};

struct RawWorkloadRecords {
  Given<bool> message_log;
  Given<CycleSpan> profile;
  Given<RawNodeWaves> node_waves;  ///< key `waves`, of those fabrics alone
  Given<RawNodeBoxes> node_boxes;  ///< key `boxes`, the same
};

/// With the head, whose seed is that of the sources.
struct RawWorkload : RawHead, RawConfigPrograms {
  Given<RawServiceLevels> qos;
  Given<std::vector<Placed<RawStream>>> traffic;
  Given<std::string> trace;
  Given<RawProgramNodes> endpoints;
  Given<RawRun> run;
  Given<RawWorkloadRecords> observe;
};

inline bool has_traffic(const RawWorkload& raw) { return raw.traffic.given || raw.trace.given; }

namespace schema_detail {
Section<RawServiceLevels> levels_section();
Section<RawStream> stream_section();
Section<RawProgramNodes> program_nodes_section();
Section<RawWorkloadRecords> workload_records_section(NodeRecords nodes);
}  // namespace schema_detail

/// Declares the keys of what is sent: service levels, streams, a trace. `levels` and `traffic`: what happens without
/// the levels, and without traffic and trace.
template <class Raw>
void declare_streams(Section<Raw>& s, const Fallback& levels, const Fallback& traffic) {
  const auto own = []<class T>(Given<T> RawWorkload::*field) { return static_cast<Given<T> Raw::*>(field); };
  const Section<RawServiceLevels> qos = schema_detail::levels_section();
  s.key("qos", own(&RawWorkload::qos), qos.type(), levels, qos.info()->meaning);
  s.key("traffic", own(&RawWorkload::traffic), list_of(schema_detail::stream_section().type(), 0, 256), traffic,
        "Messages that the nodes send; an empty list: none, where a design drives the endpoints itself.");
  s.key("trace", own(&RawWorkload::trace), path_type(), traffic, kTraceMeaning);
}

/// The same with the length of the run, and records, of nodes those that it has.
template <class Raw>
void declare_traffic(Section<Raw>& s, const Fallback& levels, const Fallback& traffic,
                     NodeRecords nodes = NodeRecords::none) {
  const auto own = []<class T>(Given<T> RawWorkload::*field) { return static_cast<Given<T> Raw::*>(field); };
  declare_streams(s, levels, traffic);
  s.section("run", own(&RawWorkload::run), run_section());
  s.section("observe", own(&RawWorkload::observe), schema_detail::workload_records_section(nodes));
}

/// Declares the keys of RawWorkload behind the head, which declare_head() does.
template <class Raw>
void declare_workload(Section<Raw>& s, NodeRecords nodes = NodeRecords::none) {
  const auto own = []<class T>(Given<T> RawWorkload::*field) { return static_cast<Given<T> Raw::*>(field); };
  declare_traffic(s, required(), optional("traffic, trace or a program is needed"), nodes);
  declare_programs(s, ", program_file, traffic or trace");
  declare_program_file(s, ", programs, traffic or trace");
  s.section("endpoints", own(&RawWorkload::endpoints), schema_detail::program_nodes_section());
}

/// Network that a workload is for.
struct WorkloadNetwork {
  std::string kind;                    ///< "ideal network"
  std::optional<std::uint32_t> nodes;  ///< nothing: the file of its topology knows, or something is wrong
  Location where;                      ///< of what says how many
  Duration period;                     ///< of a flit at the rate of a node
  DataSize flit;
  std::vector<std::uint32_t> torus{};  ///< its dimensions, with a node per switch; empty: it is none
};

/// Traffic alone: levels, which it needs, streams, trace, length of the run, records. Reports everything that is wrong
/// and goes on; the result is of no use then.
Workload resolve_traffic(const RawWorkload& raw, const ConfigDocument& document, const WorkloadNetwork& network,
                         Diagnostics& diagnostics);
/// The same with programs.
Workload resolve_workload(const RawWorkload& raw, const ConfigDocument& document, const WorkloadNetwork& network,
                          Diagnostics& diagnostics);

}  // namespace weft
