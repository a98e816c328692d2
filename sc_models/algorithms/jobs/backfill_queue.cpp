#include "algorithms/jobs/backfill_queue.h"

#include <algorithm>

namespace weft::jobs {

void BackfillQueue::set(Position p, const Least& least) {
  std::size_t node = capacity_ + p;
  tree_[node] = least;
  for (node /= 2; node > 0; node /= 2) {
    const Least& a = tree_[2 * node];
    const Least& b = tree_[2 * node + 1];
    tree_[node] = {std::min(a.nodes, b.nodes), std::min(a.run, b.run)};
  }
}

// Moves the jobs together, and doubles the tree when they fill more than half of it.
void BackfillQueue::make_room() {
  std::vector<std::pair<JobIndex, Least>> kept;
  kept.reserve(waiting_);
  for (Position p = front_; p < end_; ++p) {
    if (const Least& leaf = tree_[capacity_ + p]; leaf.nodes != Least{}.nodes) kept.emplace_back(jobs_[p], leaf);
  }
  while (capacity_ < 64 || 2 * kept.size() > capacity_) capacity_ = std::max<Position>(64, 2 * capacity_);
  tree_.assign(2 * capacity_, Least{});
  jobs_.assign(capacity_, 0);
  front_ = 0;
  end_ = kept.size();
  for (Position p = 0; p < end_; ++p) {
    jobs_[p] = kept[p].first;
    set(p, kept[p].second);
  }
}

void BackfillQueue::push(JobIndex i, const Job& job) {
  if (end_ == capacity_) make_room();
  jobs_[end_] = i;
  set(end_, {job.nodes, job.run});
  ++end_;
  ++waiting_;
}

void BackfillQueue::erase(Position p) {
  set(p, Least{});
  --waiting_;
}

BackfillQueue::Position BackfillQueue::front() {
  if (waiting_ == 0) return kNone;
  while (tree_[capacity_ + front_].nodes == Least{}.nodes) ++front_;
  return front_;
}

BackfillQueue::Position BackfillQueue::next(Position from, const Limits& limits) const {
  if (from >= end_) return kNone;
  std::size_t node = capacity_ + from;
  while (true) {
    if (may_hold(tree_[node], limits)) {
      if (node >= capacity_) return node - capacity_;
      node *= 2;
      continue;
    }
    while (node % 2 == 1) {  // a right child: all below its parent has been seen
      node /= 2;
      if (node <= 1) return kNone;
    }
    ++node;
  }
}

}  // namespace weft::jobs
