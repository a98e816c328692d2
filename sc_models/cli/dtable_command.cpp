// weft dtable: from the requirements of the service levels to an arbitration table for the Deficit Table scheduler.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "algorithms/qos/table_bounds.h"
#include "algorithms/qos/table_configurator.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/families.h"
#include "cli/output.h"
#include "cli/report/repetition.h"
#include "cli/report/report_input.h"
#include "cli/report/run_record.h"
#include "cli/terminal.h"
#include "observe/columns.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "observe/values.h"
#include "run/packet/narrow_counters.h"
#include "studies/dtable/table_charts.h"
#include "studies/dtable/table_requirements.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr double kPartsPerMillion = 1e6;
constexpr unsigned kIbCounterBits = 8;  // of a counter that lies in one entry of InfiniBand's tables

double tenth(std::uint64_t value) { return static_cast<double>(value) / 10; }

TableRequest to_request(const TableRequirements& wanted) {
  TableRequest out;
  out.entries = wanted.entries.value;
  out.gmtu = wanted.credits(wanted.gmtu.value);
  out.max_weight = wanted.max_weight.value;
  out.k_tenths = wanted.k.value;
  out.w_tenths = wanted.w.value;
  for (const LevelRequirements& l : wanted.levels) {
    out.levels.push_back(
        {l.name, static_cast<ServiceLevel>(l.sl), l.distance.value, l.share.value, wanted.credits(l.mtu.value)});
  }
  return out;
}

Location location_of(const TableRequirements& wanted, const RequestProblem& problem) {
  switch (problem.key) {
    case RequestKey::entries:
      return wanted.entries.where;
    case RequestKey::k:
      return wanted.k.where;
    case RequestKey::w:
      return wanted.w.where;
    case RequestKey::distance:
      return wanted.levels[problem.level].distance.where;
    case RequestKey::share:
      return wanted.levels[problem.level].share.where;
    case RequestKey::mtu:
      return wanted.levels[problem.level].mtu.where;
  }
  return {wanted.file};
}

TablePlan plan_or_explain(const TableRequirements& wanted, const TableRequest& request, bool paper) {
  std::vector<RequestProblem> problems;
  std::optional<TablePlan> plan = configure_table(request, problems);
  if (plan && paper && plan->paper_problem) problems.push_back(*plan->paper_problem);
  Diagnostics diagnostics;
  for (const RequestProblem& p : problems) diagnostics.error(location_of(wanted, p), p.message);
  diagnostics.sort();
  diagnostics.throw_if_errors();
  return std::move(*plan);
}

std::string weight_range(const WeightPlan& plan, const TablePlan& table, std::size_t level) {
  const auto n = static_cast<std::uint32_t>(table.positions[level].size());
  const std::uint32_t least = least_entry_weight(plan.weights.totals[level], n);
  const std::uint32_t largest = largest_entry_weight(plan.weights.totals[level], n);
  return least == largest ? std::to_string(least) : fmt::format("{}-{}", least, largest);
}

double nanoseconds(const TableRequirements& wanted, std::uint64_t credits) {
  return static_cast<double>(credits) * static_cast<double>(wanted.flit.bits) * 1e9 /
         static_cast<double>(wanted.link.bits_per_s);
}

std::size_t unused_entries(const TablePlan& plan, const TableRequest& request) {
  std::size_t used = 0;
  for (const auto& positions : plan.positions) used += positions.size();
  return request.entries - used;
}

// The finished table as InfiniBand's arbitration tables would hold it, and what its counters must hold. Messages may
// have any size up to the MTU.
struct IbFit {
  std::optional<std::string> why_not;
  std::optional<IbTableImage> image;  // when it fits
  CounterNeeds needs;
  std::vector<std::string> saturating;  // names
};

IbFit ib_fit(const TableRequest& request, const ArbitrationTable& table) {
  std::vector<std::uint32_t> messages(kMaxServiceLevels);
  for (const LevelRequest& l : request.levels) messages[l.sl] = l.mtu;
  IbFit out{IbTableImage::limit(table, kIbCounterBits), {}, {table, messages, MessageSizes::any}, {}};
  const std::vector<ServiceLevel> saturating = out.needs.saturating(kIbCounterBits);
  for (const LevelRequest& l : request.levels) {
    if (std::find(saturating.begin(), saturating.end(), l.sl) != saturating.end()) out.saturating.push_back(l.name);
    if (!out.why_not && l.mtu >> kIbCounterBits != 0) {
      out.why_not = fmt::format("messages of {} credits of '{}', which a counter of {} bits never covers", l.mtu,
                                l.name, kIbCounterBits);
    }
  }
  if (!out.why_not) out.image.emplace(DeficitTable(table, kIbCounterBits));
  return out;
}

ReportSection ib_figures(const IbFit& fit) {
  ReportSection s{"ib_tables", "InfiniBand's arbitration tables", {}};
  s.figures = {{{"fits_ib_tables", "", "Whether they hold this table and counters of 8 bits, one in an entry."},
                fit.why_not ? "no: " + *fit.why_not : std::string("yes"),
                true},
               {{"unused_low_entries", "1", "Low-priority entries that hold nothing."},
                fit.image ? Value{whole(fit.image->unused())} : Value{},
                false},
               {{"can_saturate_8_bits", "", "Service levels with which a counter of 8 bits can saturate."},
                fit.saturating.empty() ? std::string("none") : fmt::format("{}", fmt::join(fit.saturating, ", ")),
                true},
               {{"never_saturate", "bits", "Least width of the counters with which none ever saturates."},
                std::int64_t{fit.needs.bits()},
                true}};
  return s;
}

std::vector<std::string> ib_notes(const IbFit& fit) {
  if (fit.why_not) {
    return {fmt::format("InfiniBand's arbitration tables do not hold this table, so there is no ib_tables.csv: {}",
                        *fit.why_not)};
  }
  if (fit.saturating.empty()) return {};
  const unsigned bits = fit.needs.bits();
  return {
      fmt::format("the counters of 8 bits in ib_tables.csv can saturate with {}, which distorts the shares; "
                  "counters of {} bits, {}, never do",
                  fmt::join(fit.saturating, ", "), bits,
                  bits <= IbTableImage::kMostCounterBits ? "in several entries each" : "which do not fit there")};
}

std::vector<std::string> notes(const TablePlan& plan, const TableRequest& request) {
  std::vector<std::string> out;
  const std::uint64_t sum = share_sum(request);
  if (sum < kWholeLink) {
    out.push_back(fmt::format("the shares add up to {}; each is scaled up by {:.6f}, as the link is shared out whole",
                              decimal_text(sum, 6), static_cast<double>(kWholeLink) / static_cast<double>(sum)));
  }
  if (plan.rounded)
    out.emplace_back("some service levels have more entries than their distances need, to fit together");
  if (plan.paper_problem) out.push_back(plan.paper_problem->message);
  return out;
}

ReportSection figures(const TablePlan& plan, const TableRequest& request, const WeightPlan& chosen) {
  const auto credits = [](std::string key, std::string meaning) {
    return Statistic{std::move(key), "credits", std::move(meaning)};
  };
  ReportSection s{"table", "Arbitration table", {}};
  s.figures = {
      {{"entries", "1", "Entries of the table."}, whole(request.entries), true},
      {{"unused_entries", "1", "Entries of weight 0, which no service level needs."},
       whole(unused_entries(plan, request)),
       true},
      {{"k", "", "Bandwidth pool decoupling parameter: pool = N * GMTU * k."}, tenth(plan.decoupling.k_tenths), true},
      {{"w", "", "Maximum weight decoupling parameter: M = GMTU * w."}, tenth(plan.decoupling.w_tenths), true},
      {{"w_paper", "", "w raised until M covers the entries of method paper."}, tenth(plan.paper.w_tenths), true},
      {credits("pool", "N * GMTU * k."), static_cast<double>(plan.pool_tenths) / 10, true},
      {credits("largest_weight", "M, largest weight an entry may have under the chosen method."), whole(chosen.most),
       true},
      {credits("total_weight", "Sum of all weights of the table: credits in one round when all are backlogged."),
       whole(chosen.weights.total), true},
      {{"largest_error_optimal", "ppm", "Largest |share got - share wanted| under method optimal, 1e-6 of the link."},
       plan.optimal.largest_error * kPartsPerMillion,
       true},
      {{"largest_error_paper", "ppm", "Largest |share got - share wanted| under method paper, 1e-6 of the link."},
       plan.paper.largest_error * kPartsPerMillion,
       true},
  };
  return s;
}

Table level_table(const TableRequirements& wanted, const TableRequest& request, const TablePlan& plan,
                  const WeightPlan& chosen, const CounterNeeds& needs) {
  std::vector<std::size_t> rows(request.levels.size());
  std::iota(rows.begin(), rows.end(), 0);
  const auto level = [&](auto of) { return [&, of](std::size_t i) { return std::invoke(of, request.levels[i]); }; };
  const auto ppm = [](const WeightPlan& p) { return [&p](std::size_t i) { return p.errors[i] * kPartsPerMillion; }; };
  const auto weight = [](const WeightPlan& p) { return [&p](std::size_t i) { return p.weights.totals[i]; }; };
  const Columns<std::size_t> columns{
      {{"sl", "", "Number of the service level."}, level(&LevelRequest::sl)},
      {{"name", "", "Its name."}, level(&LevelRequest::name)},
      {{"distance", "1", "Largest distance between its entries that was asked for."}, level(&LevelRequest::distance)},
      {{"entries", "1", "Entries it has."}, [&](std::size_t i) { return plan.positions[i].size(); }},
      {{"mtu", "credits", "Its largest message; smallest weight of its entries."}, level(&LevelRequest::mtu)},
      {{"min_share", "", "Part of the pool with its entries at the MTU: n * MTU / (N * GMTU * k)."},
       [&](std::size_t i) { return plan.min_shares[i]; }},
      {{"max_share", "", "Part of the pool with its entries at M of the chosen method: n * M / (N * GMTU * k)."},
       [&](std::size_t i) { return chosen.max_shares[i]; }},
      {{"share_wanted", "", "Share asked for, of all that is asked for."},
       [&](std::size_t i) { return plan.wanted[i]; }},
      {{"share_got", "", "Its part of all weights of the table."},
       [&](std::size_t i) { return plan.wanted[i] + chosen.errors[i]; }},
      {{"error", "ppm", "share_got - share_wanted, 1e-6 of the link."}, ppm(chosen)},
      {{"entry_weights", "credits", "Smallest and largest weight of its entries."},
       [&](std::size_t i) { return weight_range(chosen, plan, i); }},
      {{"total_weight", "credits", "Sum of the weights of its entries."}, weight(chosen)},
      {{"error_optimal", "ppm", "error under method optimal."}, ppm(plan.optimal)},
      {{"total_weight_optimal", "credits", "total_weight under method optimal."}, weight(plan.optimal)},
      {{"error_paper", "ppm", "error under method paper."}, ppm(plan.paper)},
      {{"total_weight_paper", "credits", "total_weight under method paper."}, weight(plan.paper)},
      {{"largest_counter", "credits",
        "Most that its accumulated weight can be: a weight on top of a deficit of at most mtu - 1."},
       [&](std::size_t i) { return needs.largest(request.levels[i].sl); }},
      {{"wait", "credits", "Most credits other service levels send while a message waits; also link cycles."},
       [&](std::size_t i) { return chosen.waits[i]; }},
      {{"wait_time", "ns", "The same at the rate of the link."},
       [&](std::size_t i) { return nanoseconds(wanted, chosen.waits[i]); }}};
  return make_table({"service_levels", "Service levels",
                     "What each service level asks for and gets. Waits hold for a message at the head of its queue."},
                    columns, rows);
}

// Names of the service levels by entry; empty for an unused one.
std::vector<std::string> entry_names(const TableRequest& request, const TablePlan& plan) {
  std::vector<std::string> out(request.entries);
  for (std::size_t i = 0; i < request.levels.size(); ++i) {
    for (const std::uint32_t p : plan.positions[i]) out[p] = request.levels[i].name;
  }
  return out;
}

Table entry_table(const std::vector<std::string>& names, const ArbitrationTable& entries) {
  struct Row {
    std::size_t index;
    const ArbitrationTable::value_type& entry;
    const std::string& name;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < entries.size(); ++i) rows.push_back({i, entries[i], names[i]});
  const Columns<Row> columns{
      {{"index", "", "Place in the table."}, &Row::index},
      {{"sl", "", "Service level of the entry."}, [](const Row& r) { return r.entry.sl; }},
      {{"name", "", "Its name."}, [](const Row& r) { return r.name; }},
      {{"weight", "credits", "Weight of the entry."}, [](const Row& r) { return r.entry.weight; }}};
  return make_table(
      {"table", "Entries", "The table in the order in which it is cycled; entries of weight 0 are skipped."}, columns,
      rows);
}

std::string table_yaml(const std::string& method, const std::vector<std::string>& names,
                       const ArbitrationTable& entries) {
  std::string out =
      fmt::format("# Written by weft dtable, method {}; a configuration includes it by `base:`.\n", method);
  out += "qos:\n  dtable:\n    table:\n";
  for (std::size_t i = 0; i < entries.size(); ++i) {
    out += fmt::format("      - {{ sl: {}, weight: {} }}  # {} {}\n", entries[i].sl, entries[i].weight, i,
                       names[i].empty() ? "unused" : printable(names[i]));
  }
  return out;
}

void print_levels(const TableRequirements& wanted, const TableRequest& request, const TablePlan& plan,
                  const WeightPlan& chosen) {
  std::size_t width = 4;
  for (const LevelRequest& l : request.levels) width = std::max(width, l.name.size());
  say("\n  {:{}}  sl  dist    n    MTU    min phi      phi  max phi    weights  total       got  optimal    paper"
      "     wait      ns\n",
      "name", width);
  for (std::size_t i = 0; i < request.levels.size(); ++i) {
    const LevelRequest& l = request.levels[i];
    say("  {:{}}  {:2}  {:4}  {:3}  {:5}  {:9.6f}  {:.5f}  {:7.4f}  {:>9}  {:5}  {:.6f}  {:7.1f}  {:7.1f}"
        "  {:7}  {:6.0f}\n",
        l.name, width, l.sl, l.distance, plan.positions[i].size(), l.mtu, plan.min_shares[i], plan.wanted[i],
        chosen.max_shares[i], weight_range(chosen, plan, i), chosen.weights.totals[i],
        plan.wanted[i] + chosen.errors[i], plan.optimal.errors[i] * kPartsPerMillion,
        plan.paper.errors[i] * kPartsPerMillion, chosen.waits[i], nanoseconds(wanted, chosen.waits[i]));
  }
  say("\n  n: entries; phi: share wanted, got: share of the table; optimal, paper: error of the share in ppm under\n"
      "  each method; wait: most link cycles until the message at the head of a queue is sent\n");
}

}  // namespace

int dtable(const DtableArguments& arguments) {
  const RunRecord record;
  Diagnostics diagnostics;
  const ConfigInput input = load_study(arguments.requirements, table_requirements_kind());
  if (!input.is_report) check_command("dtable", *table_requirements_keys(), input.document, input.file);
  const TableRequirements wanted = read_table_requirements(input.document, input.file, arguments.set, diagnostics);
  print_warnings(diagnostics.list());
  const std::string name = default_name(input, arguments.requirements);
  const std::vector<std::string> certain{"table.yaml", kRunRecord};
  check_folder(arguments.out, name, certain);
  const TableRequest request = to_request(wanted);
  const bool paper = arguments.method == "paper";
  const TablePlan plan = plan_or_explain(wanted, request, paper);
  const WeightPlan& chosen = paper ? plan.paper : plan.optimal;

  const std::vector<std::string> names = entry_names(request, plan);
  ReportData report;
  report.title = wanted.title;
  report.config_file = wanted.file;
  report.has_seed = false;
  report.implementation = "method " + arguments.method;
  std::vector<std::string> command{"dtable", kThisReport};
  if (paper) command.insert(command.end(), {"--method", "paper"});
  report.configuration = configuration_of(input.document, arguments.set, *table_requirements_keys(), command);
  report.notes = notes(plan, request);
  const IbFit fit = ib_fit(request, chosen.table);
  for (std::string& note : ib_notes(fit)) report.notes.push_back(std::move(note));
  report.sections = {figures(plan, request, chosen), ib_figures(fit)};
  report.tables = {level_table(wanted, request, plan, chosen, fit.needs), entry_table(names, chosen.table)};
  if (fit.image) report.tables.push_back(ib_tables(*fit.image));
  std::vector<double> waits;
  for (const std::uint64_t credits : chosen.waits) waits.push_back(nanoseconds(wanted, credits));
  add_charts(report, table_pictures(request, plan, chosen, waits));

  const auto folder = fresh_folder(arguments.out, name, certain);
  write_report(folder->path(), report,
               {{"table.yaml", table_yaml(arguments.method, names, chosen.table)},
                {kRunRecord, record.json(folder->path(), input.working_folder)}});
  if (arguments.json) {
    say("{}", report_json(report));
    return kDone;
  }
  say("{}, method {}\n{}", wanted.title.empty() ? wanted.file : wanted.title, arguments.method, summary_text(report));
  print_levels(wanted, request, plan, chosen);
  say("\nresults in {}/\n", folder->path().string());
  say("  table.yaml                   for the `base:` of a configuration\n");
  say("  report.html                  open in a browser\n");
  say("  report.json, *.csv           for programs: service levels, table entries{}\n",
      fit.image ? ", InfiniBand's tables" : "");
  return kDone;
}

}  // namespace weft::cli
