// `weft slots`: how many slots a pattern needs on a network, or the FiC paper's Table 1.

#include <fmt/format.h>

#include <optional>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report/run_record.h"
#include "cli/study_options.h"
#include "cli/terminal.h"
#include "network/routing/routing_algorithms.h"
#include "network/topology/build_topology.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "run/network_view.h"
#include "studies/slots/pattern_slots.h"
#include "studies/slots/slots_report.h"

namespace weft::cli {
namespace {

struct Results {
  ReportData report;
  std::vector<Artifact> artifacts;
  std::vector<SlotsPicture> pictures;
  std::string table;  ///< for the terminal
};

// Throws InputError when the network does not have the nodes that the pattern is for.
Graph network_of(const SlotsRequest& request) {
  Graph graph = build_topology(request.topology);
  graph.join_parallel_links();
  draw_pattern(request.pattern, graph, request.seed, request.pattern_where);
  return graph;
}

Results study(const SlotsRequest& request, const Graph& graph) {
  const auto routing = make_routing(request.routing, graph);
  const PatternSlots s = study_pattern(graph, *routing, request.pattern, request.pattern_where, request.seed,
                                       request.seeds, request.allocators, request.search_iterations);
  Results out{slots_report(s), slots_artifacts(s), load_pictures(s), {}};
  if (out.pictures.empty()) out.report.notes.emplace_back("the network is too large for a picture of its links");
  for (SlotsPicture& p : seed_pictures(s)) out.pictures.push_back(std::move(p));
  return out;
}

Results table1(const SlotsRequest& request) {
  const Table1Options options{request.seed, request.seeds, request.allocators, request.search_iterations};
  const std::vector<Table1Cell> cells = make_table1(options);
  return {table1_report(options, cells), {}, table1_pictures(cells), table1_text(cells)};
}

}  // namespace

int slots(const SlotsArguments& arguments) {
  const RunRecord record;
  const SlotsRequest request = read_slots_request(arguments);
  const auto graph = request.table1 ? std::nullopt : std::optional(network_of(request));
  const auto folder = fresh_folder(arguments.out, request.table1 ? "table1" : "slots", {kRunRecord});
  Results results = graph ? study(request, *graph) : table1(request);
  for (const SlotsPicture& p : results.pictures) draw_chart(folder->path(), p.name, p.chart);
  add_charts(results.report, results.pictures);
  if (graph) page_of(results.report).network = network_view(*graph);
  results.report.configuration = arguments.options;
  const bool tables_written = !results.artifacts.empty();
  results.artifacts.push_back({kRunRecord, record.json(folder->path(), {})});
  write_report(folder->path(), results.report, results.artifacts);
  if (arguments.json) {
    say("{}", report_json(results.report));
    return kDone;
  }
  say("{}\n{}", results.report.title, summary_text(results.report));
  if (!results.table.empty()) {
    say("\n{}\n  random patterns: least to largest N of the draws; !: not as published\n", results.table);
  }
  say("\nresults in {}/\n", folder->path().string());
  say("  {:<28} open in a browser\n", "report.html");
  std::string tables;
  for (const Table& t : results.report.tables) tables += (tables.empty() ? "" : ", ") + t.key;
  say("  {:<28} for programs: {}\n", "report.json, *.csv", tables);
  if (tables_written) {
    say("  {:<28} slot tables of the allocator with the fewest slots\n", "slot_tables.csv, .txt");
  }
  for (const SlotsPicture& p : results.pictures) say("  {:<28} {}\n", p.name + ".svg", p.meaning);
  return kDone;
}

}  // namespace weft::cli
