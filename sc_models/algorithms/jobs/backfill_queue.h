#pragma once
// Waiting jobs in order of submission, with a fast search for the next one that might be backfilled. The jobs are the
// leaves of a binary tree whose inner nodes know the fewest nodes and the shortest run time below them.

#include <cstdint>
#include <vector>

#include "algorithms/jobs/policy.h"

namespace weft::jobs {

class BackfillQueue {
 public:
  /// A job qualifies if it asks for at most `free` nodes, and if it runs for at most `longest` or asks for at most
  /// `spare` nodes.
  struct Limits {
    std::uint32_t free = 0;
    std::uint32_t spare = 0;
    Time longest = 0;
  };
  using Position = std::size_t;
  static constexpr Position kNone = ~Position{0};

  void push(JobIndex i, const Job& job);
  void erase(Position p);
  bool empty() const { return waiting_ == 0; }
  /// First position that is taken; kNone if there is none.
  Position front();
  /// The first job at `from` or later that qualifies.
  Position next(Position from, const Limits& limits) const;
  JobIndex at(Position p) const { return jobs_[p]; }
  /// Position of the next job; positions change only when a job is added.
  Position end() const { return end_; }

 private:
  struct Least {
    std::uint32_t nodes = ~0u;
    Time run = kEndOfTime;
  };
  static bool may_hold(const Least& least, const Limits& limits) {
    return least.nodes <= limits.free && (least.run <= limits.longest || least.nodes <= limits.spare);
  }
  void set(Position p, const Least& least);
  void make_room();

  Position capacity_ = 0;  // a power of two
  Position front_ = 0;     // none is taken before
  Position end_ = 0;
  std::size_t waiting_ = 0;
  std::vector<Least> tree_;  // node 1 is the root, capacity_ + p the leaf of position p
  std::vector<JobIndex> jobs_;
};

}  // namespace weft::jobs
