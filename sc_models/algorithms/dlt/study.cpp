#include "algorithms/dlt/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/dlt/branches.h"
#include "algorithms/dlt/simulate.h"

namespace weft::dlt {
namespace {

// Time of a link over time of a node in a homogeneous network: not config.sigma when all links, or all nodes, have
// another inverse speed than 1.
double effective_sigma(const DltConfig& config, const Network& network) {
  return network.links.empty() ? config.sigma : network.links.front().time / network.nodes.front().time;
}

std::string reason_to_refuse(const DltConfig& config, const Network& network, const std::vector<Source>& sources) {
  if (sources.size() > 1) return "the closed form is for one injection point";
  if (!network.homogeneous) return "the closed form is for a homogeneous network: all nodes compute, all speeds equal";
  const double sigma = effective_sigma(config, network);
  if (sigma < 1) return {};
  return fmt::format("the closed form is for links faster than nodes; with these speeds sigma is {:.6g}, not below 1",
                     sigma);
}

NodeCounts count_nodes(const std::vector<std::uint32_t>& distance) {
  NodeCounts counts;
  for (const std::uint32_t d : distance) {
    if (d == kUnreached) continue;
    if (d >= counts.size()) counts.resize(d + 1);
    ++counts[d];
  }
  return counts;
}

std::vector<double> shares_by_node(const Study& study, const Prediction& prediction) {
  std::vector<double> shares;
  for (const std::uint32_t d : study.distance) shares.push_back(prediction.shares[d]);
  return shares;
}

PredictedShares predict(const DltConfig& config, const Study& study) {
  if (study.counts.size() > kMostDistances) {
    throw InputError(config.topology.where, fmt::format("{} has nodes at {} distances; the flow matrix is built for {}",
                                                        study.network.name, study.counts.size(), kMostDistances));
  }
  PredictedShares out;
  out.sigma = effective_sigma(config, study.network);
  out.closed = closed_form(study.counts, out.sigma, config.switching);
  out.finish = out.closed.shares[0] * study.reference;
  out.matrix = solve_flow_matrix(flow_matrix(study.counts, out.sigma, config.switching), config.sigma_where);
  for (std::size_t d = 0; d < study.counts.size(); ++d) {
    const double difference = std::abs(out.closed.shares[d] - out.matrix.prediction.shares[d]);
    out.difference = std::max(out.difference, difference / out.closed.shares[0]);
  }
  const double determinant = std::abs(out.matrix.determinant_speedup / out.closed.speedup - 1);
  if (std::max(out.difference, determinant) > kAgreement) {
    throw RunError(fmt::format("flow matrix and closed form differ by {:.1e}, the determinant by {:.1e}",
                               out.difference, determinant));
  }
  out.shares = shares_by_node(study, out.closed);
  return out;
}

SimulatedShares simulate_prediction(const DltConfig& config, const Study& study, const std::vector<double>& shares) {
  const NodeIndex source = study.sources.front().node;
  SimulatedShares out;
  out.messages = tree_messages(study.network, source, shares, config.routes, config.topology.where);
  out.messages.insert(out.messages.begin(), {source, shares[source], {}, 0});
  out.distribution = simulate(study.network, out.messages, config.switching);
  return out;
}

void check_flow(Study& study) {
  const std::size_t pieces = flow_messages(study.network, study.sources, study.flow, 1).size();
  study.rounds = static_cast<std::uint32_t>(std::clamp<std::size_t>(200'000 / pieces, 4, 64));
  const auto messages = flow_messages(study.network, study.sources, study.flow, study.rounds);
  study.rounds_makespan = simulate(study.network, messages, DltSwitching::store_and_forward).makespan;
  const double hops = static_cast<double>(longest_path(messages));
  study.rounds_limit = study.flow.finish * (1 + hops / study.rounds);
}

void add_branches(const DltConfig& config, Study& study) {
  if (config.switching != DltSwitching::cut_through) {
    study.no_branches = "shares as one message per node are planned for cut_through only";
    return;
  }
  if (!equal_branches_are_best(study.network, study.sources) &&
      study.network.nodes.size() - study.sources.size() > kMostSplitNodes) {
    study.no_branches = fmt::format(
        "with unequal speeds or given loads the best branches are found by trying all, in networks of up to {} nodes "
        "besides the injection points",
        kMostSplitNodes);
    return;
  }
  BranchAnswer answer;
  answer.plan = make_branches(study.network, study.sources);
  if (!best_branches(study.network, study.sources, answer.plan)) {
    study.no_branches = "with one message per node, the load of an injection point can go nowhere";
    return;
  }
  answer.simulated.messages = answer.plan.messages();
  answer.simulated.distribution = simulate(study.network, answer.simulated.messages, config.switching);
  if (study.refused.empty()) {
    answer.formula = branches_speedup(answer.plan.sizes(), effective_sigma(config, study.network));
  }
  study.branches = std::move(answer);
}

constexpr double kSolverAgreement = 1e-6;  // GLPK's tolerances are 1e-7

// What must hold whatever the network is; a run that breaks it must not report anything.
void check_answers(const Study& study) {
  const double flow = study.speedup(study.flow.finish);
  if (flow > study.bound * (1 + kSolverAgreement)) {
    throw RunError(fmt::format("the linear program's speedup {} exceeds the bound {}", flow, study.bound));
  }
  if (study.rounds_makespan > study.rounds_limit * (1 + kSolverAgreement)) {
    throw RunError(fmt::format("the flow cut into {} rounds takes {}, more than {}", study.rounds,
                               study.rounds_makespan, study.rounds_limit));
  }
  if (study.simulated && study.simulated->distribution.makespan < study.flow.finish * (1 - kSolverAgreement)) {
    throw RunError("the simulated shares finish before the optimum of the linear program");
  }
  if (!study.branches) return;
  const BranchAnswer& b = *study.branches;
  const double simulated = b.simulated.distribution.makespan;
  if (std::abs(simulated / b.plan.finish - 1) > kSolverAgreement) {
    throw RunError(fmt::format("whole messages finish at {} in the simulation, at {} in the linear program", simulated,
                               b.plan.finish));
  }
  if (b.plan.finish < study.flow.finish * (1 - kSolverAgreement)) {
    throw RunError("whole messages finish before the optimum of the linear program over flows");
  }
  if (b.formula && study.speedup(b.plan.finish) < *b.formula * (1 - kSolverAgreement)) {
    throw RunError("the linear program is worse than the formula for branches");
  }
}

}  // namespace

Study make_study(const DltConfig& config) {
  Study study;
  study.network = build_network(config);
  study.sources = find_sources(config, study.network);
  check_reachable(config, study.network, study.sources);
  study.distance = hop_distances(study.network, study.sources);
  study.counts = count_nodes(study.distance);
  study.reference = reference_time(study.network, study.sources);
  study.bound = speedup_bound(study.network, study.sources);
  study.refused = reason_to_refuse(config, study.network, study.sources);
  if (study.refused.empty()) {
    study.predicted = predict(config, study);
    study.simulated = simulate_prediction(config, study, study.predicted->shares);
  }
  study.flow = best_flow(study.network, study.sources);
  check_flow(study);
  add_branches(config, study);
  check_answers(study);
  return study;
}

std::vector<CurvePoint> make_curve(const DltConfig& config, const Study& study) {
  constexpr int kSteps = 40;
  constexpr double kEnd = 0.01;
  constexpr std::size_t kMostCurveSplitNodes = 10;  // the best split of unequal speeds differs from sigma to sigma
  std::vector<CurvePoint> curve;
  for (int i = 0; i <= kSteps; ++i) {
    DltConfig at = config;
    at.sigma = std::clamp(static_cast<double>(i) / kSteps, kEnd, 1 - kEnd);
    Study point = study;  // the same network with other link times
    for (Link& l : point.network.links) l.time *= at.sigma / config.sigma;
    CurvePoint p;
    p.sigma = at.sigma;
    p.bound = speedup_bound(point.network, point.sources);
    if (reason_to_refuse(at, point.network, point.sources).empty()) {
      // Without the matrix: it says the same, at the cost of a dense decomposition for every sigma.
      const Prediction closed = closed_form(point.counts, effective_sigma(at, point.network), at.switching);
      p.shares = closed.shares;
      p.predicted = closed.speedup;
      const auto simulated = simulate_prediction(at, point, shares_by_node(point, closed));
      p.simulated = point.speedup(simulated.distribution.makespan);
    }
    if (study.network.nodes.size() <= kMostCurveNodes) {
      p.flow = point.speedup(best_flow(point.network, point.sources).finish);
      if (point.branches && !equal_branches_are_best(point.network, point.sources)) {
        if (point.network.nodes.size() - point.sources.size() <= kMostCurveSplitNodes) {
          point.branches->plan = make_branches(point.network, point.sources);
        } else {
          point.branches.reset();
        }
      }
      if (point.branches && best_branches(point.network, point.sources, point.branches->plan)) {
        p.branches = point.speedup(point.branches->plan.finish);
      }
    }
    curve.push_back(std::move(p));
  }
  return curve;
}

}  // namespace weft::dlt
