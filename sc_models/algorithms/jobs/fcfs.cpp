// First come, first served: the jobs start in the order of submission; one that must wait holds up all after it.

#include <deque>

#include "algorithms/jobs/policy.h"

namespace weft::jobs {
namespace {

class Fcfs final : public Policy {
 public:
  void submit(JobIndex i, const Job&) override { queue_.push_back(i); }

  void dispatch(Dispatcher& d) override {
    if (blocked_ && !d.released() && d.started() == started_) return;  // still; other queues can have started jobs
    while (!queue_.empty() && d.start(queue_.front())) queue_.pop_front();
    blocked_ = !queue_.empty();
    started_ = d.started();
  }

 private:
  std::deque<JobIndex> queue_;
  bool blocked_ = false;
  std::uint64_t started_ = 0;  // jobs, when it was blocked
};

}  // namespace

extern const PolicyEntry kFcfs;
constinit const PolicyEntry kFcfs{"fcfs", "first come, first served",
                                  []() -> std::unique_ptr<Policy> { return std::make_unique<Fcfs>(); }};

}  // namespace weft::jobs
