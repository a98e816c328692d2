#include "studies/dlt/dlt_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/diagnostics.h"

namespace weft {
namespace {

using dlt::NodeIndex;
using dlt::StarCompute;
using dlt::StarProblem;
using dlt::StarResults;
using dlt::StarShares;
using dlt::Study;

// Longest computation of an instruction.
constexpr double kLongestStep = 1e12;  // ps

// By distance, then number: in the order of the closed form.
DltNodes dlt_nodes(const Study& study) {
  DltNodes out{study.sources.front().node, {}};
  for (NodeIndex n = 0; n < study.network.nodes.size(); ++n) {
    if (n != out.root && study.network.nodes[n].computes) out.others.push_back(n);
  }
  std::stable_sort(out.others.begin(), out.others.end(),
                   [&](NodeId a, NodeId b) { return study.distance[a] < study.distance[b]; });
  return out;
}

StarProblem star_problem(const DltConfig& config, const Study& study, const DltNodes& nodes) {
  StarProblem p;
  const dlt::Node& root = study.network.nodes[nodes.root];
  p.root = root.time;
  p.root_computes = root.computes;
  for (const NodeId n : nodes.others) p.times.push_back(study.network.nodes[n].time);
  p.link = config.sigma;
  p.rounds = config.run->rounds;
  p.results = config.run->results;
  return p;
}

// Shares by node, in equal rounds.
StarShares in_rounds(const std::vector<double>& shares, const DltNodes& nodes, std::uint32_t rounds) {
  StarShares out{shares[nodes.root], {}};
  std::vector<double> round;
  for (const NodeId n : nodes.others) round.push_back(shares[n] / rounds);
  out.messages.assign(rounds, round);
  return out;
}

class NetworkRuns {
 public:
  NetworkRuns(const DltConfig& config, const Study& study, DltNetwork network, DltNetworkStudy& out)
      : config_(config),
        network_(std::move(network)),
        problem_(star_problem(config, study, out.nodes)),
        all_nodes_(static_cast<std::uint32_t>(study.network.nodes.size())),
        out_(out) {
    const dlt::StarNetwork& i = network_.interface();
    const double ps_per_byte = 8.0 * static_cast<double>(i.period.ps) / static_cast<double>(i.flit_bits);
    const double per_byte = ps_per_byte / config.sigma;
    speeds_.root = per_byte * problem_.root;
    for (const double w : problem_.times) speeds_.nodes.push_back(per_byte * w);
    out.unit = per_byte * static_cast<double>(config.run->load) * 1e-3;
    out.reference = study.reference * out.unit;
    network_.measure_latencies(out.nodes);
    out.interface = network_.interface();
  }

  const StarProblem& problem() const { return problem_; }

  void add(const std::string& key, const std::string& meaning, double finish, StarShares shares) {
    DltNetworkAnswer a;
    a.key = key;
    a.meaning = meaning;
    a.shares = std::move(shares);
    a.bytes = dlt::bytes_of(a.shares, config_.run->load, config_.run->results);
    check_times(a);
    a.finish = finish * out_.unit;
    const bool complete = config_.switching == DltSwitching::store_and_forward;
    const StarCompute compute = complete ? StarCompute::when_complete : StarCompute::while_receiving;
    const auto finish_in = [&](StarCompute when, StarResults order) {
      return dlt::star_finish(problem_, a.shares, when, order) * out_.unit;
    };
    a.one_interface = finish_in(compute, StarResults::by_node);
    a.whole_messages = finish_in(StarCompute::when_complete, StarResults::by_node);
    a.result_order = finish_in(StarCompute::when_complete, StarResults::as_ready);
    const dlt::StarNetwork& all = out_.interface;
    a.flits = time({all.period, all.flit_bits}, a);
    a.software = time({all.period, all.flit_bits, all.send_overhead, all.receive_overhead}, a);
    a.latency = time(all, a);
    a.programs = dlt_programs(out_.nodes, all_nodes_, a.bytes, speeds_);
    a.steps = network_.run(a.programs);
    for (const DltStep& s : a.steps) {
      if (s.what != kShareStep || s.node != out_.nodes.root) a.simulated = std::max(a.simulated, s.completed);
    }
    out_.answers.push_back(std::move(a));
  }

 private:
  double time(const dlt::StarNetwork& network, const DltNetworkAnswer& a) const {
    return static_cast<double>(dlt::star_cycles(network, a.bytes, speeds_) * network.period.ps) * 1e-3;
  }

  void check_times(const DltNetworkAnswer& a) const {
    double longest = speeds_.root * static_cast<double>(a.bytes.root);
    for (const auto& round : a.bytes.messages) {
      for (std::size_t i = 0; i < round.size(); ++i) {
        longest = std::max(longest, speeds_.nodes[i] * static_cast<double>(round[i]));
      }
    }
    if (longest <= kLongestStep) return;
    throw InputError(
        config_.run->load_where,
        fmt::format("run.load: a node computes its share of {} B for {:.3g} s, more than the second that an "
                    "instruction may take; use less load or more rounds",
                    config_.run->load, longest * 1e-12));
  }

  const DltConfig& config_;
  DltNetwork network_;
  StarProblem problem_;
  dlt::StarSpeeds speeds_;
  std::uint32_t all_nodes_;
  DltNetworkStudy& out_;
};

}  // namespace

DltNetworkStudy run_dlt(const DltConfig& config, const ConfigDocument& document, const Study& study,
                        const Registry& registry) {
  DltNetworkStudy out;
  const auto all = static_cast<std::uint32_t>(study.network.nodes.size());
  out.nodes = dlt_nodes(study);
  if (out.nodes.others.empty()) throw InputError(config.run->where, "run: no other node computes");
  const std::size_t messages = out.nodes.others.size() * config.run->rounds;
  if (messages > dlt::kMostStarMessages) {
    throw InputError(config.run->where,
                     fmt::format("run: {} messages, of {} nodes in {} rounds, are more than the {} that "
                                 "the linear program is solved for",
                                 messages, out.nodes.others.size(), config.run->rounds, dlt::kMostStarMessages));
  }
  DltNetwork network(*config.run, document, all, registry);
  out.title = network.title();
  out.family = network.family();
  out.topology = network.topology();
  out.rate = network.rate();
  NetworkRuns runs(config, study, std::move(network), out);
  const std::uint32_t rounds = config.run->rounds;
  if (study.predicted) {
    runs.add("closed_form", "1. closed form", study.predicted->finish,
             in_rounds(study.predicted->shares, out.nodes, rounds));
  }
  runs.add("flow", "3. best flow", study.flow.finish, in_rounds(study.flow.shares, out.nodes, rounds));
  if (study.branches) {
    runs.add("messages", "3. best single messages", study.branches->plan.finish,
             in_rounds(study.branches->plan.shares, out.nodes, rounds));
  }
  out.best = dlt::best_star(runs.problem());
  runs.add("interface", "4. best for one interface", out.best.finish, out.best.shares);
  return out;
}

}  // namespace weft
