// Section and table of a FiC report about all-to-all phases.

#include <algorithm>
#include <optional>

#include "observe/columns.h"
#include "run/tdm/tdm_report.h"

namespace weft {
namespace {

// Cycles from the beginning of a phase until its last word has arrived, when every circuit sends its words in one frame
// after the other from the first one on.
std::optional<Cycle> predicted_end(const PhaseConfig& phase, const PhasePlan& plan, const TdmConfig& config) {
  const TdmSourcesConfig& t = phase.sources;
  if (t.arrivals != &kSaturatedArrivals || !t.messages || *t.messages == 0) return std::nullopt;
  const std::int64_t bits = config.tdm_switch.word_bits();
  const auto words = static_cast<Cycle>(*t.messages) * ((t.message.bits + bits - 1) / bits);
  Cycle end = 0;
  for (const CircuitPlan& c : plan.circuits) {
    const Cycle sent = Cycle{c.injection.front()} + (words - 1) * Cycle{config.tdm_switch.slots};
    end = std::max(end, sent + c.transit.front().front());
  }
  return end;
}

}  // namespace

ReportSection alltoall_section(const TdmPlatform& platform, const std::vector<PhaseTimes>* times) {
  const TdmConfig& config = platform.config();
  const Cycle frame = config.tdm_switch.slots;
  Cycle predicted_frames = 0, predicted_cycles = 0, used_frames = 0, used_cycles = 0;
  LinkChannels channels;
  bool any = false, ended = times != nullptr;
  for (std::size_t p = 0; p < config.phases.size(); ++p) {
    const PhaseConfig& phase = config.phases[p];
    if (!phase.alltoall && phase.schedule_file.empty()) continue;
    const std::optional<Cycle> cycles = predicted_end(phase, platform.phases()[p], config);
    if (!cycles) return {};
    any = true;
    if (platform.phases()[p].channels.count() > channels.count()) channels = platform.phases()[p].channels;
    predicted_cycles += *cycles;
    predicted_frames += *cycles / frame + 1;
    if (!ended) continue;
    const PhaseTimes& t = (*times)[p];
    ended = t.data_end >= 0;
    used_cycles += t.data_end - t.data_start;
    used_frames += (t.data_end - t.data_start) / frame + 1;
  }
  if (!any) return {};
  ReportSection s{"alltoall", "All-to-all exchange", {}};
  s.figures = {{{"frames_predicted", "1", "frames from the first word to the last arrival, by slots and routes"},
                predicted_frames,
                true},
               {{"cycles_predicted", "cycles", "the same to the cycle"}, predicted_cycles, true},
               {{"time_predicted", "ns", "that many cycles of the clock"},
                static_cast<double>(predicted_cycles) * static_cast<double>(config.tdm_switch.period.ps) / 1000.0,
                false}};
  if (channels.count() > 1) {
    s.figures.insert(
        s.figures.begin(),
        {{{"wavelengths", "1", "of each plane; of several phases, the one with most"}, channels.wavelengths, true},
         {{"planes", "1", "that work at the same time, on parallel links"}, channels.planes, true}});
  }
  if (times == nullptr) return s;
  s.figures.push_back({{"frames_used", "1", "frames from the first word to the last arrival, simulated"},
                       ended ? Value{used_frames} : Value{},
                       true});
  s.figures.push_back({{"cycles_used", "cycles", "the same to the cycle"}, ended ? Value{used_cycles} : Value{}, true});
  return s;
}

namespace {

// Wavelength of a plane in a phase: the links of one number.
struct ChannelRow {
  std::size_t phase = 0;
  std::uint32_t channel = 0;
  std::size_t connections = 0;
  std::uint32_t slots = 0;
  std::uint64_t link_slots = 0;
  std::uint64_t links = 0;
  std::uint64_t words = 0;
};

std::vector<ChannelRow> channel_rows(const TdmPlatform& platform, const TdmLinkStats& stats) {
  const Graph& graph = platform.graph();
  std::vector<ChannelRow> rows;
  for (std::size_t p = 0; p < platform.phases().size(); ++p) {
    const PhasePlan& phase = platform.phases()[p];
    const std::uint32_t count = phase.channels.count();
    if (count == 1) continue;
    const std::size_t first = rows.size();
    for (std::uint32_t c = 0; c < count; ++c) rows.push_back({p, c});
    for (const CircuitPlan& c : phase.circuits) {
      ChannelRow& row = rows[first + c.node_links.front()];
      ++row.connections;
      row.slots = std::max<std::uint32_t>(row.slots, c.injection.back() + 1U);
    }
    for (LinkId l = 0; l < graph.link_count(); ++l) {
      const auto bundle = graph.bundle(l);
      for (std::uint32_t c = 0; !bundle.empty() && bundle.front() == l && c < count; ++c) {
        rows[first + c].link_slots += stats.reserved(p, bundle[c]);
        rows[first + c].words += stats.words(p, bundle[c]);
        ++rows[first + c].links;
      }
    }
  }
  return rows;
}

}  // namespace

Table channels_table(const TdmPlatform& platform, const TdmLinkStats& links, bool measured) {
  const auto phase = [&](const ChannelRow& r) -> const PhasePlan& { return platform.phases()[r.phase]; };
  const double frame = platform.config().tdm_switch.slots;
  Columns<ChannelRow> columns{
      {{"phase", "", "name of the phase"}, [&](const ChannelRow& r) { return phase(r).name; }},
      {{"wavelength", "", "from 0"}, [&](const ChannelRow& r) { return phase(r).channels.wavelength(r.channel); }},
      {{"plane", "", "from 0"}, [&](const ChannelRow& r) { return phase(r).channels.plane(r.channel); }},
      {{"connections", "1", "circuits that have it"}, &ChannelRow::connections},
      {{"slots_used", "1", "its highest slot number in use + 1"}, &ChannelRow::slots},
      {{"link_slots", "1", "slots per frame held by circuits, over its links, those of hosts included"},
       &ChannelRow::link_slots},
      {{"occupancy", "%", "the same over all slots of its links"}, [&](const ChannelRow& r) {
         return 100.0 * static_cast<double>(r.link_slots) / (static_cast<double>(r.links) * frame);
       }}};
  if (measured) columns.push_back({{"words", "1", "words that crossed its links"}, &ChannelRow::words});
  Table t = make_table({"channels", "Wavelengths and planes",
                        "One line per wavelength and plane of an all-to-all phase: the link of one number in every "
                        "bundle, with slot tables of its own."},
                       columns, channel_rows(platform, links));
  t.bars = bars_of(t, "occupancy");
  return t;
}

}  // namespace weft
