#include "fabrics/tdm/observe/link_stats.h"

#include <cstddef>

#include "observe/vocabulary.h"

namespace weft {

TdmLinkStats::TdmLinkStats(const Graph& graph, const std::vector<PhasePlan>& phases, std::uint32_t slots)
    : graph_(graph), phases_(phases), slots_(slots) {
  for (const PhasePlan& p : phases) {
    loads_.push_back(reserved_slots(graph, p));
    words_.emplace_back(graph.link_count(), 0);
  }
}

void TdmLinkStats::on_phase(std::size_t phase, Cycle) { phase_ = phase; }

void TdmLinkStats::on_inject(NodeId source, std::uint32_t link, const Train& train) {
  words_[phase_][graph_.injection_link(source, link)] += train.words;
}

void TdmLinkStats::on_inject_cut(NodeId source, std::uint32_t link, const TrainCut& cut) {
  words_[phase_][graph_.injection_link(source, link)] -= cut.announced - cut.words;
}

void TdmLinkStats::on_hop(SwitchId sw, PortId out, const Train& train) {
  words_[phase_][graph_.out_link(sw, out)] += train.words;
}

void TdmLinkStats::on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) {
  words_[phase_][graph_.out_link(sw, out)] -= cut.announced - cut.words;
}

std::vector<std::uint64_t> TdmLinkStats::numbers() const {
  std::vector<std::uint64_t> out;
  for (const auto& phase : words_) out.insert(out.end(), phase.begin(), phase.end());
  return out;
}

void TdmLinkStats::set_numbers(const std::vector<std::uint64_t>& numbers) {
  auto from = numbers.begin();
  for (auto& phase : words_) {
    const auto end = from + static_cast<std::ptrdiff_t>(phase.size());
    phase.assign(from, end);
    from = end;
  }
}

std::uint64_t TdmLinkStats::word_hops() const {
  std::uint64_t n = 0;
  for (const auto& phase : words_) {
    for (LinkId l = 0; l < graph_.total_ports(); ++l) n += phase[l];
  }
  return n;
}

namespace {

const TableName kLinks{
    "links", "Links",
    "One line per phase and directed link that has a reserved slot; host links are links like any other."};

}  // namespace

std::vector<TdmLinkStats::Row> TdmLinkStats::rows() const {
  std::vector<Row> out;
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    for (LinkId l = 0; l < graph_.link_count(); ++l) {
      if (loads_[p][l] > 0) out.push_back({p, l});
    }
  }
  return out;
}

Columns<TdmLinkStats::Row> TdmLinkStats::plan_columns() const {
  return {{{"phase", "", "name of the phase"}, [this](const Row& r) { return phases_[r.phase].name; }},
          {vocabulary::kLink, [this](const Row& r) { return graph_.link_name(r.link); }},
          {{"reserved_slots", "1", "slots per frame held by circuits"},
           [this](const Row& r) { return loads_[r.phase][r.link]; }},
          {{"occupancy", "%", "reserved slots over the slots of a frame"},
           [this](const Row& r) { return 100.0 * loads_[r.phase][r.link] / slots_; }}};
}

Table TdmLinkStats::plan_table() const {
  Table t = make_table(kLinks, plan_columns(), rows());
  t.bars = bars_of(t, "occupancy");
  return t;
}

Table TdmLinkStats::table(const std::vector<Cycle>& data_cycles, bool complete) const {
  const auto words = [this](const Row& r) { return words_[r.phase][r.link]; };
  Columns<Row> columns = plan_columns();
  columns +=
      Columns<Row>{{{"words", "1", "words that crossed the link"},
                    [&](const Row& r) { return complete ? as_value(words(r)) : Value{}; }},
                   {vocabulary::refined(vocabulary::kUtilization, "from data start to the last delivery of the phase"),
                    [&](const Row& r) {
                      if (!complete || data_cycles[r.phase] <= 0) return Value{};
                      return Value{100.0 * static_cast<double>(words(r)) / static_cast<double>(data_cycles[r.phase])};
                    }}};
  Table t = make_table(kLinks, columns, rows());
  t.bars = bars_of(t, vocabulary::kUtilization.key);
  return t;
}

Table TdmLinkStats::carried(Cycle cycles) const {
  std::vector<LinkId> used;
  for (LinkId l = 0; l < graph_.link_count(); ++l) {
    if (words_.front()[l] > 0) used.push_back(l);
  }
  const Columns<LinkId> columns{
      {vocabulary::kLink, [this](LinkId l) { return graph_.link_name(l); }},
      {{"words", "1", "words that crossed the link, those sent again included"},
       [this](LinkId l) { return words_.front()[l]; }},
      {vocabulary::refined(vocabulary::kUtilization, "the time of the run"), [&](LinkId l) {
         return cycles <= 0 ? Value{}
                            : Value{100.0 * static_cast<double>(words_.front()[l]) / static_cast<double>(cycles)};
       }}};
  Table t = make_table({"links", "Links", "Every directed link that carried words; requests and answers not counted."},
                       columns, used);
  t.bars = bars_of(t, vocabulary::kUtilization.key);
  return t;
}

}  // namespace weft
