#include "studies/dlt/dlt_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "observe/columns.h"

#include "observe/values.h"
#include "run/network_view.h"

namespace weft {
namespace {

using dlt::CurvePoint;
using dlt::Study;

// Below this a price or a load is the rounding of the solver.
constexpr double kNothing = 1e-9;

std::int64_t binding(const std::vector<double>& prices) {
  return std::count_if(prices.begin(), prices.end(), [](double p) { return p > kNothing; });
}

ReportSection problem_section(const DltConfig& config, const Study& study) {
  ReportSection s{"problem", "Load and network", {}};
  std::string inject;
  for (const dlt::Source& source : study.sources) {
    inject += (inject.empty() ? "" : "; ") + study.network.node_name(source.node);
    if (source.load > 0) inject += fmt::format(" with {} of the load", source.load);
  }
  s.figures = {
      {{"network", "", "network the load is spread over"}, study.network.name, true},
      {{"nodes", "1", "nodes that compute or relay"}, whole(study.network.nodes.size()), false},
      {{"links", "1", "directed links"}, whole(study.network.links.size()), false},
      {{"injection", "", "nodes where the load enters (coordinates)"}, inject, true},
      {{"nodes_by_distance", "", "n_d: nodes 0, 1, 2, ... hops from the nearest injection point"},
       fmt::format("{}", fmt::join(study.counts, " ")),
       false},
      {{"sigma", "1", "z*Tcm / (w*Tcp): time of a link for the load over the time of a node"}, config.sigma, true},
      {{"switching", "", "when a message is relayed and computed"}, to_string(config.switching), true},
      {{"speedup_bound", "1",
        "no schedule exceeds it: the injection points compute and send on all links all the time, or all nodes compute "
        "all the time"},
       study.bound,
       true},
  };
  return s;
}

ReportSection prediction_section(const Study& study) {
  ReportSection s{"closed_form", "1. Flow matrix and closed form (a layer is fed in the time of one share)", {}};
  if (!study.predicted) return s;
  const dlt::PredictedShares& p = *study.predicted;
  s.figures = {
      {{"predicted_speedup", "1", "1 / share of the injection node, in closed form"}, p.closed.speedup, true},
      {{"equivalent_inverse_speed", "w", "inverse speed of one node that would take as long as the network"},
       p.finish,
       true},
      {{"predicted_finish", "w*Tcp", "time at which all nodes are to stop"}, p.finish, false},
      {{"effective_sigma", "1", "sigma with the inverse speed that all links or all nodes have"}, p.sigma, false},
      {{"matrix_speedup", "1", "speedup from the solved flow matrix"}, p.matrix.prediction.speedup, false},
      {{"determinant", "1", "det A of the flow matrix"}, p.matrix.determinant, false},
      {{"determinant_speedup", "1", "|det A / det A0*| (Cramer's rule)"}, p.matrix.determinant_speedup, false},
      {{"matrix_difference", "1", "largest difference of a share between matrix and closed form, relative"},
       p.difference,
       false},
      {{"condition", "1", "estimated condition of the flow matrix (1-norm)"}, p.matrix.condition, false},
  };
  return s;
}

ReportSection simulation_section(const DltConfig& config, const Study& study) {
  ReportSection s{"simulation", "2. The same shares over links with real capacity (event simulation)", {}};
  if (!study.simulated) return s;
  const double makespan = study.simulated->distribution.makespan;
  s.figures = {
      {{"simulated_speedup", "1", "time of the injection node alone over the simulated finish time"},
       study.speedup(makespan),
       true},
      {{"simulated_finish", "w*Tcp", "time at which the last node stops"}, makespan, false},
      {{"later_than_predicted", "1", "simulated over predicted finish time"}, makespan / study.predicted->finish, true},
      {{"routes", "", "which neighbour feeds a node"}, to_string(config.routes), false},
  };
  return s;
}

void add_branch_figures(const Study& study, ReportSection& s) {
  if (!study.branches) return;
  const dlt::BranchAnswer& b = *study.branches;
  s.figures.push_back({{"message_speedup", "1", "best speedup of the linear program with one message per node"},
                       study.speedup(b.plan.finish),
                       true});
  s.figures.push_back({{"message_finish", "w*Tcp", "its finish time"}, b.plan.finish, false});
  s.figures.push_back({{"message_finish_simulated", "w*Tcp", "the same plan in the event simulation"},
                       b.simulated.distribution.makespan,
                       false});
  s.figures.push_back(
      {{"branches_formula", "1", "1 + sum over branches of (1 - (1-sigma)^size) / sigma"}, maybe(b.formula), false});
  s.figures.push_back({{"branch_sizes", "", "nodes in each branch, one branch behind each link in use"},
                       fmt::format("{}", fmt::join(b.plan.sizes(), " ")),
                       false});
}

ReportSection optimum_section(const Study& study) {
  ReportSection s{"linear_program", "3. Best shares under link capacity (linear program)", {}};
  s.figures = {
      {{"best_speedup", "1", "optimum of the linear program over flows; no schedule is faster"},
       study.speedup(study.flow.finish),
       true},
      {{"best_finish", "w*Tcp", "its finish time"}, study.flow.finish, false},
      {{"binding_nodes", "1", "nodes whose speed holds the optimum back"}, binding(study.flow.node_prices), true},
      {{"binding_links", "1", "links whose speed holds the optimum back"}, binding(study.flow.link_prices), true},
      {{"rounds", "1", "equal rounds the flow was cut into for the simulation"}, whole(study.rounds), false},
      {{"rounds_speedup", "1", "speedup of these rounds in the event simulation, under store and forward"},
       study.speedup(study.rounds_makespan),
       false},
  };
  add_branch_figures(study, s);
  return s;
}

Table node_table(const Study& study) {
  std::vector<dlt::NodeIndex> rows(study.network.nodes.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto& s = study;
  const auto if_any = [](const auto& answer, auto of) {
    return [&answer, of](dlt::NodeIndex n) { return answer ? Value(of(*answer)[n]) : Value(); };
  };
  const Columns<dlt::NodeIndex> columns{
      {{"node", "", "number, and coordinates in a grid"}, [&](dlt::NodeIndex n) { return s.network.node_name(n); }},
      {{"distance", "hops", "from the nearest injection point"},
       [&](dlt::NodeIndex n) { return s.distance[n] == dlt::kUnreached ? Value() : whole(s.distance[n]); }},
      {{"inverse_speed", "w", "time to compute the whole load"},
       [&](dlt::NodeIndex n) { return s.network.nodes[n].computes ? Value(s.network.nodes[n].time) : Value(); }},
      {{"predicted_share", "1", "closed form"},
       if_any(
           s.predicted, [](const auto& p) -> const auto& { return p.shares; })},
      {{"simulated_finish", "w*Tcp", "when the node stops in the simulation of the closed form's shares"},
       if_any(
           s.simulated, [](const auto& r) -> const auto& { return r.distribution.finish; })},
      {{"best_share", "1", "linear program over flows"}, [&](dlt::NodeIndex n) { return s.flow.shares[n]; }},
      {{"binds", "1", "growth of the total rate per rate added to this node alone; 0: not binding"},
       [&](dlt::NodeIndex n) { return s.flow.node_prices[n]; }},
      {{"message_share", "1", "linear program with one message per node"},
       if_any(
           s.branches, [](const auto& b) -> const auto& { return b.plan.shares; })},
      {{"message_finish", "w*Tcp", "when the node stops in the simulation of these messages"},
       if_any(
           s.branches, [](const auto& b) -> const auto& { return b.simulated.distribution.finish; })}};
  return make_table({"nodes", "Nodes", "Shares are parts of the load; times are in units of w*Tcp."}, columns, rows);
}

Table link_table(const Study& study) {
  std::vector<dlt::LinkIndex> rows(study.network.links.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto& s = study;
  const auto time = [&](dlt::LinkIndex l) { return s.network.links[l].time; };
  const Columns<dlt::LinkIndex> columns{
      {{"link", "", "from node -> to node"}, [&](dlt::LinkIndex l) { return s.network.link_name(l); }},
      {{"time", "w*Tcp", "to pass the whole load"}, time},
      {{"simulated_busy", "w*Tcp", "busy with the closed form's shares in the simulation"},
       [&](dlt::LinkIndex l) { return s.simulated ? Value(s.simulated->distribution.link_busy[l]) : Value(); }},
      {{"best_load", "1", "load that passes it in the linear program over flows"},
       [&](dlt::LinkIndex l) { return s.flow.link_loads[l]; }},
      {{"best_utilization", "1", "busy time over finish time there"},
       [&](dlt::LinkIndex l) { return s.flow.link_loads[l] * time(l) / s.flow.finish; }},
      {{"binds", "1", "growth of the total rate per rate added to this link alone; 0: not binding"},
       [&](dlt::LinkIndex l) { return s.flow.link_prices[l]; }},
      {{"message_busy", "w*Tcp", "busy with one message per node"}, [&](dlt::LinkIndex l) {
         return s.branches ? Value(s.branches->simulated.distribution.link_busy[l]) : Value();
       }}};
  return make_table({"links", "Links", "Directed links; loads are parts of the whole load."}, columns, rows);
}

Table curve_table(const std::vector<CurvePoint>& curve) {
  const Columns<CurvePoint> columns{
      {{"sigma", "1", "z*Tcm / (w*Tcp)"}, &CurvePoint::sigma},
      {{"predicted_speedup", "1", "closed form"}, &CurvePoint::predicted},
      {{"simulated_speedup", "1", "its shares, simulated"}, &CurvePoint::simulated},
      {{"best_speedup", "1", "linear program over flows"}, &CurvePoint::flow},
      {{"message_speedup", "1", "linear program with one message per node"}, &CurvePoint::branches},
      {{"speedup_bound", "1", "no schedule exceeds it"}, &CurvePoint::bound}};
  return make_table({"curve", "Speedup over sigma", "Empty where the answer was not requested or does not exist."},
                    columns, curve);
}

Table curve_shares_table(const std::vector<CurvePoint>& curve) {
  struct Row {
    double sigma;
    std::size_t distance;
    double share;
  };
  std::vector<Row> rows;
  for (const CurvePoint& p : curve) {
    for (std::size_t d = 0; d < p.shares.size(); ++d) rows.push_back({p.sigma, d, p.shares[d]});
  }
  const Columns<Row> columns{{{"sigma", "1", "z*Tcm / (w*Tcp)"}, &Row::sigma},
                             {{"distance", "hops", "from the injection"}, &Row::distance},
                             {{"share", "1", "of one node"}, &Row::share}};
  return make_table({"curve_shares", "Shares over sigma", "Closed form: part of the load of one node, by distance."},
                    columns, rows);
}

}  // namespace

ReportData dlt_report(const DltConfig& config, const Study& study, const std::vector<CurvePoint>& curve) {
  ReportData r;
  r.config_file = config.file.empty() ? "command line" : config.file;
  r.title = config.title.empty() ? fmt::format("divisible load on {}", study.network.name) : config.title;
  r.implementation = "model";
  if (!study.predicted) r.notes.push_back("no prediction: " + study.refused);
  if (!study.branches) r.notes.push_back("no plan of whole messages: " + study.no_branches);
  if (study.predicted && study.predicted->closed.speedup > study.bound * (1 + kNothing)) {
    r.notes.push_back(
        fmt::format("the predicted speedup {:.3f} is beyond what the links out of the injection node "
                    "allow ({:.3f})",
                    study.predicted->closed.speedup, study.bound));
  }
  r.sections = {problem_section(config, study), prediction_section(study), simulation_section(config, study),
                optimum_section(study)};
  std::erase_if(r.sections, [](const ReportSection& s) { return s.figures.empty(); });
  r.tables = {node_table(study), link_table(study)};
  std::vector<NamedLink> links;
  for (dlt::LinkIndex l = 0; l < study.network.links.size(); ++l) {
    links.push_back({study.network.links[l].from, study.network.links[l].to, study.network.link_name(l)});
  }
  page_of(r).network =
      link_view(study.network.name, static_cast<std::uint32_t>(study.network.nodes.size()), study.network.dims, links);
  if (!curve.empty()) r.tables.push_back(curve_table(curve));
  if (std::any_of(curve.begin(), curve.end(), [](const CurvePoint& p) { return p.predicted.has_value(); })) {
    r.tables.push_back(curve_shares_table(curve));
  }
  return r;
}

}  // namespace weft
