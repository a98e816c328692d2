// Report of the shares of a divisible load in a simulated network.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "observe/columns.h"
#include "observe/values.h"
#include "observe/vocabulary.h"
#include "studies/dlt/dlt_run.h"

namespace weft {
namespace {

using Answer = DltNetworkAnswer;

constexpr std::size_t kMostRunRows = 40;

ReportSection simulated_section(const DltConfig& config, const DltNetworkStudy& run) {
  const double period = static_cast<double>(run.interface.period.ps) * 1e-3;
  const auto span = [&](const std::vector<Cycle>& latencies) {
    const auto [least, most] = std::minmax_element(latencies.begin(), latencies.end());
    return fmt::format("{:.6g} to {:.6g}", static_cast<double>(*least) * period, static_cast<double>(*most) * period);
  };
  const Answer& best = run.answers.back();
  ReportSection s{"network", "4. The shares in a simulated network", {}};
  s.figures = {
      {{"fabric", "", "kind of network that was simulated"}, run.family, true},
      {vocabulary::kTopology, run.topology, true},
      {vocabulary::kCycle, period, false},
      {vocabulary::kLinkRate, run.rate, true},
      {{"load", "B", "whole load"}, whole(config.run->load), true},
      {{"w_tcp", "ns", "time of the reference node for the load: the time of the load on a link, over sigma"},
       run.unit,
       false},
      {{"rounds", "1", "messages in which a node gets its share"}, whole(config.run->rounds), false},
      {{"results", "1", "size of the results over that of the load"}, config.run->results, false},
      {{"latency_there", "ns", "from the injection node to the others, least to largest, without other messages"},
       span(run.interface.there),
       false},
      {{"latency_back", "ns", "the same from the others"}, span(run.interface.back), false},
      {{"interface_speedup", "1",
        "best shares for one interface, round by round and nearest nodes first, by linear program"},
       run.reference / best.finish,
       true},
      {{"network_speedup", "1", "the same shares in the simulated network"}, run.reference / best.simulated, true},
      {{"network_later", "1", "simulated time over that of the linear program"}, best.simulated / best.finish, true},
  };
  return s;
}

// Difference of two times in ns, to the picosecond.
double later(double time, double than) { return std::round((time - than) * 1e3) / 1e3 + 0.0; }

Table answers_table(const DltNetworkStudy& run) {
  const Columns<Answer> columns{
      {{"answer", "", "whose shares were sent"}, &Answer::meaning},
      {{"finish", "ns", "its own finish time"}, &Answer::finish},
      {{"speedup", "1", "its own speedup"}, [&](const Answer& a) { return run.reference / a.finish; }},
      {{"one_interface", "ns", "later, as all shares leave over one interface, one after the other; results too"},
       [](const Answer& a) { return later(a.one_interface, a.finish); }},
      {{"whole_messages", "ns", "later, as a message is computed when it is complete"},
       [](const Answer& a) { return later(a.whole_messages, a.one_interface); }},
      {{"result_order", "ns", "later, as results come back when they are ready, not in the order of the nodes"},
       [](const Answer& a) { return later(a.result_order, a.whole_messages); }},
      {{"flits", "ns", "later, for whole bytes, flits and cycles"},
       [](const Answer& a) { return later(a.flits, a.result_order); }},
      {{"software", "ns", "later, for the overheads of the nodes"},
       [](const Answer& a) { return later(a.software, a.flits); }},
      {{"latency", "ns", "later, for the latency of the network without other messages"},
       [](const Answer& a) { return later(a.latency, a.software); }},
      {{"network", "ns", "later in the simulation: headers of packets, slots of other circuits, contention"},
       [](const Answer& a) { return later(a.simulated, a.latency); }},
      {{"simulated", "ns", "finish time in the simulated network; the sum"}, &Answer::simulated},
      {{"simulated_speedup", "1", "time of the injection node alone over it"},
       [&](const Answer& a) { return run.reference / a.simulated; }}};
  Table t = make_table({"network_answers", "Answers in the simulated network",
                        "From the finish time of an answer to that of its shares in the network."},
                       columns, run.answers);
  show_columns(t, {"answer", "finish", "one_interface", "whole_messages", "result_order", "flits", "software",
                   "latency", "network", "simulated", "simulated_speedup"});
  return t;
}

struct NodeRow {
  const Answer& answer;
  NodeId node;
  double share;
  std::uint64_t bytes;
  double received = -1;
  double finish = -1;
};

std::vector<NodeRow> network_rows(const DltNetworkStudy& run) {
  std::vector<NodeRow> rows;
  for (const Answer& a : run.answers) {
    const std::size_t first = rows.size();
    rows.push_back({a, run.nodes.root, a.shares.root, a.bytes.root});
    for (std::size_t i = 0; i < run.nodes.others.size(); ++i) {
      rows.push_back({a, run.nodes.others[i], a.shares.of(i), a.bytes.of(i)});
    }
    for (const DltStep& s : a.steps) {
      const auto row = std::find_if(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(),
                                    [&](const NodeRow& r) { return r.node == s.node; });
      if (s.what == kComputeStep) row->finish = std::max(row->finish, s.completed);
      if (s.what == kShareStep && s.node != run.nodes.root) row->received = std::max(row->received, s.completed);
    }
  }
  return rows;
}

Table network_nodes_table(const dlt::Study& study, const DltNetworkStudy& run) {
  const auto time = [](double NodeRow::*of) {
    return [of](const NodeRow& r) { return r.*of < 0 ? Value{} : Value{r.*of}; };
  };
  const Columns<NodeRow> columns{
      {{"answer", "", "whose shares were sent"}, [](const NodeRow& r) { return r.answer.key; }},
      {{"node", "", "number, and coordinates in a grid"},
       [&](const NodeRow& r) { return study.network.node_name(r.node); }},
      {{"share", "1", "part of the load"}, &NodeRow::share},
      {{"bytes", "B", "the same in bytes"}, &NodeRow::bytes},
      {{"received", "ns", "the last message is there"}, time(&NodeRow::received)},
      {{"finish", "ns", "everything is computed"}, time(&NodeRow::finish)}};
  return make_table({"network_nodes", "Nodes in the simulated network",
                     "Shares and finish times of every node; empty for a node without load."},
                    columns, network_rows(run));
}

Chart timing_of(const dlt::Study& study, const DltNetworkStudy& run, const Answer& answer) {
  Chart chart;
  chart.title = fmt::format("Shares of answer {} in the simulated network, {}", answer.meaning, run.topology);
  chart.x.label = "time";
  chart.x.unit = "ns";
  chart.groups = {"waits for or receives its share", "computes", "returns its result"};
  std::vector<NodeId> nodes{run.nodes.root};
  nodes.insert(nodes.end(), run.nodes.others.begin(), run.nodes.others.end());
  if (nodes.size() > kMostRunRows) nodes.resize(kMostRunRows);
  for (std::size_t row = 0; row < nodes.size(); ++row) {
    chart.y.categories.push_back("node " + study.network.node_name(nodes[row]));
    for (const DltStep& s : answer.steps) {
      if (s.node != nodes[row]) continue;
      const bool root = s.node == run.nodes.root;
      if (root && s.what != kComputeStep) continue;
      const std::size_t group = s.what == kShareStep ? 0 : s.what == kComputeStep ? 1 : 2;
      chart.boxes.push_back({row, s.start, s.completed, {}, group, group == 1 ? BoxLane::lower : BoxLane::upper});
    }
  }
  return chart;
}

}  // namespace

void add_dlt_run(const DltConfig& config, const dlt::Study& study, const DltNetworkStudy& run, ReportData& report) {
  report.sections.push_back(simulated_section(config, run));
  report.tables.push_back(answers_table(run));
  report.tables.push_back(network_nodes_table(study, run));
}

std::vector<DltPicture> dlt_run_pictures(const dlt::Study& study, const DltNetworkStudy& run) {
  std::vector<DltPicture> out;
  for (const Answer& a : run.answers) {
    out.push_back({"timing_network_" + a.key, "timing in the simulated network, shares of " + a.meaning,
                   timing_of(study, run, a)});
  }
  return out;
}

std::vector<Artifact> dlt_program_files(const DltNetworkStudy& run) {
  std::vector<Artifact> out;
  for (const Answer& a : run.answers) out.push_back({"programs_" + a.key + ".yaml", a.programs});
  return out;
}

}  // namespace weft
