#include "algorithms/alltoall/exact.h"

#include <algorithm>
#include <cadical.hpp>
#include <chrono>

#include "algorithms/alltoall/bounds.h"

namespace weft::alltoall {
namespace {

/// Literals of all clauses together.
constexpr double kMostLiterals = 1e8;
/// Bytes of a literal with its part of the clause, of the lists that watch it and of what the solver learns and copies
/// while it simplifies: 80 to 110 were measured.
constexpr double kLiteralBytes = 100;

/// A slot for every connection, and some seven literals for everything that it holds.
double literals(const Grid& grid, std::uint32_t slots) {
  const auto connections = static_cast<double>(grid.connections());
  const double held = static_cast<double>(total_hops(grid)) + 2 * connections;
  return (connections + 7 * held) * slots;
}

class Deadline : public CaDiCaL::Terminator {
 public:
  Deadline(double seconds, const std::atomic<bool>& stop) : seconds_(seconds), stop_(stop) {}
  bool terminate() override {
    if (stop_) return true;
    return seconds_ > 0 && std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count() >= seconds_;
  }

 private:
  double seconds_;
  const std::atomic<bool>& stop_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class SatFormula {
 public:
  SatFormula(const Grid& grid, std::uint32_t slots) : grid_(grid), slots_(slots) {
    const Resources resources(grid);
    users_.resize(resources.count());
    for (std::uint32_t source = 0; source < grid.nodes(); ++source) {
      for (std::uint32_t destination = 0; destination < grid.nodes(); ++destination) {
        if (source == destination) continue;
        const auto c = static_cast<std::uint32_t>(pairs_.size());
        pairs_.push_back(source * grid.nodes() + destination);
        resources.visit(source, destination, [&](std::uint32_t r) { users_[r].push_back(c); });
      }
    }
    next_ = static_cast<int>(pairs_.size() * slots) + 1;
  }

  void add_to(CaDiCaL::Solver& solver) {
    for (std::uint32_t c = 0; c < pairs_.size(); ++c) {
      for (std::uint32_t s = 0; s < slots_; ++s) solver.add(variable(c, s));
      solver.add(0);
    }
    for (const auto& users : users_) {
      for (std::uint32_t s = 0; s < slots_; ++s) {
        at_most_one(solver, users, s);
        if (users.size() != slots_) continue;
        // As many connections as slots: every slot is used. Follows from the rest; said so that it is seen at once.
        for (const std::uint32_t c : users) solver.add(variable(c, s));
        solver.add(0);
      }
    }
    // Slots may be numbered at will: what shares the busiest resource gets its slots in order.
    const auto busiest = std::max_element(users_.begin(), users_.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (std::uint32_t i = 0; i < busiest->size(); ++i) {
      if (i < slots_) solver.add(variable((*busiest)[i], i));
      solver.add(0);  // an empty clause when there are not even slots enough for these
    }
  }

  Schedule read(CaDiCaL::Solver& solver) const {
    Schedule schedule{grid_, slots_, std::vector<std::uint32_t>(std::size_t{grid_.nodes()} * grid_.nodes(), kNoSlot)};
    for (std::uint32_t c = 0; c < pairs_.size(); ++c) {
      std::uint32_t s = 0;
      while (solver.val(variable(c, s)) < 0) ++s;
      schedule.slot_of[pairs_[c]] = s;
    }
    return schedule;
  }

 private:
  int variable(std::uint32_t c, std::uint32_t s) const { return static_cast<int>(c * slots_ + s) + 1; }

  /// With one more variable per user: one of the users up to here is in the slot (sequential counter).
  void at_most_one(CaDiCaL::Solver& solver, const std::vector<std::uint32_t>& users, std::uint32_t s) {
    for (std::size_t i = 0; i + 1 < users.size(); ++i) {
      const int so_far = next_++;
      const auto implies = [&](int a, int b) { solver.add(-a), solver.add(b), solver.add(0); };
      implies(variable(users[i], s), so_far);
      implies(so_far, -variable(users[i + 1], s));
      if (i + 2 < users.size()) implies(so_far, so_far + 1);
    }
  }

  Grid grid_;
  std::uint32_t slots_;
  std::vector<std::uint32_t> pairs_;               // by connection: source * nodes + destination
  std::vector<std::vector<std::uint32_t>> users_;  // by resource: connections
  int next_ = 1;                                   // first variable not yet used
};

}  // namespace

double formula_bytes(const Grid& grid, std::uint32_t slots) {
  const double all = literals(grid, slots);
  return all > kMostLiterals ? 0 : kLiteralBytes * all;
}

Possible schedule_of(const Grid& grid, std::uint32_t slots, double time_limit_s, Schedule& schedule,
                     const std::atomic<bool>& stop) {
  if (literals(grid, slots) > kMostLiterals) return Possible::kUnknown;
  Deadline deadline(time_limit_s, stop);
  SatFormula formula(grid, slots);
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  formula.add_to(solver);
  solver.connect_terminator(&deadline);
  const int answer = solver.solve();
  solver.disconnect_terminator();
  if (answer == 10) schedule = formula.read(solver);
  return answer == 10 ? Possible::kYes : answer == 20 ? Possible::kNo : Possible::kUnknown;
}

}  // namespace weft::alltoall
