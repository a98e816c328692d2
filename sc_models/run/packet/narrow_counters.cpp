#include "run/packet/narrow_counters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "observe/columns.h"
#include "observe/values.h"

namespace weft {
namespace {

constexpr unsigned kWidestCounter = 32;  // that DeficitTable takes, but for those as wide as it takes

// Programs end in packets that are smaller than the others; traffic and traces send messages of one size.
CounterNeeds needs_of(const PacketPlatform& platform) {
  std::vector<std::uint32_t> messages;
  for (const LevelConfig& l : platform.config().levels) messages.push_back(l.packet);
  return {platform.scheduler().table, messages,
          platform.config().programs.empty() ? MessageSizes::all_largest : MessageSizes::any};
}

// Of the widths above 8 bits the compiled RTL has only the one that never saturates.
unsigned advised_bits(const PacketPlatform& platform, const CounterNeeds& needs) {
  return platform.has_rtl_schedulers() || needs.bits() > kWidestCounter ? 0 : needs.bits();
}

}  // namespace

bool narrow_counters(const PacketPlatform& platform) {
  return !platform.architecture().flit_by_flit && platform.scheduler().type == &kDtableScheduler &&
         platform.scheduler().counter_bits > 0;
}

ReportSection narrow_counters_section(const PacketPlatform& platform) {
  const SchedulerConfig& s = platform.scheduler();
  const CounterNeeds needs = needs_of(platform);
  const auto limit = IbTableImage::limit(s.table, s.counter_bits);
  std::vector<std::string> levels;
  for (const ServiceLevel sl : needs.saturating(s.counter_bits)) levels.push_back(platform.config().levels[sl].name);
  ReportSection out{"counters", "Counters of the Deficit Tables", {}};
  out.figures = {{{"counter_bits", "bits", "width of the deficit counters and of the accumulated weight"},
                  std::int64_t{s.counter_bits},
                  true},
                 {{"fits_ib_tables", "", "whether the arbitration tables of InfiniBand hold table and counters"},
                  limit ? "no: " + *limit : std::string("yes"),
                  true},
                 {{"can_saturate", "", "levels with which a counter of that width can saturate"},
                  levels.empty() ? std::string("none") : fmt::format("{}", fmt::join(levels, ", ")),
                  true},
                 {{"never_saturate", "bits", "least width with which no counter ever saturates"},
                  std::int64_t{needs.bits()},
                  false}};
  return out;
}

std::vector<Diagnostic> narrow_counters_warnings(const PacketPlatform& platform) {
  if (!narrow_counters(platform)) return {};
  const unsigned bits = platform.scheduler().counter_bits;
  const CounterNeeds needs = needs_of(platform);
  std::vector<std::string> levels;
  for (const ServiceLevel sl : needs.saturating(bits)) {
    levels.push_back(fmt::format("'{}' can reach {}", platform.config().levels[sl].name, needs.largest(sl)));
  }
  if (levels.empty()) return {};
  return {
      {Severity::warning, platform.config().counter_bits_where,
       fmt::format("qos.dtable.counter_bits: counters of {} bits hold {} credits, a weight and a deficit of {}; what "
                   "is above is lost, and the shares of the link are not those of the table. "
                   "counter_bits: {} never saturates",
                   bits, (std::uint64_t{1} << bits) - 1, fmt::join(levels, ", of "), advised_bits(platform, needs))}};
}

void add_saturations(const PacketPlatform& platform, const std::vector<Saturations>& ports, ReportData& report) {
  std::uint64_t count = 0;
  std::uint64_t lost = 0;
  bool told = true;
  const Saturations* worst = nullptr;
  std::vector<Saturations> rows;
  for (const Saturations& p : ports) {
    if (p.count == 0) continue;
    rows.push_back(p);
    count += p.count;
    lost += p.credits_lost.value_or(0);
    told = told && p.credits_lost.has_value();
    if (worst == nullptr || p.count > worst->count) worst = &p;
  }
  auto& figures = report.sections.back().figures;
  figures.push_back(
      {{"saturations", "1", "selections whose accumulated weight did not fit its counter"}, whole(count), true});
  figures.push_back({{"credits_lost", "credits", "what did not fit; not known where RTL alone has saturated"},
                     told ? Value{whole(lost)} : Value{},
                     true});
  if (worst != nullptr) {
    report.notes.push_back(fmt::format(
        "counters of {} bits saturated {} times, at {} of {} outputs and NICs, most often ({}) at {}; the credits lost "
        "distort the shares of the link; qos.dtable.counter_bits: {} never saturates",
        platform.scheduler().counter_bits, count, rows.size(), ports.size(), worst->count, worst->port,
        advised_bits(platform, needs_of(platform))));
  }
  const Columns<Saturations> columns{
      {{"port", "", "output of a switch, or NIC"}, &Saturations::port},
      {{"saturations", "1", "selections whose accumulated weight did not fit its counter"}, &Saturations::count},
      {{"credits_lost", "credits", "what did not fit; the RTL alone does not tell it"}, &Saturations::credits_lost}};
  Table t = make_table({"saturations", "Saturated counters",
                        "Every output and NIC whose Deficit Table had a counter that saturated in the whole run."},
                       columns, rows);
  t.bars = bars_of(t, "saturations");
  report.tables.push_back(std::move(t));
}

Table ib_tables(const IbTableImage& image) {
  struct Row {
    std::string table;
    std::size_t place;
    IbTableImage::Entry entry;
    std::string holds;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < IbTableImage::kEntries; ++i) {
    rows.push_back({"high", i, image.high()[i], image.high_holds(i)});
  }
  for (std::size_t i = 0; i < IbTableImage::kEntries; ++i) {
    rows.push_back({"low", i, image.low()[i], image.low_holds(i)});
  }
  const Columns<Row> columns{
      {{"table", "", "High-priority or low-priority table."}, &Row::table},
      {{"entry", "", "Place in it."}, &Row::place},
      {{"vl", "", "Its VL field; in an entry of the Deficit Table the number of the service level."},
       [](const Row& r) { return r.entry.vl; }},
      {{"weight", "", "Its weight field: credits."}, [](const Row& r) { return r.entry.weight; }},
      {{"holds", "", "What the entry is used for."}, &Row::holds}};
  return make_table(
      {"ib_tables", "InfiniBand's arbitration tables",
       "The Deficit Table and its counters, as they are at the start, in the two arbitration tables of an "
       "InfiniBand port."},
      columns, rows);
}

}  // namespace weft
