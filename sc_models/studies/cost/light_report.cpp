#include "studies/cost/light_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/optics/light_plan.h"
#include "observe/columns.h"
#include "observe/values.h"

namespace weft {
namespace {

using optweb::LightBudget;
using optweb::LightExtremes;
using optweb::LightLink;
using optweb::LightPlan;

constexpr std::uint32_t kMostMatrixNodes = 16;
constexpr const char* kPerGbps = "$/(Gb/s)";

bool has_hub(const LightConfig& light) { return light.wiring == OptwebWiring::w_oh; }

// A fibre with its wavelengths, each with the node it is for or from.
struct FibreRow {
  std::string fibre;
  std::string from;
  std::string to;
  std::size_t wavelengths;
  std::string carries;
};

std::vector<FibreRow> hub_fibres(const LightConfig& light, const LightPlan& plan) {
  std::vector<FibreRow> out;
  const bool awg = light.router == LightRouter::awg;
  for (NodeId n = 0; n < plan.nodes; ++n) {
    std::vector<std::string> to;
    for (const LightLink& l : plan.links) {
      if (l.from != n) continue;
      for (const std::uint32_t c : l.wavelengths) to.push_back(fmt::format("{}>{}", c, l.to));
    }
    out.push_back({fmt::format("{} out", n), fmt::format("node {}", n), fmt::format("hub input {}", n), to.size(),
                   list_text(to)});
  }
  for (NodeId n = 0; n < plan.nodes; ++n) {
    std::vector<std::string> from;
    for (const LightLink& l : plan.links) {
      if (l.to != n) continue;
      for (const std::uint32_t c : l.wavelengths) from.push_back(fmt::format("{}<{}", c, l.from));
    }
    const std::string others = awg ? "" : fmt::format(" and {} for other nodes", plan.per_output - from.size());
    out.push_back({fmt::format("{} in", n), fmt::format("hub output {}", n), fmt::format("node {}", n),
                   awg ? from.size() : plan.per_output, list_text(from) + others});
  }
  return out;
}

std::vector<FibreRow> pair_fibres(const LightPlan& plan) {
  std::vector<FibreRow> out;
  for (const LightLink& l : plan.links) {
    for (std::uint32_t lane = 0; lane < plan.lanes; ++lane) {
      out.push_back({fmt::format("{}-{} lane {}", l.from, l.to, lane), fmt::format("node {}", l.from),
                     fmt::format("node {}", l.to), 1, fmt::format("0>{}", l.to)});
    }
  }
  return out;
}

Table fibres_table(const LightConfig& light, const LightPlan& plan) {
  const std::vector<FibreRow> rows = has_hub(light) ? hub_fibres(light, plan) : pair_fibres(plan);
  const Columns<FibreRow> columns{
      {{"fibre", "", "number of the node and direction, or pair of nodes and lane"}, &FibreRow::fibre},
      {{"from", "", "where it begins"}, &FibreRow::from},
      {{"to", "", "where it ends"}, &FibreRow::to},
      {{"wavelengths", "1", "wavelengths in it"}, [](const FibreRow& r) { return whole(r.wavelengths); }},
      {{"carries", "", "wavelength > receiver, or wavelength < sender"}, &FibreRow::carries}};
  return make_table({"light_fibres", "Fibres and their wavelengths", "Wavelength plan, one line per fibre."}, columns,
                    rows);
}

Table links_table(const LightConfig& light, const LightPlan& plan) {
  struct Row {
    const LightLink* link;
    LightBudget budget;
  };
  std::vector<Row> rows;
  for (const LightLink& l : plan.links) rows.push_back({&l, optweb::light_budget(light, plan, l.from, l.to)});
  const auto nanometres = [&](const Row& r) {
    std::vector<std::string> out;
    for (const std::uint32_t c : r.link->wavelengths)
      out.push_back(fmt::format("{:.2f}", optweb::wavelength_nm(light, c)));
    return list_text(out);
  };
  const Columns<Row> columns{
      {{"from", "", "sending node"}, [](const Row& r) { return r.link->from; }},
      {{"to", "", "receiving node"}, [](const Row& r) { return r.link->to; }},
      {{"wavelengths", "", "number of the wavelength of each lane"},
       [](const Row& r) { return list_text(r.link->wavelengths); }},
      {{"nm", "", "the same in nanometres"}, nanometres},
      {{"received", "dBm", "power at the receiver"}, [](const Row& r) { return r.budget.received; }},
      {{"margin", "dB", "above the sensitivity"}, [](const Row& r) { return r.budget.margin; }},
      {{"spare", "dB", "above sensitivity and required margin"}, [](const Row& r) { return r.budget.spare; }},
      {{"headroom", "dB", "below the overload"}, [](const Row& r) { return r.budget.headroom; }}};
  return make_table({"light_links", "Links: wavelengths and power", "One line per directed pair of nodes."}, columns,
                    rows);
}

Table stages_table(const LightConfig& light, const LightBudget& budget) {
  struct Row {
    const LightStage* stage;
    optweb::LightLevel level;
  };
  std::vector<Row> rows;
  const auto& path = optweb::light_path(light);
  for (std::size_t i = 0; i < path.size(); ++i) rows.push_back({&path[i], budget.levels[i]});
  const Columns<Row> columns{
      {{"stage", "", "in the order of the light"}, [](const Row& r) { return r.stage->name; }},
      {{"part", "", "in the list of prices"}, [](const Row& r) { return r.stage->part; }},
      {{"kind", "", "what it does"}, [](const Row& r) { return to_string(r.stage->kind); }},
      {{"change", "dB", "gain, or loss below 0"}, [](const Row& r) { return r.level.change; }},
      {{"power", "dBm", "of one wavelength behind it"}, [](const Row& r) { return r.level.power; }},
      {{"total", "dBm", "of all wavelengths in that fibre"}, [](const Row& r) { return r.level.total; }},
      {{"source", "", "of its figures; (ours): chosen by Weft"}, [](const Row& r) { return r.stage->source; }}};
  return make_table({"light_stages", "Power budget of the weakest link",
                     fmt::format("From node {} to node {}, stage by stage.", budget.from, budget.to)},
                    columns, rows);
}

// Who reaches whom with which wavelength.
std::string matrix_text(const LightPlan& plan) {
  std::string out = "\n  wavelength from node (line) to node (column)\n  ";
  out += fmt::format("{:>6}", "");
  for (NodeId to = 0; to < plan.nodes; ++to) out += fmt::format("{:>5}", to);
  out += "\n";
  std::size_t at = 0;
  for (NodeId from = 0; from < plan.nodes; ++from) {
    out += fmt::format("  {:>6}", from);
    for (NodeId to = 0; to < plan.nodes; ++to) {
      out += from == to ? fmt::format("{:>5}", "-") : fmt::format("{:>5}", plan.links[at++].wavelengths.front());
    }
    out += "\n";
  }
  if (plan.lanes > 1) out += fmt::format("  (lane 0 of {}; light_links.csv has all)\n", plan.lanes);
  return out;
}

}  // namespace

ReportSection light_figures(const OptwebCostConfig& config, const LightPlan& plan) {
  const LightConfig& light = config.light;
  const LightExtremes extremes = optweb::light_extremes(light, plan);
  const std::uint32_t most = std::min(config.links + 1, optweb::kMostPlannedNodes);
  const std::optional<std::uint32_t> largest = optweb::largest_light(light, config.node_bandwidth, most);
  const auto fibres = has_hub(light) ? std::uint64_t{2} * plan.nodes : plan.links.size() * plan.lanes;
  return {"light",
          "Wavelengths and power",
          {{{"wiring", "", "wiring that is planned"}, to_string(light.wiring), true},
           {{"lanes", "1", "wavelengths of a link"}, std::int64_t{plan.lanes}, true},
           {{"wavelengths", "1", "different wavelengths in use"}, std::int64_t{plan.sources}, true},
           {{"wavelengths_in_band", "1", "wavelengths that fit into the band"},
            std::int64_t{optweb::band_wavelengths(light)},
            true},
           {{"fibres", "1", "fibres of the plan, one per direction and lane"}, whole(fibres), true},
           {{"least_received", "dBm", "power at the receiver of the weakest link"}, extremes.weakest.received, true},
           {{"least_margin", "dB", "its margin above the sensitivity"}, extremes.weakest.margin, true},
           {{"least_spare", "dB", "its power above sensitivity and required margin"}, extremes.weakest.spare, true},
           {{"least_headroom", "dB", "distance of the strongest link from the overload"},
            extremes.strongest.headroom,
            true},
           {{"most_nodes", "1", "largest full mesh, up to the links of an FPGA, whose wavelengths and power suffice"},
            largest ? Value(std::int64_t{*largest}) : Value(),
            true},
           {{"plan_sum", kPerGbps, "parts in the path of the light, as many as the plan needs, at their prices"},
            maybe(optweb::plan_per_gbps(config, plan)),
            true}}};
}

std::vector<Table> light_tables(const OptwebCostConfig& config, const LightPlan& plan) {
  const LightExtremes extremes = optweb::light_extremes(config.light, plan);
  return {stages_table(config.light, extremes.weakest), fibres_table(config.light, plan),
          links_table(config.light, plan)};
}

Chart light_chart(const OptwebCostConfig& config) {
  Chart chart;
  chart.title = "Power of the weakest link above sensitivity and required margin";
  chart.x.label = "nodes";
  chart.y.label = "spare power";
  chart.y.unit = "dB";
  chart.series.push_back({optweb::wiring_name(config.light.wiring), SeriesStyle::lines, {}});
  const std::uint32_t most = std::min({config.most_nodes, config.links + 1, optweb::kMostPlannedNodes});
  for (std::uint32_t n = 2; n <= most; ++n) {
    const LightPlan plan = optweb::light_plan(config.light, n, config.node_bandwidth);
    chart.series.back().points.push_back(
        {static_cast<double>(n), optweb::light_extremes(config.light, plan).weakest.spare});
  }
  return chart;
}

std::string light_text(const OptwebCostConfig& config, const LightPlan& plan) {
  const LightBudget weakest = optweb::light_extremes(config.light, plan).weakest;
  std::string out = fmt::format("\n  {:<34}{:>10}{:>12}\n",
                                fmt::format("light from node {} to node {}", weakest.from, weakest.to), "dB", "dBm");
  out += fmt::format("  {:<34}{:>10}{:>12.2f}\n", "at its source", "", static_cast<double>(config.light.launch) / 100);
  const auto& path = optweb::light_path(config.light);
  for (std::size_t i = 0; i < path.size(); ++i) {
    out += fmt::format("  {:<34}{:>10.2f}{:>12.2f}\n", path[i].name, weakest.levels[i].change, weakest.levels[i].power);
  }
  out += fmt::format("  {:<34}{:>10.2f}{:>12.2f}\n", "margin above sensitivity", weakest.margin,
                     static_cast<double>(config.light.sensitivity) / 100);
  if (has_hub(config.light) && plan.nodes <= kMostMatrixNodes) out += matrix_text(plan);
  return out;
}

Table inputs_table(const OptwebCostConfig& config) {
  const Columns<CostInput> columns{
      {{"input", "", "key of the figure"}, &CostInput::key},
      {{"value", "", "with its unit"}, &CostInput::value},
      {{"origin", "", "stated by the paper, fitted to a result it states, literature, ours (chosen by Weft), given"},
       [](const CostInput& i) { return to_string(i.origin); }},
      {{"source", "", "where it stands, or what it was fitted to"}, &CostInput::source}};
  return make_table({"inputs", "Inputs and their origins", "Figures that results follow from."}, columns,
                    config.inputs);
}

Table sensitivity_table(const OptwebCostConfig& config) {
  using Row = optweb::CostMove;
  const auto percent = [](const std::optional<double>& v) { return v ? Value(100 * *v) : Value(); };
  const auto origin = [&](const Row& r) {
    const std::string key = r.key.starts_with("parts.") ? "parts" : r.key;
    const auto i = std::find_if(config.inputs.begin(), config.inputs.end(),
                                [&](const CostInput& known) { return known.key == key; });
    return i == config.inputs.end() ? std::string() : to_string(i->origin);
  };
  const Columns<Row> columns{
      {{"input", "", "key of the figure"}, &Row::key},
      {{"origin", "", "fitted: chosen so that a stated result comes out"}, origin},
      {{"low", "%", "of its value"}, [](const Row& r) { return 100 * r.low; }},
      {{"optweb_low", kPerGbps, "OPTWEB with W-OH at the low value"}, [](const Row& r) { return r.at_low.total(); }},
      {{"saving_low", "%", "of the packet network's cost"}, [=](const Row& r) { return percent(r.at_low.saving); }},
      {{"crossing_low", "1", "nodes at which P-OH and W-OH cost the same"}, &Row::crossing_low},
      {{"high", "%", "of its value"}, [](const Row& r) { return 100 * r.high; }},
      {{"optweb_high", kPerGbps, "OPTWEB with W-OH at the high value"}, [](const Row& r) { return r.at_high.total(); }},
      {{"saving_high", "%", "of the packet network's cost"}, [=](const Row& r) { return percent(r.at_high.saving); }},
      {{"crossing_high", "1", "nodes at which P-OH and W-OH cost the same"}, &Row::crossing_high}};
  return make_table({"sensitivity", "Sensitivity", "Each price lower and higher by 'change', all others as they are."},
                    columns, optweb::cost_moves(config));
}

}  // namespace weft
