#include "studies/alltoall/alltoall_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "algorithms/alltoall/bounds.h"
#include "algorithms/alltoall/schedule_file.h"
#include "observe/columns.h"
#include "observe/values.h"
#include "run/network_view.h"

namespace weft {
namespace {

using alltoall::RingCost;
using alltoall::RingKind;

// Longer tables are left out of the report.
constexpr std::size_t kMostRows = 2000;
// Largest grid whose connections stand in schedule.json, 16 x 16.
constexpr std::uint64_t kMostListed = 70'000;

ReportSection problem_section(const AllToAllStudy& study) {
  const alltoall::Grid& grid = study.problem.grid;
  ReportSection s{"problem", "Grid", {}};
  s.figures = {
      {{"grid", "", "network, columns x rows"}, grid_text(grid), true},
      {{"nodes", "1", "nodes, each at a router of its own; number x + columns * y"}, whole(grid.nodes()), false},
      {{"connections", "1", "ordered pairs of different nodes"}, whole(grid.connections()), true},
      {{"links", "1", "directed links between routers"}, whole(alltoall::link_count(grid)), false},
      {{"method", "", "how the schedule was made"}, to_string(study.problem.method), true},
  };
  if (study.problem.method == alltoall::Method::search) {
    s.figures.push_back(
        {{"search_moves", "", "kinds of search that were used"}, to_string(study.problem.options.moves), false});
  }
  return s;
}

ReportSection schedule_section(const AllToAllStudy& study) {
  const alltoall::Grid& grid = study.problem.grid;
  const std::uint32_t slots = study.made.schedule.slots;
  const std::uint64_t bound = study.made.lower_bound;
  const double uses = static_cast<double>(study.check.link_uses);
  const double links = static_cast<double>(alltoall::link_count(grid));
  ReportSection s{"schedule", "Schedule", {}};
  s.figures = {
      {{"lower_bound", "1", "no schedule has fewer slots"}, whole(bound), true},
      {{"binding", "", "which bound that is"},
       bound > study.bounds.slots() ? std::string("proof") : std::string(study.bounds.binding()),
       false},
      {{"link_load_bound", "1", "connections over the most loaded link"}, whole(study.bounds.link_load), false},
      {{"bisection_bound", "1", "connections across the middle over the links there, rounded up; for any routing"},
       whole(study.bounds.bisection),
       false},
      {{"sender_bound", "1", "connections of one sender"}, whole(study.bounds.sender), false},
      {{"slots", "1", "multiplexing slots of the schedule"}, whole(slots), true},
      {{"gap", "1", "slots above the lower bound"}, whole(slots - bound), true},
      {{"gap_percent", "%", "the gap over the lower bound"},
       100.0 * static_cast<double>(slots - bound) / static_cast<double>(bound),
       true},
      {{"link_utilization", "1", "links used by all routes over links times slots"}, uses / (links * slots), true},
      {{"fewest_connections", "1", "connections in the emptiest slot"}, whole(study.check.fewest), false},
      {{"most_connections", "1", "connections in the fullest slot"}, whole(study.check.most), false},
      {{"proved", "", "no schedule of this grid and routing has fewer slots: a lower bound is met"},
       slots == bound,
       true},
      {{"verified", "", "every connection once; no link, sender or receiver twice in a slot"}, true, true},
  };
  if (study.problem.method == alltoall::Method::search) {
    s.figures.push_back({{"start_slots", "1", "slots of the systematic schedule that the search began with"},
                         whole(study.made.start_slots),
                         true});
  }
  if (study.made.groups) {
    const alltoall::GroupsSchedule& g = *study.made.groups;
    s.figures.push_back({{"groups", "1", "connection groups"}, whole(g.groups.size()), false});
    s.figures.push_back({{"group_slots", "1", "sum of the groups' degrees"}, whole(g.group_slots), false});
    s.figures.push_back({{"extra_slots", "1", "slots for straight connections alone"}, whole(g.extra_slots), false});
    s.figures.push_back(
        {{"riding", "1", "straight connections in what the groups leave free"}, whole(g.riding), false});
  }
  return s;
}

ReportSection time_section(const AllToAllStudy& study) {
  const std::uint32_t slots = study.plan ? study.plan->time_slots : study.made.schedule.slots;
  ReportSection s{"time", "Time", {}};
  s.figures = {
      {{"time_slots", "1", "slots one after the other until every connection has had one"}, whole(slots), true},
      {{"slot_time", "ns", "length of a slot; one cycle of a FiC switch, 10 ns at 100 MHz, if nothing else was given"},
       study.problem.slot_ns,
       false},
      {{"schedule_time", "ns", "time slots times the length of a slot: what one round of the schedule takes"},
       study.problem.slot_ns * slots,
       true},
  };
  // Sent in one frame; then one frame per switch of the longest route, see docs/alltoall.md.
  const alltoall::Grid& grid = study.problem.grid;
  const std::uint32_t hops = grid.torus ? grid.width / 2 + grid.height / 2 : grid.width + grid.height - 2;
  const std::uint32_t frames = hops + 2;
  s.figures.push_back(
      {{"tdm_frames", "1", "frames in which FiC-SW switches exchange a word per connection"}, whole(frames), true});
  s.figures.push_back({{"tdm_time", "ns", "that many frames of as many slots as there are time slots"},
                       study.problem.slot_ns * frames * slots,
                       true});
  return s;
}

ReportSection channel_section(const AllToAllStudy& study) {
  const alltoall::ChannelPlan& plan = *study.plan;
  const RingCost& cost = study.assignments.front().cost;
  const double nodes = study.problem.grid.nodes();
  const auto kind = [&](RingKind k) { return whole(cost.by_kind[static_cast<std::size_t>(k)]); };
  ReportSection s{"channels", "Wavelengths and planes", {}};
  s.figures = {
      {{"wavelengths", "1", "wavelengths of each plane"}, whole(plan.wavelengths), true},
      {{"planes", "1", "waveguides side by side, each with routers of its own"}, whole(plan.planes), true},
      {{"channels_used", "1", "wavelengths of planes that hold a slot"},
       whole(study.assignments.front().channels),
       true},
      {{"most_wavelengths_per_link", "1", "wavelengths on one link of one plane, at most"},
       whole(cost.most_wavelengths_per_link),
       false},
      {{"mean_wavelengths_per_link", "1", "the mean over all links of all planes"},
       cost.mean_wavelengths_per_link,
       true},
      {{"rings", "1", "resonators: (router, channel, input, output) that are ever switched"}, whole(cost.rings), true},
      {{"rings_per_router", "1", "the mean over the routers"}, static_cast<double>(cost.rings) / nodes, true},
      {{"most_rings_per_router", "1", "in one router, at most"}, whole(cost.most_per_router), true},
      {{"rings_inject", "1", "from the host into a direction"}, kind(RingKind::inject), false},
      {{"rings_straight", "1", "straight through; routers that pass straight light without a ring need none"},
       kind(RingKind::straight),
       false},
      {{"rings_turn", "1", "from one dimension into the other"}, kind(RingKind::turn), false},
      {{"rings_eject", "1", "to the host"}, kind(RingKind::eject), false},
  };
  const auto random = std::find_if(study.assignments.begin(), study.assignments.end(),
                                   [](const SpreadCost& c) { return c.name == "random"; });
  if (random != study.assignments.end()) {
    const double of_random = static_cast<double>(random->cost.rings);
    s.figures.push_back({{"saved_percent", "%", "rings saved against random assignment of the slots"},
                         100 * (of_random - static_cast<double>(cost.rings)) / of_random,
                         true});
  }
  return s;
}

Table spread_table(TableName name, const std::vector<SpreadCost>& spreads, double nodes) {
  using Row = SpreadCost;
  const Columns<Row> columns{
      {{"assignment", "", "how slots find their channel"}, &Row::name},
      {{"channels", "1", "wavelengths times planes that hold a slot"}, &Row::channels},
      {{"time_slots", "1", "time slots"}, &Row::time_slots},
      {{"rings", "1", "resonators of all routers"}, [](const Row& c) { return c.cost.rings; }},
      {{"rings_per_router", "1", "mean"}, [nodes](const Row& c) { return static_cast<double>(c.cost.rings) / nodes; }},
      {{"most_rings_per_router", "1", "most in one router"}, [](const Row& c) { return c.cost.most_per_router; }},
      {{"mean_wavelengths_per_link", "1", "mean over links and planes"},
       [](const Row& c) { return c.cost.mean_wavelengths_per_link; }}};
  return make_table(std::move(name), columns, spreads);
}

const char* formula_text(alltoall::GroupRule rule) {
  switch (rule) {
    case alltoall::GroupRule::diagonals:
      return "slot = first_slot + (x + y - shift) mod degree, of the source at (x, y)";
    case alltoall::GroupRule::reversed_diagonals:
      return "slot = first_slot + ((columns - x) mod columns + (rows - y) mod rows - shift) mod degree, of the "
             "destination at (x, y)";
    case alltoall::GroupRule::colours:
      break;
  }
  return "slot = first_slot + (colour of column a, x + colour of row b, y + shift) mod degree, of the source at (x, y)";
}

Table group_table(const alltoall::GroupsSchedule& groups) {
  struct Row {
    const alltoall::SlotGroup& group;
    const alltoall::GroupPattern& pattern;
  };
  std::vector<Row> rows;
  for (const alltoall::SlotGroup& g : groups.groups) {
    for (const alltoall::GroupPattern& p : g.patterns) rows.push_back({g, p});
  }
  const Columns<Row> columns{
      {{"first_slot", "1", "first slot of the group"}, [](const Row& r) { return r.group.first; }},
      {{"degree", "1", "number of its slots"}, [](const Row& r) { return r.group.degree; }},
      {{"a", "1", "columns from source to destination, modulo the width"}, [](const Row& r) { return r.pattern.a; }},
      {{"b", "1", "rows from source to destination, modulo the height"}, [](const Row& r) { return r.pattern.b; }},
      {{"shift", "1", "added to the colours"}, [](const Row& r) { return r.pattern.shift; }}};
  return make_table({"groups", "Groups", formula_text(groups.rule)}, columns, rows);
}

Table slot_table(const AllToAllStudy& study) {
  const alltoall::BySlot by_slot(study.made.schedule);
  std::vector<std::uint32_t> rows(by_slot.slots());
  std::iota(rows.begin(), rows.end(), 0);
  Columns<std::uint32_t> columns{
      {{"slot", "1", "slot of the schedule"}, [](std::uint32_t s) { return s; }},
      {{"connections", "1", "connections in it"}, [&](std::uint32_t s) { return by_slot.size(s); }},
      {{"group", "1", "row in the table of groups by first slot; empty after the groups"}, [&](std::uint32_t s) {
         if (!study.made.groups) return Value{};
         const std::uint32_t g = study.made.groups->group_of(s);
         return g < study.made.groups->groups.size() ? whole(g) : Value{};
       }}};
  if (study.plan) {
    columns += Columns<std::uint32_t>{
        {{"time_slot", "1", "time slot it is in"}, [&](std::uint32_t s) { return study.plan->time[s]; }},
        {{"wavelength", "1", "wavelength it is on"}, [&](std::uint32_t s) { return study.plan->wavelength(s); }},
        {{"plane", "1", "plane it is on"}, [&](std::uint32_t s) { return study.plan->plane(s); }}};
  }
  return make_table({"slots", "Slots", "what every slot holds"}, columns, rows);
}

struct GridLink {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint64_t connections = 0;
  std::string name() const { return fmt::format("node {} -> node {}", from, to); }
};

// Links that carry something, by driving node, then direction.
std::vector<GridLink> grid_links(const alltoall::Grid& grid) {
  const std::vector<std::uint64_t> loads = alltoall::count_link_loads(grid);
  const alltoall::Resources resources(grid);
  std::vector<GridLink> out;
  for (std::uint32_t n = 0; n < grid.nodes(); ++n) {
    const std::uint32_t x = n % grid.width;
    const std::uint32_t y = n / grid.width;
    const std::uint32_t to[] = {grid.node((x + 1) % grid.width, y), grid.node((x + grid.width - 1) % grid.width, y),
                                grid.node(x, (y + 1) % grid.height), grid.node(x, (y + grid.height - 1) % grid.height)};
    for (std::uint32_t d = 0; d < 4; ++d) {
      const std::uint64_t load = loads[resources.link(n, d)];
      if (load > 0) out.push_back({n, to[d], load});
    }
  }
  return out;
}

void add_links(const AllToAllStudy& study, ReportData& report) {
  const alltoall::Grid& grid = study.problem.grid;
  const std::vector<GridLink> rows = grid_links(grid);
  const auto slots = static_cast<double>(study.made.schedule.slots);
  const Columns<GridLink> columns{
      {{"link", "", "directed link between routers"}, &GridLink::name},
      {{"connections", "1", "connections over it, each in a slot of its own"}, &GridLink::connections},
      {{"utilization", "%", "slots in which it is used, over all slots"},
       [&](const GridLink& l) { return 100.0 * static_cast<double>(l.connections) / slots; }}};
  Table t =
      make_table({"links", "Links", "Every directed link between routers that carries a connection."}, columns, rows);
  t.bars = bars_of(t, "utilization");
  report.tables.push_back(std::move(t));
  std::vector<NamedLink> links;
  for (const GridLink& l : rows) links.push_back({l.from, l.to, l.name()});
  page_of(report).network = link_view(grid_text(grid), grid.nodes(), {grid.width, grid.height}, links);
}

}  // namespace

ReportData alltoall_report(const AllToAllStudy& study) {
  ReportData report;
  report.title = "All-to-all exchange on " + grid_text(study.problem.grid);
  report.config_file = "command line";
  report.seed = study.problem.options.seed;
  report.has_seed = study.problem.method == alltoall::Method::search || study.plan.has_value();
  report.implementation = "method " + to_string(study.problem.method);
  if (study.made.stopped) {
    report.complete = false;
    report.incomplete_why = "the search was interrupted; this is the best schedule until then";
  }
  if (study.made.too_large) {
    report.notes.emplace_back(study.problem.method == alltoall::Method::exact
                                  ? "not proved: the grid is too large for the solver; only the search was tried"
                                  : "the grid is too large for the search; nothing was tried");
  }
  if (study.made.out_of_time) {
    report.notes.emplace_back(study.problem.method == alltoall::Method::exact ? "not proved: the time limit was reached"
                                                                              : "the time limit was reached");
  }
  report.sections = {problem_section(study), schedule_section(study), time_section(study)};
  if (study.plan) {
    report.sections.push_back(channel_section(study));
    const double nodes = study.problem.grid.nodes();
    report.tables.push_back(
        spread_table({"assignments", "Assignments", "the same slots on the same channels, assigned in several ways"},
                     study.assignments, nodes));
    if (!study.by_channels.empty()) {
      report.tables.push_back(spread_table({"rings_by_channels", "Cost of fewer time slots",
                                            "fewest channels for a bound on time slots cost fewest rings"},
                                           study.by_channels, nodes));
    }
  }
  if (study.made.groups && study.made.groups->groups.size() <= kMostRows) {
    report.tables.push_back(group_table(*study.made.groups));
  }
  if (study.made.schedule.slots <= kMostRows) report.tables.push_back(slot_table(study));
  add_links(study, report);
  return report;
}

std::string alltoall_json(const AllToAllStudy& study) {
  using Json = nlohmann::ordered_json;
  const alltoall::Grid& grid = study.problem.grid;
  const alltoall::Schedule& schedule = study.made.schedule;
  Json j;
  j["schema"] = "weft-alltoall/1";
  j["grid"] = {{"columns", grid.width},
               {"rows", grid.height},
               {"torus", grid.torus},
               {"order", grid.order == alltoall::RouteOrder::kXFirst ? "xy" : "yx"}};
  j["method"] = to_string(study.problem.method);
  j["slots"] = schedule.slots;
  j["lower_bound"] = study.made.lower_bound;
  j["wavelengths"] = study.plan ? study.plan->wavelengths : 1;
  j["planes"] = study.plan ? study.plan->planes : 1;
  j["time_slots"] = study.plan ? study.plan->time_slots : schedule.slots;
  j["connections"] = grid.connections();
  j["schedule_csv"] = "schedule.csv";
  j["schedule"] = nullptr;
  if (grid.connections() <= kMostListed) {
    Json slots = Json::array();
    const alltoall::BySlot by_slot(schedule);
    for (std::uint32_t s = 0; s < schedule.slots; ++s) {
      Json slot;
      slot["time_slot"] = study.plan ? study.plan->time[s] : s;
      slot["wavelength"] = study.plan ? study.plan->wavelength(s) : 0;
      slot["plane"] = study.plan ? study.plan->plane(s) : 0;
      Json pairs = Json::array();
      by_slot.visit(s, [&](alltoall::Connection c) { pairs.push_back({c.source, c.destination}); });
      slot["pairs"] = std::move(pairs);
      slots.push_back(std::move(slot));
    }
    j["schedule"] = std::move(slots);
  }
  return j.dump() + "\n";
}

}  // namespace weft
