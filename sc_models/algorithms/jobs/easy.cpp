// EASY backfilling (Lifka 1995; Skovira, Chan, Zhou, Lifka 1996): jobs start in the order of submission; the first that
// must wait gets a reservation, and later jobs may overtake it only if that does not move its start.
//
// With slots, the reservation is a time: the earliest at which the first job would find nodes and slots if only the
// jobs that run now were there. A later job that ends by then is free to start. One that runs on is admitted only if
// the first job, placed by the same rules of nodes and slots into what will be free at that time, still fits. So the
// promise holds for nodes and slots alike, and where slots are no matter it is the usual rule of spare nodes.
//
// The queue is passed once per instant, in the order of submission; when no job has ended, only the jobs submitted at
// this instant are looked at, since nothing has become free.

#include "algorithms/jobs/backfill_queue.h"

namespace weft::jobs {
namespace {

class Easy final : public Policy {
 public:
  void submit(JobIndex i, const Job& job) override {
    queue_.push(i, job);
    ++new_jobs_;
  }

  void dispatch(Dispatcher& d) override {
    const bool only_new = blocked_ && !d.released();
    BackfillQueue::Position from = queue_.end() - new_jobs_;
    new_jobs_ = 0;
    if (!only_new) {
      while (!queue_.empty() && d.start(queue_.at(queue_.front()))) queue_.erase(queue_.front());
      blocked_ = !queue_.empty();
      if (!blocked_) return;
      const JobIndex head = queue_.at(queue_.front());
      if (!d.has_reservation(head)) d.reserve(head);
      from = queue_.front() + 1;
    }
    backfill(d, from);
  }

 private:
  void backfill(Dispatcher& d, BackfillQueue::Position from) {
    const Time longest = d.reserved_time() - d.now();
    while (true) {
      const auto p = queue_.next(from, {d.free_nodes(), d.spare_nodes(), longest});
      if (p == BackfillQueue::kNone) return;
      if (d.start_unless_delaying(queue_.at(p))) queue_.erase(p);
      from = p + 1;
    }
  }

  BackfillQueue queue_;
  bool blocked_ = false;      // the first job waits
  std::size_t new_jobs_ = 0;  // since the last pass, at the end of the queue
};

}  // namespace

extern const PolicyEntry kEasy;
constinit const PolicyEntry kEasy{"easy", "EASY backfilling",
                                  []() -> std::unique_ptr<Policy> { return std::make_unique<Easy>(); }, true};

}  // namespace weft::jobs
