#include "fabrics/tdm/observe/link_stats.h"

namespace weft {

TdmLinkStats::TdmLinkStats(const Graph& graph, const std::vector<PhasePlan>& phases, std::uint32_t slots)
    : graph_(graph), phases_(phases), slots_(slots) {
  for (const PhasePlan& p : phases) {
    loads_.push_back(link_loads(graph, p.flows));
    words_.emplace_back(graph.link_count(), 0);
  }
}

void TdmLinkStats::on_phase(std::size_t phase, Cycle) { phase_ = phase; }

void TdmLinkStats::on_inject(NodeId source, const Train& train) {
  words_[phase_][graph_.injection_link(source)] += train.words;
}

void TdmLinkStats::on_hop(SwitchId sw, PortId out, const Train& train) {
  words_[phase_][graph_.out_link(sw, out)] += train.words;
}

void TdmLinkStats::on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) {
  words_[phase_][graph_.out_link(sw, out)] -= cut.announced - cut.words;
}

std::uint64_t TdmLinkStats::word_hops() const {
  std::uint64_t n = 0;
  for (const auto& phase : words_) {
    for (LinkId l = 0; l < graph_.total_ports(); ++l) n += phase[l];
  }
  return n;
}

Table TdmLinkStats::plan_table() const {
  Table t;
  t.key = "links";
  t.title = "Links";
  t.meaning = "One line per phase and directed link that has a reserved slot; host links are links like any other.";
  t.columns = {{"phase", "", "name of the phase"},
               {"link", "", "sending port and receiver"},
               {"reserved_slots", "1", "slots per frame held by circuits"},
               {"occupancy", "%", "reserved slots over the slots of a frame"}};
  t.bars = {.column = 3};
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    for (LinkId l = 0; l < graph_.link_count(); ++l) {
      if (loads_[p][l] == 0) continue;
      t.rows.push_back(
          {phases_[p].name, graph_.link_name(l), std::int64_t{loads_[p][l]}, 100.0 * loads_[p][l] / slots_});
    }
  }
  return t;
}

Table TdmLinkStats::table(const std::vector<Cycle>& data_cycles, bool complete) const {
  Table t = plan_table();
  t.columns.push_back({"words", "1", "words that crossed the link"});
  t.columns.push_back({"utilization", "%", "words over the cycles from data start to the last delivery of the phase"});
  t.bars = {.column = 5};
  auto row = t.rows.begin();
  for (std::size_t p = 0; p < phases_.size(); ++p) {
    for (LinkId l = 0; l < graph_.link_count(); ++l) {
      if (loads_[p][l] == 0) continue;
      Value words;
      Value utilization;
      if (complete) words = static_cast<std::int64_t>(words_[p][l]);
      if (complete && data_cycles[p] > 0) {
        utilization = 100.0 * static_cast<double>(words_[p][l]) / static_cast<double>(data_cycles[p]);
      }
      row->push_back(words);
      row->push_back(utilization);
      ++row;
    }
  }
  return t;
}

}  // namespace weft
