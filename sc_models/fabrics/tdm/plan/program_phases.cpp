#include "fabrics/tdm/plan/program_phases.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "algorithms/collectives/circuit_layers.h"
#include "algorithms/collectives/circuit_rounds.h"
#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "fabrics/tdm/plan/circuit_colours.h"

namespace weft {
namespace {

using collectives::CircuitLayers;
using collectives::CircuitMessage;
using collectives::CircuitRounds;
using collectives::PairMessages;
using collectives::PhasedPrograms;

/// Circuits that belong together, in one phase or in several of which each has a part.
struct CircuitSet {
  std::uint32_t colours = 0;
  bool scheduled = false;                // by the systematic schedule
  LinkChannels channels;                 // of that schedule
  std::vector<std::uint32_t> phases;     // of its parts
  std::map<Ends, std::uint32_t> part;    // of a circuit
  std::map<Ends, CircuitId> circuit_of;  // of its ends
};

// Links in bundles of a circuit of one slot, for `slots` slots.
LaneLinks of_all_slots(LaneLinks links, std::uint32_t slots) {
  for (auto& tree : links) {
    for (auto& edge : tree) {
      if (!edge.empty()) edge.assign(slots, edge.front());
    }
  }
  return links;
}

class PhasePlanner {
 public:
  PhasePlanner(const TdmConfig& config, const Graph& graph, const CircuitRouting& routing,
               const AllocationOptions& options, const TdmTiming& timing)
      : config_(config),
        graph_(graph),
        options_(options),
        timing_(timing),
        network_{config, graph, routing, options, timing},
        layers_(collectives::circuit_layers(config.programs, graph.nodes())) {}

  ProgramPhases plan() {
    PhasedPrograms& programs = out_.programs;
    for (const NodeProgram& p : config_.programs) programs.instructions.emplace_back(p.instructions.size());
    for (std::size_t i = 0; i < layers_.layers.size(); ++i) {
      programs.between.push_back(add_messages(layers_.between[i]));
      add_layer(i);
    }
    programs.between.push_back(add_messages(layers_.between.back()));
    if (out_.order.empty()) {  // nothing is sent
      out_.phases.push_back(make_phase_plan(graph_, "programs", {}, options_, timing_, 0));
      out_.order.push_back(0);
    }
    describe();
    return std::move(out_);
  }

 private:
  struct LayerPlan {
    std::uint32_t work = 0;
    std::vector<std::uint32_t> phases;            // of its steps
    std::vector<std::string> algorithms;          // of its collectives
    std::vector<std::vector<std::uint32_t>> own;  // those of the phases in which each collective has circuits
  };
  using CollectiveKey = std::tuple<ProgramOp, std::uint64_t, NodeId, NodeList>;

  // The step of the messages; kNoStep: there are none.
  std::uint32_t add_messages(const std::vector<PairMessages>& messages) {
    if (messages.empty()) return PhasedPrograms::kNoStep;
    std::vector<Ends> ends;
    for (const PairMessages& m : messages) ends.push_back({m.source, {m.destination}});
    const Location& where = messages.front().where;
    const CircuitSet& set = set_of(ends, {}, "messages", where);
    if (set.phases.size() > 1) {
      throw InputError(where, fmt::format("the messages between two collectives over circuits, the first of which is "
                                          "sent here, need {} circuits at the same time and {} slots per frame; "
                                          "switch.slots is {}",
                                          ends.size(), set.colours, options_.slots));
    }
    for (const PairMessages& m : messages) {
      count(set.circuit_of.at({m.source, {m.destination}}), m.shortest, m.longest, m.longest_where);
    }
    return add_step(set.phases.front());
  }

  // A step with the circuits of the one before is that.
  std::uint32_t add_step(std::uint32_t phase) {
    if (out_.order.empty() || out_.order.back() != phase) out_.order.push_back(phase);
    return static_cast<std::uint32_t>(out_.order.size() - 1);
  }

  void count(CircuitId circuit, std::uint64_t shortest, std::uint64_t longest, const Location& where) {
    CircuitMessages& m = out_.messages[circuit];
    m.shortest = std::min(m.shortest, shortest);
    if (m.where.line > 0 && longest <= m.longest) return;
    m.longest = std::max(m.longest, longest);
    m.where = where;
  }

  void add_layer(std::size_t number) {
    const std::vector<const ProgramInstruction*>& collectives = layers_.layers[number];
    std::vector<CollectiveKey> key;
    for (const ProgramInstruction* c : collectives) key.emplace_back(c->op, c->bytes, c->root, c->group);
    auto at = known_.find(key);
    if (at == known_.end()) at = known_.emplace(std::move(key), plan_layer(collectives)).first;
    const LayerPlan& plan = at->second;
    PhasedPrograms::Layer layer{plan.work, {}};
    for (const std::uint32_t phase : plan.phases) layer.steps.push_back(add_step(phase));
    out_.programs.layers.push_back(std::move(layer));
    plans_.push_back(&plan);
  }

  LayerPlan plan_layer(const std::vector<const ProgramInstruction*>& collectives) {
    LayerPlan out;
    out.work = static_cast<std::uint32_t>(out_.programs.works.size());
    std::vector<CircuitRounds> all;
    std::size_t rounds = 0;
    for (const ProgramInstruction* c : collectives) {
      all.push_back(collectives::circuit_rounds(*c));
      out.algorithms.push_back(all.back().algorithm);
      rounds = std::max(rounds, all.back().rounds.size());
    }
    std::vector<std::set<std::uint32_t>> steps(all.size());  // of each collective
    collectives::NodeRounds work(graph_.nodes());
    for (std::size_t r = 0; r < rounds; ++r) {
      std::vector<Ends> ends;
      std::uint64_t bytes = 0;
      for (const CircuitRounds& c : all) {
        if (r >= c.rounds.size()) continue;
        for (const CircuitMessage& m : c.rounds[r]) {
          ends.emplace_back(m.source, m.destinations);
          bytes = std::max(bytes, m.bytes);
        }
      }
      const CircuitSet& set = set_of(ends, bytes, to_string(collectives.front()->op), collectives.front()->where);
      const auto first = static_cast<std::uint32_t>(out.phases.size());
      out.phases.insert(out.phases.end(), set.phases.begin(), set.phases.end());
      if (set.scheduled) out.algorithms.front() = "slot_schedule";
      for (std::size_t c = 0; c < all.size(); ++c) {
        if (r >= all[c].rounds.size()) continue;
        for (const CircuitMessage& m : all[c].rounds[r]) {
          const Ends own{m.source, m.destinations};
          count(set.circuit_of.at(own), m.bytes, m.bytes, collectives[c]->where);
          work.add(first + set.part.at(own), m);
          steps[c].insert(first + set.part.at(own));
        }
      }
    }
    for (const std::set<std::uint32_t>& s : steps) {
      out.own.emplace_back();
      for (const std::uint32_t step : s) out.own.back().push_back(out.phases[step]);
    }
    out_.programs.works.push_back(work.take());
    return out;
  }

  // `bytes`: of the longest message of a round, which may be cut; nothing: all circuits are needed at once.
  const CircuitSet& set_of(std::vector<Ends> ends, std::optional<std::uint64_t> bytes, const std::string& name,
                           const Location& where) {
    std::sort(ends.begin(), ends.end());
    auto coloured = colourings_.find(ends);
    if (coloured == colourings_.end()) coloured = colourings_.emplace(ends, network_.colour(ends, where)).first;
    const ColouredCircuits& c = coloured->second;
    const std::uint32_t parts = bytes ? network_.best_parts(c, *bytes) : network_.least_parts(c);
    const auto at = sets_.find({ends, parts});
    if (at != sets_.end()) return at->second;
    return sets_.emplace(std::pair(ends, parts), make_set(ends, c, parts, name)).first->second;
  }

  CircuitSet make_set(const std::vector<Ends>& ends, const ColouredCircuits& c, std::uint32_t parts,
                      const std::string& name) {
    CircuitSet set;
    set.colours = network_.slots_needed(c);
    set.scheduled = c.scheduled;
    set.channels = c.channels;
    const std::uint32_t each = parts == 1 ? std::max(c.colours, 1U) : (c.colours + parts - 1) / parts;
    for (std::uint32_t part = 0; part < parts; ++part) {
      std::vector<Ends> own;
      std::vector<Flow> flows;
      std::vector<std::uint32_t> colours;
      std::vector<LaneLinks> links;
      for (std::size_t i = 0; i < ends.size(); ++i) {
        if (c.colour[i] / each != part) continue;
        own.push_back(ends[i]);
        flows.push_back(c.flows[i]);
        colours.push_back(c.colour[i] % each);
        if (!c.links.empty()) links.push_back(c.links[i]);
      }
      if (own.empty()) continue;
      need_plan(flows);
      add_phase(set, own, std::move(flows), colours, links,
                parts == 1 ? name : fmt::format("{}_{}of{}", name, part + 1, parts));
    }
    return set;
  }

  // Memory of all phases so far and another one.
  void need_plan(const std::vector<Flow>& flows) {
    for (const Flow& f : flows) {
      for (const CircuitTree& t : f.trees) size_.edges += t.edges.size();
    }
    size_.slots = options_.slots;
    size_.ports += graph_.total_ports();
    size_.circuits += flows.size();
    need_memory(plan_bytes(size_), flows.front().where,
                fmt::format("the plan of {} circuits in {} phases", size_.circuits, out_.phases.size() + 1));
  }

  // `colours`: of the circuits, from 0 on; `links`: in bundles, of a slot of each.
  void add_phase(CircuitSet& set, const std::vector<Ends>& ends, std::vector<Flow> flows,
                 const std::vector<std::uint32_t>& colours, const std::vector<LaneLinks>& links,
                 const std::string& name) {
    const auto first = static_cast<CircuitId>(out_.messages.size());
    const std::string numbered = fmt::format("{}_{}", out_.phases.size() + 1, name);
    const auto number = static_cast<std::uint32_t>(out_.phases.size());
    const std::uint32_t used = options_.slot_update ? minimum_slots(graph_, flows).slots
                                                    : *std::max_element(colours.begin(), colours.end()) + 1;
    const std::uint32_t slots = options_.slots / used;
    for (Flow& f : flows) f.slots = slots;
    if (options_.slot_update) {
      out_.phases.push_back(make_phase_plan(graph_, numbered, std::move(flows), options_, timing_, first));
    } else {
      Allocation given;
      given.slots_used = used * slots;
      for (std::size_t i = 0; i < colours.size(); ++i) {
        FlowSlots own;
        for (std::uint32_t k = 0; k < slots; ++k) own.common.push_back(static_cast<Slot>(colours[i] + k * used));
        if (!links.empty()) own.links = of_all_slots(links[i], slots);
        given.flows.push_back(std::move(own));
      }
      out_.phases.push_back(
          make_phase_plan(graph_, numbered, std::move(flows), std::move(given), options_, timing_, first));
    }
    out_.phases.back().channels = set.channels;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      set.part.emplace(ends[i], static_cast<std::uint32_t>(set.phases.size()));
      set.circuit_of.emplace(ends[i], out_.phases.back().circuits[i].id);
    }
    out_.messages.resize(first + out_.phases.back().circuits.size());
    set.phases.push_back(number);
  }

  void describe() {
    for (std::uint32_t p = 0; p < config_.programs.size(); ++p) {
      const std::vector<ProgramInstruction>& all = config_.programs[p].instructions;
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (!is_collective(all[i].op)) continue;
        const CircuitLayers::Place& place = layers_.places[p][i];
        CarriedCollective c{p, i, "", place.refusal};
        if (place.layer != CircuitLayers::kMessages) {
          const auto& own = layers_.layers[place.layer];
          const auto same = std::find_if(own.begin(), own.end(),
                                         [&](const ProgramInstruction* other) { return other->group == all[i].group; });
          const LayerPlan& plan = *plans_[place.layer];
          const auto number = static_cast<std::size_t>(same - own.begin());
          c.algorithm = plan.algorithms[number];
          c.phases = plan.own[number];
          out_.programs.instructions[p][i] = {place.layer, c.algorithm};
        }
        out_.collectives.push_back(std::move(c));
      }
    }
  }

  const TdmConfig& config_;
  const Graph& graph_;
  const AllocationOptions& options_;
  const TdmTiming& timing_;
  const CircuitColouring network_;
  const CircuitLayers layers_;
  ProgramPhases out_;
  PlanSize size_;
  std::map<std::vector<Ends>, ColouredCircuits> colourings_;
  std::map<std::pair<std::vector<Ends>, std::uint32_t>, CircuitSet> sets_;  // by circuits and parts
  std::map<std::vector<CollectiveKey>, LayerPlan> known_;
  std::vector<const LayerPlan*> plans_;  // by layer
};

}  // namespace

ProgramPhases plan_program_phases(const TdmConfig& config, const Graph& graph, const CircuitRouting& routing,
                                  const AllocationOptions& options, const TdmTiming& timing) {
  return PhasePlanner(config, graph, routing, options, timing).plan();
}

}  // namespace weft
