#include "studies/cost/optweb_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "observe/columns.h"
#include "observe/values.h"
#include "studies/cost/light_report.h"

namespace weft {
namespace {

using optweb::NetworkCost;
using optweb::Wiring;

constexpr Wiring kWirings[] = {Wiring::direct, Wiring::p_oh, Wiring::w_oh};
constexpr const char* kPerRate = "$/(Gb/s)";

Value percent(const std::optional<double>& v) { return v ? Value(100 * *v) : Value(); }

const NetworkCost& cost_of(const std::vector<NetworkCost>& costs, const std::string& name) {
  return *std::find_if(costs.begin(), costs.end(), [&](const NetworkCost& c) { return c.name == name; });
}

ReportSection cost_figures(const OptwebCostConfig& config, const std::vector<NetworkCost>& costs) {
  const NetworkCost& w_oh = cost_of(costs, "OPTWEB, W-OH");
  const NetworkCost& alms = costs.back();
  return {"cost",
          "Cost",
          {{{"nodes", "1", "nodes of the network"}, std::int64_t{config.nodes}, true},
           {{"packet_network", kPerRate, "the packet network it is compared with"}, costs.front().total(), true},
           {{"transceiver", kPerRate, "optical transceivers"}, w_oh.parts[0].per_gbps, true},
           {{"shared_optics", kPerRate, "light sources, filters, EDFAs and splitters of W-OH"},
            w_oh.parts[1].per_gbps,
            true},
           {{"fpga", kPerRate, "part of the FPGA that the network is charged for"}, w_oh.parts[2].per_gbps, true},
           {{"optweb", kPerRate, "OPTWEB with W-OH: the sum of the three"}, w_oh.total(), true},
           {{"saving", "%", "1 - optweb / packet_network"}, percent(w_oh.saving), true},
           {{"fpga_by_alms", kPerRate, "the FPGA charged by the logic that the network uses"},
            alms.parts[2].per_gbps,
            true},
           {{"optweb_by_alms", kPerRate, "OPTWEB with W-OH and that"}, alms.total(), true},
           {{"parts_sum", kPerRate, "shared optics of W-OH by their parts"}, optweb::parts_per_gbps(config), true}}};
}

ReportSection wiring_figures(const OptwebCostConfig& config) {
  const auto crossing = optweb::wiring_crossing(config);
  const std::uint32_t groups = optweb::largest_dragonfly_groups(config.links);
  return {
      "wiring",
      "Wiring and size",
      {{{"fibres_direct", "1", "fibres of direct wiring and of P-OH: N(N-1)"},
        whole(optweb::fibres(Wiring::direct, config.nodes)),
        true},
       {{"fibres_w_oh", "1", "fibres of W-OH: 2N"}, whole(optweb::fibres(Wiring::w_oh, config.nodes)), true},
       {{"crossing", "1", "nodes at which P-OH and W-OH cost the same; W-OH is cheaper above"}, maybe(crossing), true},
       {{"dragonfly_groups", "1", "g, groups of the largest dragonfly with k >= 3(g-1)"}, std::int64_t{groups}, true},
       {{"dragonfly_nodes", "1", "its nodes: g(k-g+2)"}, whole(optweb::dragonfly_nodes(groups, config.links)), true}}};
}

Table cost_table(const std::vector<NetworkCost>& costs) {
  struct Row {
    std::string network;
    std::string part;
    double cost;
    Value saving;
  };
  std::vector<Row> rows;
  for (const NetworkCost& c : costs) {
    for (const optweb::CostPart& p : c.parts) rows.push_back({c.name, p.name, p.per_gbps, {}});
    rows.push_back({c.name, "total", c.total(), percent(c.saving)});
  }
  const Columns<Row> columns{{{"network", "", "network"}, &Row::network},
                             {{"part", "", "part, or total"}, &Row::part},
                             {{"cost", kPerRate, "$ per Gb/s of node bandwidth"}, &Row::cost},
                             {{"saving", "%", "of the packet network's cost"}, &Row::saving}};
  return make_table({"costs", "Costs", "Cost per Gb/s of each network, part by part."}, columns, rows);
}

Table parts_table(const OptwebCostConfig& config, const std::optional<optweb::LightPlan>& plan) {
  using Row = OptwebPart;
  Columns<Row> columns{
      {{"part", "", "part"}, &Row::name},
      {{"price", "$", "a piece"}, [](const Row& p) { return static_cast<double>(p.price) / 100; }},
      {{"per_node", "1", "pieces per node"}, [](const Row& p) { return static_cast<double>(p.per_node) / 1000; }},
      {{"cost", kPerRate, "$ per Gb/s of node bandwidth"}, [&](const Row& p) {
         OptwebCostConfig one = config;
         one.parts = {p};
         return optweb::parts_per_gbps(one);
       }}};
  if (plan) {
    columns.push_back({{"in_plan", "1", "pieces per node in the path of the light (table light_stages)"},
                       [&](const Row& p) { return optweb::pieces_in_plan(config, *plan, p.name); }});
  }
  return make_table({"parts", "Shared optics of W-OH", "The parts by price and number; their sum is parts_sum."},
                    columns, config.parts);
}

Table blocks_table(const OptwebCostConfig& config) {
  using Row = OptwebBlock;
  const auto of_device = [&](const Row& b) {
    return 100 * static_cast<double>(b.all()) / static_cast<double>(config.fpga_size);
  };
  const Columns<Row> columns{{{"block", "", "block"}, &Row::name},
                             {{"alms", "1", "ALMs of one"}, &Row::alms},
                             {{"count", "1", "of them in an FPGA"}, &Row::count},
                             {{"all_alms", "1", "ALMs of all of them"}, [](const Row& b) { return b.all(); }},
                             {{"of_device", "%", "of the ALMs of the device"}, of_device}};
  return make_table(
      {"blocks", "Logic of the network in an FPGA", "Blocks by size; their sum is charged in fpga_by_alms."}, columns,
      config.blocks);
}

Table wiring_table(const OptwebCostConfig& config) {
  using Nodes = std::uint32_t;
  std::vector<Nodes> rows;
  for (Nodes n = 2; n <= config.most_nodes; ++n) rows.push_back(n);
  const auto fibres = [](Wiring w) { return [w](Nodes n) { return optweb::fibres(w, n); }; };
  const auto cost = [&](Wiring w) { return [&config, w](Nodes n) { return optweb::wiring_cost(config, w, n); }; };
  const Columns<Nodes> columns{
      {{"nodes", "1", "N, fully connected"}, [](Nodes n) { return n; }},
      {{"fibres_direct", "1", "direct wiring: N(N-1)"}, fibres(Wiring::direct)},
      {{"fibres_p_oh", "1", "P-OH: N(N-1)"}, fibres(Wiring::p_oh)},
      {{"fibres_w_oh", "1", "W-OH: 2N"}, fibres(Wiring::w_oh)},
      {{"cost_direct", "$", "direct wiring"}, cost(Wiring::direct)},
      {{"cost_p_oh", "$", "P-OH"}, cost(Wiring::p_oh)},
      {{"cost_w_oh", "$", "W-OH"}, cost(Wiring::w_oh)},
      {{"buildable", "", "an FPGA has the N - 1 links that it takes; more nodes are dragonflies"},
       [&](Nodes n) { return n - 1 <= config.links; }}};
  return make_table(
      {"wiring", "Wiring over the number of nodes", "Fibres, one per direction, and the cost of the whole wiring."},
      columns, rows);
}

Table dragonfly_table(const OptwebCostConfig& config) {
  using Groups = std::uint32_t;
  std::vector<Groups> rows;
  for (Groups g = 1; g <= config.links + 1; ++g) rows.push_back(g);
  const auto nodes = [&](Groups g) { return optweb::dragonfly_nodes(g, config.links); };
  const Columns<Groups> columns{
      {{"groups", "1", "g"}, [](Groups g) { return g; }},
      {{"nodes_per_group", "1", "k - g + 2"}, [=](Groups g) { return nodes(g) / g; }},
      {{"nodes", "1", "g(k-g+2)"}, nodes},
      {{"fibres", "1", "one per direction: nodes * k"}, [&, nodes](Groups g) { return nodes(g) * config.links; }},
      {{"balanced", "", "k >= 3(g-1), as the paper recommends"},
       [&](Groups g) { return optweb::dragonfly_balanced(g, config.links); }}};
  return make_table({"dragonflies", "Dragonflies",
                     "Groups of fully connected FPGAs, every FPGA with one link to every other group: two hops at "
                     "most."},
                    columns, rows);
}

ChartSeries line(const std::string& name, bool dashed) { return {name, SeriesStyle::lines, {}, false, dashed}; }

Chart cost_chart(const OptwebCostConfig& config, const std::vector<NetworkCost>& costs) {
  Chart chart;
  constexpr std::string_view kOptweb = "OPTWEB, ";  // in the title instead
  chart.title =
      fmt::format("Cost per Gb/s of OPTWEB with its wirings, and of a packet network, {} nodes", config.nodes);
  chart.y.label = "cost";
  chart.y.unit = kPerRate;
  chart.y.min = 0;
  for (const char* name : {"whole network", "transceiver", "wiring or optics", "FPGA"}) {
    chart.series.push_back({name, SeriesStyle::bars, {}});
  }
  for (const NetworkCost& c : costs) {
    const auto x = static_cast<double>(chart.x.categories.size());
    chart.x.categories.push_back(c.name.starts_with(kOptweb) ? c.name.substr(kOptweb.size()) : c.name);
    chart.series[0].points.push_back({x, c.total()});
    for (std::size_t p = 0; p < 3; ++p) {
      chart.series[p + 1].points.push_back(
          {x, c.parts.size() == 3 ? std::optional(c.parts[p].per_gbps) : std::nullopt});
    }
  }
  return chart;
}

Chart over_nodes(const std::string& title, const std::string& label, const std::string& unit) {
  Chart chart;
  chart.title = title;
  chart.x.label = "nodes";
  chart.y.label = label;
  chart.y.unit = unit;
  return chart;
}

Chart wiring_chart(const OptwebCostConfig& config) {
  Chart chart = over_nodes("Cost of the wiring of a fully connected network", "wiring", "1000 $");
  for (const Wiring w : kWirings) {
    if (!optweb::wiring_cost(config, w, 2)) continue;
    chart.series.push_back(line(optweb::wiring_name(w), w == Wiring::w_oh));
    for (std::uint32_t n = 2; n <= config.most_nodes; ++n) {
      chart.series.back().points.push_back(
          {static_cast<double>(n), optweb::wiring_cost(config, w, n).value_or(0) / 1000});
    }
  }
  return chart;
}

Chart fibres_chart(const OptwebCostConfig& config) {
  Chart chart = over_nodes("Fibres of a fully connected network", "fibres", "");
  chart.y.log = true;
  for (const Wiring w : {Wiring::p_oh, Wiring::w_oh}) {
    chart.series.push_back(line(w == Wiring::p_oh ? "direct and P-OH" : "W-OH", w == Wiring::w_oh));
    for (std::uint32_t n = 2; n <= config.most_nodes; ++n) {
      chart.series.back().points.push_back({static_cast<double>(n), static_cast<double>(optweb::fibres(w, n))});
    }
  }
  return chart;
}

}  // namespace

ReportData optweb_cost_report(const OptwebCostConfig& config) {
  const std::vector<NetworkCost> costs = optweb::network_costs(config);
  const std::optional<optweb::LightPlan> plan = optweb::planned_light(config);
  ReportData out;
  out.title = config.title;
  out.config_file = config.file;
  out.has_seed = false;
  out.implementation = "cost model";
  out.sections = {cost_figures(config, costs), wiring_figures(config)};
  out.tables = {cost_table(costs),    parts_table(config, plan), sensitivity_table(config),
                inputs_table(config), wiring_table(config),      dragonfly_table(config)};
  if (!config.blocks.empty()) out.tables.insert(out.tables.begin() + 2, blocks_table(config));
  if (plan) {
    out.sections.push_back(light_figures(config, *plan));
    for (Table& t : light_tables(config, *plan)) out.tables.push_back(std::move(t));
  } else {
    out.notes.push_back("no wavelength plan: the network is no full mesh of its FPGAs, or too large for one");
  }
  return out;
}

std::vector<CostPicture> optweb_cost_pictures(const OptwebCostConfig& config) {
  return {{"cost", "cost per Gb/s by parts", cost_chart(config, optweb::network_costs(config))},
          {"wiring_cost", "cost of the wiring over the number of nodes", wiring_chart(config)},
          {"fibres", "fibres over the number of nodes", fibres_chart(config)},
          {"light", "spare power of the weakest link over the number of nodes", light_chart(config)}};
}

std::string optweb_cost_text(const OptwebCostConfig& config) {
  std::string out = fmt::format("  {:<28}{:>13}{:>15}{:>8}{:>8}{:>9}\n", "$ per Gb/s", "transceiver", "wiring, optics",
                                "FPGA", "total", "saving");
  for (const NetworkCost& c : optweb::network_costs(config)) {
    out += fmt::format("  {:<28}", c.name);
    if (c.parts.size() == 3) {
      out += fmt::format("{:>13.2f}{:>15.2f}{:>8.2f}", c.parts[0].per_gbps, c.parts[1].per_gbps, c.parts[2].per_gbps);
    } else {
      out += fmt::format("{:>13}{:>15}{:>8}", "", "", "");
    }
    const std::string saving = c.saving ? fmt::format("{:.0f}%", 100 * *c.saving) : "-";
    out += fmt::format("{:>8.2f}{:>9}\n", c.total(), saving);
  }
  out += fmt::format("\n  {:>6}{:>16}{:>8}{:>16}{:>14}\n", "nodes", "direct, P-OH", "W-OH", "P-OH", "W-OH");
  for (std::uint32_t n = 2; n <= config.most_nodes; n *= 2) {
    out += fmt::format("  {:>6}{:>9} fibres{:>8}{:>14.0f} ${:>12.0f} $\n", n, optweb::fibres(Wiring::p_oh, n),
                       optweb::fibres(Wiring::w_oh, n), *optweb::wiring_cost(config, Wiring::p_oh, n),
                       *optweb::wiring_cost(config, Wiring::w_oh, n));
  }
  if (const auto plan = optweb::planned_light(config)) out += light_text(config, *plan);
  return out;
}

}  // namespace weft
