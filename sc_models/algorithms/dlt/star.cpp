#include "algorithms/dlt/star.h"

#include <algorithm>
#include <numeric>

#include "algorithms/dlt/linear_program.h"

namespace weft::dlt {
namespace {

using Term = LinearProgram::Term;

// Rows of the linear program in the order in which things happen.
class StarProgram {
 public:
  explicit StarProgram(const StarProblem& problem) : p_(problem), end_(free_variable(-1)) {}

  StarPlan solve() {
    const int root = program_.variable(p_.root_computes ? LinearProgram::kNoLimit : 0, 0);
    not_before(end_, 0, {{root, p_.root}});
    std::vector<std::vector<int>> sizes;
    std::vector<int> computed(p_.times.size(), 0);
    std::vector<Term> load{{root, 1}};
    int sent = 0;
    for (std::uint32_t r = 0; r < p_.rounds; ++r) {
      sizes.emplace_back();
      for (std::size_t i = 0; i < p_.times.size(); ++i) {
        const int size = free_variable(0);
        sizes.back().push_back(size);
        load.push_back({size, 1});
        sent = later(sent, {{size, p_.link}});
        computed[i] = later(sent, {{size, p_.times[i]}}, computed[i]);
      }
    }
    int returned = 0;
    for (std::size_t i = 0; i < p_.times.size(); ++i) {
      not_before(end_, computed[i], {});
      if (p_.results <= 0) continue;
      std::vector<Term> result;
      for (const auto& round : sizes) result.push_back({round[i], p_.results * p_.link});
      returned = later(computed[i], result, returned);
      not_before(end_, returned, {});
    }
    program_.row(1, 1, load);
    StarPlan out;
    out.finish = -program_.maximize();
    out.shares.root = program_.value(root);
    for (const auto& round : sizes) {
      out.shares.messages.emplace_back();
      for (const int size : round) out.shares.messages.back().push_back(program_.value(size));
    }
    return out;
  }

 private:
  int free_variable(double objective) { return program_.variable(LinearProgram::kNoLimit, objective); }

  // end >= start + terms; start 0: the beginning.
  void not_before(int end, int start, const std::vector<Term>& terms) {
    std::vector<Term> row;
    row.reserve(terms.size() + 2);
    for (const Term& t : terms) row.push_back({t.column, -t.factor});
    row.push_back({end, 1});
    if (start != 0) row.push_back({start, -1});
    program_.row(0, LinearProgram::kNoLimit, row);
  }

  // A time that is not before start + terms, nor before other + terms.
  int later(int start, const std::vector<Term>& terms, int other = 0) {
    const int end = free_variable(0);
    not_before(end, start, terms);
    if (other != 0) not_before(end, other, terms);
    return end;
  }

  const StarProblem& p_;
  LinearProgram program_;
  const int end_;
};

}  // namespace

double StarShares::of(std::size_t node) const {
  double sum = 0;
  for (const auto& round : messages) sum += round[node];
  return sum;
}

StarPlan best_star(const StarProblem& problem) { return StarProgram(problem).solve(); }

StarPlan equal_finish_star(const StarProblem& problem) {
  StarPlan out;
  std::vector<double> shares;
  double before = 1;  // of the root, for now
  double time = problem.root;
  double sum = 1;
  for (const double w : problem.times) {
    shares.push_back(before * time / (problem.link + w));
    sum += shares.back();
    before = shares.back();
    time = w;
  }
  for (double& s : shares) s /= sum;
  out.shares = {1 / sum, {std::move(shares)}};
  out.finish = problem.root / sum;
  return out;
}

double star_finish(const StarProblem& problem, const StarShares& shares, StarCompute compute, StarResults order) {
  double finish = shares.root * problem.root;
  double sent = 0;
  std::vector<double> computed(problem.times.size());
  for (const auto& round : shares.messages) {
    for (std::size_t i = 0; i < round.size(); ++i) {
      if (round[i] <= 0) continue;
      const double begun = sent;
      sent += round[i] * problem.link;
      const double work = round[i] * problem.times[i];
      computed[i] = compute == StarCompute::when_complete ? std::max(computed[i], sent) + work
                                                          : std::max(std::max(computed[i], begun) + work, sent);
    }
  }
  std::vector<std::size_t> nodes(problem.times.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  if (order == StarResults::as_ready) {
    std::stable_sort(nodes.begin(), nodes.end(),
                     [&](std::size_t a, std::size_t b) { return computed[a] < computed[b]; });
  }
  double returned = 0;
  for (const std::size_t i : nodes) {
    finish = std::max(finish, computed[i]);
    if (problem.results <= 0 || shares.of(i) <= 0) continue;
    returned = std::max(returned, computed[i]) + problem.results * problem.link * shares.of(i);
    finish = std::max(finish, returned);
  }
  return finish;
}

}  // namespace weft::dlt
