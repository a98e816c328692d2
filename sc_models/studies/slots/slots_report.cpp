#include "studies/slots/slots_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "algorithms/slots/slot_table.h"
#include "observe/columns.h"
#include "observe/sample_summary.h"
#include "observe/values.h"
#include "observe/vocabulary.h"

namespace weft {
namespace {

SampleSummary summary_of(const std::vector<std::uint32_t>& counts) {
  return SampleSummary(std::vector<double>(counts.begin(), counts.end()));
}

// Slots are whole numbers, and so are their quantiles by nearest rank.
Value rounded(const std::optional<double>& v) { return v ? Value(static_cast<std::int64_t>(*v)) : Value(); }

std::map<std::uint32_t, std::size_t> histogram(const std::vector<std::uint32_t>& counts) {
  std::map<std::uint32_t, std::size_t> out;
  for (const std::uint32_t n : counts) ++out[n];
  return out;
}

ReportSection problem_section(const PatternSlots& s) {
  return {"problem",
          "Pattern and network",
          {{{"network", "", "network the circuits are on"}, s.graph.name(), true},
           {{"switches", "1", "switches"}, std::int64_t{s.graph.switches()}, false},
           {{"nodes", "1", "end nodes"}, std::int64_t{s.graph.nodes()}, true},
           {{"pattern", "", "who sends to whom"}, s.pattern, true},
           {{"circuits", "1", "pairs of nodes, one circuit of one slot each"}, whole(s.flows.size()), true}}};
}

ReportSection slots_section(const PatternSlots& s) {
  std::uint64_t hops = 0;
  std::int64_t used = 0;
  std::int64_t fullest = 0;
  for (const std::uint32_t load : s.loads) {
    hops += load;
    used += load > 0 ? 1 : 0;
    fullest += load > 0 && load == s.minimum.slots ? 1 : 0;
  }
  ReportSection out{"slots", "Slots per frame", {}};
  out.figures = {
      {{"minimum_slots", "1", "N: most circuits on one directed link, host links included; no allocation needs fewer"},
       std::int64_t{s.minimum.slots},
       true},
      {{"busiest_link", "", "a link with that many circuits"},
       s.minimum.link == kNoId ? Value() : Value(s.graph.link_name(s.minimum.link)),
       true},
      {{"links_at_minimum", "1", "links with that many circuits"}, fullest, false},
      {{"links_used", "1", "directed links with at least one circuit"}, used, false},
      {{"mean_load", "1", "circuits per used link"},
       used == 0 ? Value() : Value(static_cast<double>(hops) / static_cast<double>(used)),
       false}};
  for (const AllocatorResult& r : s.results) {
    const std::string name = std::string(r.allocator->name);
    out.figures.push_back({{"slots_" + name, "1", "slots per frame that allocator " + name + " needs"},
                           std::int64_t{r.allocation.slots_used},
                           true});
  }
  return out;
}

ReportSection seeds_section(const PatternSlots& s) {
  ReportSection out{"seeds", "N over seeds", {}};
  if (s.by_seed.empty()) return out;
  const SampleSummary n = summary_of(s.by_seed);
  out.figures = {{{"draws", "1", "seeds, from the seed of the report on"}, whole(s.by_seed.size()), true},
                 {{"n_min", "1", "least N"}, rounded(n.min()), true},
                 {{"n_p5", "1", "N that 5% of the draws do not exceed"}, rounded(n.percentile(5)), false},
                 {{"n_median", "1", "N that half of the draws do not exceed"}, rounded(n.percentile(50)), true},
                 {{"n_mean", "1", "mean N"}, n.mean() ? Value(*n.mean()) : Value(), false},
                 {{"n_p95", "1", "N that 95% of the draws do not exceed"}, rounded(n.percentile(95)), false},
                 {{"n_max", "1", "largest N"}, rounded(n.max()), true}};
  return out;
}

Table allocators_table(const PatternSlots& s) {
  using Row = AllocatorResult;
  const Columns<Row> columns{
      {{"allocator", "", "how slots are given"}, [](const Row& r) { return std::string(r.allocator->name); }},
      {{"slots", "1", "slots per frame it needs"}, [](const Row& r) { return r.allocation.slots_used; }},
      {{"above_minimum", "1", "slots beyond N"},
       [&](const Row& r) { return std::int64_t{r.allocation.slots_used} - std::int64_t{s.minimum.slots}; }}};
  return make_table({"allocators", "Allocators", "Slots per frame with the same slot on every hop of a circuit."},
                    columns, s.results);
}

Table links_table(const PatternSlots& s) {
  std::vector<LinkId> used;
  for (LinkId l = 0; l < s.graph.link_count(); ++l) {
    if (s.loads[l] > 0) used.push_back(l);
  }
  const Columns<LinkId> columns{
      {vocabulary::kLink, [&](LinkId l) { return s.graph.link_name(l); }},
      {{"circuits", "1", "circuits that use it"}, [&](LinkId l) { return s.loads[l]; }},
      {{"of_minimum", "%", "circuits over N"}, [&](LinkId l) { return 100.0 * s.loads[l] / s.minimum.slots; }}};
  return make_table(
      {"links", "Links", "Directed links with at least one circuit; host links are links like any other."}, columns,
      used);
}

void add_seed_tables(const PatternSlots& s, std::vector<Table>& tables) {
  if (s.by_seed.empty()) return;
  using Count = std::pair<const std::uint32_t, std::size_t>;
  const Columns<Count> counts{{{"minimum_slots", "1", "N"}, &Count::first},
                              {{"draws", "1", "seeds with that N"}, &Count::second}};
  tables.push_back(
      make_table({"histogram", "Histogram of N", "How often each N was drawn."}, counts, histogram(s.by_seed)));
  std::vector<std::size_t> draws(s.by_seed.size());
  std::iota(draws.begin(), draws.end(), 0);
  const Columns<std::size_t> seeds{{{"seed", "", "seed of the draw"}, [&](std::size_t i) { return s.seed + i; }},
                                   {{"minimum_slots", "1", "its N"}, [&](std::size_t i) { return s.by_seed[i]; }}};
  tables.push_back(make_table({"seeds", "Seeds", "N of each draw."}, seeds, draws));
}

std::string order_text(const Table1Cell& cell) {
  std::string out;
  for (const std::uint32_t d : cell.order) out += (out.empty() ? "" : ",") + std::string(1, "xyzw"[d]);
  return out;
}

Table cells_table(const Table1Options& options, const std::vector<Table1Cell>& cells) {
  struct Row {
    const Table1Cell& cell;
    SampleSummary drawn;
  };
  std::vector<Row> rows;
  for (const Table1Cell& c : cells) rows.push_back({c, summary_of(c.by_seed)});
  const auto drawn = [](auto of) { return [of](const Row& r) { return rounded(of(r.drawn)); }; };
  const auto share = [](double DrawShare::*part) {
    return [part](const Row& r) { return r.cell.random ? Value(r.cell.drawn().*part) : Value(); };
  };
  Columns<Row> columns{
      {{"network", "", "network"}, [](const Row& r) { return r.cell.network; }},
      {{"order", "", "order of the dimensions in the routes"}, [](const Row& r) { return order_text(r.cell); }},
      {{"pattern", "", "pattern"}, [](const Row& r) { return r.cell.pattern; }},
      {{"published", "1", "N in the paper"}, [](const Row& r) { return r.cell.published; }},
      {{"minimum_slots", "1", "N; of a random pattern with the first seed"},
       [](const Row& r) { return r.cell.minimum; }},
      {{"agrees", "", "whether published and computed agree"}, [](const Row& r) { return r.cell.agrees(); }},
      {{"n_min", "1", "random pattern: least N drawn"}, drawn([](const SampleSummary& n) { return n.min(); })},
      {{"n_p5", "1", "random pattern: N that 5% of the draws do not exceed"},
       drawn([](const SampleSummary& n) { return n.percentile(5); })},
      {{"n_median", "1", "random pattern: N that half of the draws do not exceed"},
       drawn([](const SampleSummary& n) { return n.percentile(50); })},
      {{"n_p95", "1", "random pattern: N that 95% of the draws do not exceed"},
       drawn([](const SampleSummary& n) { return n.percentile(95); })},
      {{"n_max", "1", "random pattern: largest N drawn"}, drawn([](const SampleSummary& n) { return n.max(); })},
      {{"drawn", "%", "random pattern: draws with exactly the published N"}, share(&DrawShare::percent)},
      {{"drawn_low", "%", "lower end of the 95% confidence interval of that share (Wilson)"}, share(&DrawShare::low)},
      {{"drawn_high", "%", "its upper end"}, share(&DrawShare::high)}};
  for (std::size_t a = 0; a < options.allocators.size(); ++a) {
    const std::string name = std::string(options.allocators[a]->name);
    columns.emplace_back(Statistic{"slots_" + name, "1", "slots per frame that allocator " + name + " needs"},
                         [a](const Row& r) { return r.cell.slots.at(a); });
  }
  return make_table({"table1", "Table 1",
                     "Minimum number of slots N, published and computed. A random pattern agrees when the published "
                     "value lies between the least and the largest draw."},
                    columns, rows);
}

Table histogram_table(const std::vector<Table1Cell>& cells) {
  struct Row {
    const Table1Cell& cell;
    std::uint32_t n;
    std::size_t draws;
  };
  std::vector<Row> rows;
  for (const Table1Cell& c : cells) {
    for (const auto& [n, draws] : histogram(c.by_seed)) rows.push_back({c, n, draws});
  }
  const Columns<Row> columns{
      {{"network", "", "network"}, [](const Row& r) { return r.cell.network; }},
      {{"pattern", "", "pattern"}, [](const Row& r) { return r.cell.pattern; }},
      {{"minimum_slots", "1", "N"}, &Row::n},
      {{"draws", "1", "seeds with that N"}, &Row::draws},
      {{"published", "", "whether it is the paper's value"}, [](const Row& r) { return r.n == r.cell.published; }}};
  return make_table({"histogram", "Random patterns", "How often each N was drawn."}, columns, rows);
}

std::string range_text(const Table1Cell& cell) {
  const SampleSummary n = summary_of(cell.by_seed);
  return fmt::format("{}-{}", n.min().value_or(0), n.max().value_or(0));
}

}  // namespace

const AllocatorResult& PatternSlots::best() const {
  return *std::min_element(results.begin(), results.end(), [](const AllocatorResult& a, const AllocatorResult& b) {
    return a.allocation.slots_used < b.allocation.slots_used;
  });
}

PatternSlots study_pattern(const Graph& graph, const CircuitRouting& routing, const std::string& pattern,
                           const Location& pattern_where, std::uint64_t seed, std::uint32_t seeds,
                           const std::vector<const Allocator*>& allocators, std::uint64_t search_iterations) {
  PatternSlots out{graph, pattern, seed, pattern_flows(graph, routing, pattern, seed, pattern_where), {}, {}, {}, {}};
  out.minimum = minimum_slots(graph, out.flows);
  out.loads = link_loads(graph, out.flows);
  out.results = allocate_by_each(graph, out.flows, allocators, search_iterations, seed);
  if (seeds > 1) out.by_seed = minimum_slots_by_seed(graph, routing, pattern, seed, seeds, pattern_where);
  return out;
}

ReportData slots_report(const PatternSlots& study) {
  ReportData out;
  out.title = fmt::format("Slots of {} on {}", study.pattern, study.graph.name());
  out.config_file = "command line";
  out.seed = study.seed;
  out.implementation = "one slot per pair, the same slot on every hop";
  out.sections = {problem_section(study), slots_section(study), seeds_section(study)};
  out.tables = {allocators_table(study), links_table(study)};
  add_seed_tables(study, out.tables);
  return out;
}

std::vector<Artifact> slots_artifacts(const PatternSlots& study) {
  const Allocation& a = study.best().allocation;
  if (a.slots_used == 0) return {};  // the pattern sends nothing
  return {{"slot_tables.csv", slot_tables_csv(study.graph, study.flows, a, a.slots_used)},
          {"slot_tables.txt", slot_tables_text(study.graph, study.flows, a, a.slots_used)}};
}

ReportData table1_report(const Table1Options& options, const std::vector<Table1Cell>& cells) {
  ReportData out;
  out.title = "Table 1: minimum number of slots for patterns and networks";
  out.config_file = "command line";
  out.seed = options.seed;
  out.implementation = "one slot per pair, the same slot on every hop";
  std::int64_t deterministic = 0;
  std::int64_t exact = 0;
  std::int64_t random = 0;
  std::int64_t inside = 0;
  for (const Table1Cell& c : cells) {
    (c.random ? random : deterministic) += 1;
    if (c.agrees()) (c.random ? inside : exact) += 1;
    if (!c.agrees()) {
      out.notes.push_back(
          fmt::format("{} on {}: the published {} {}", c.pattern, c.network, c.published,
                      c.random ? fmt::format("was not drawn with {} seeds ({})", c.by_seed.size(), range_text(c))
                               : fmt::format("is not the computed {}", c.minimum)));
    }
  }
  out.sections = {{"agreement",
                   "Agreement with the paper",
                   {{{"deterministic_cells", "1", "cells of patterns that are not random"}, deterministic, true},
                    {{"exact_cells", "1", "those equal to the published values"}, exact, true},
                    {{"random_cells", "1", "cells of random patterns"}, random, true},
                    {{"cells_in_range", "1", "those whose published value lies between the least and the largest draw"},
                     inside,
                     true},
                    {{"draws", "1", "seeds per random cell"}, std::int64_t{options.seeds}, true}}}};
  ReportSection sums{"allocators", "Allocators", {}};
  for (std::size_t a = 0; a < options.allocators.size(); ++a) {
    const auto reached = std::count_if(cells.begin(), cells.end(),
                                       [a](const Table1Cell& c) { return !c.random && c.slots[a] == c.minimum; });
    const std::string name = std::string(options.allocators[a]->name);
    sums.figures.push_back({{"at_minimum_" + name, "1", "deterministic cells in which allocator " + name + " needs N"},
                            std::int64_t{reached},
                            true});
  }
  out.sections.push_back(std::move(sums));
  out.tables = {cells_table(options, cells), histogram_table(cells)};
  return out;
}

std::string table1_text(const std::vector<Table1Cell>& cells) {
  std::string out = fmt::format("  {:<15}{:<9}", "", "");
  for (std::size_t p = 0; p < kTable1Patterns; ++p) out += fmt::format("{:>17}", cells[p].pattern);
  out += "\n";
  for (std::size_t row = 0; row < cells.size(); row += kTable1Patterns) {
    std::string paper = fmt::format("  {:<15}{:<9}", cells[row].network, "paper");
    std::string computed = fmt::format("  {:<15}{:<9}", "", "computed");
    for (std::size_t p = row; p < row + kTable1Patterns; ++p) {
      const Table1Cell& c = cells[p];
      paper += fmt::format("{:>17}", c.published);
      const std::string value = c.random ? range_text(c) : std::to_string(c.minimum);
      computed += fmt::format("{:>17}", value + (c.agrees() ? "" : " !"));
    }
    out += paper + "\n" + computed + "\n";
  }
  return out;
}

}  // namespace weft
