// Large flow first (FiC paper, section III.G): the waiting job with the largest flow is served first, since a large
// flow pays for the reconfiguration of the switches with more data. The order is strict: the first job of the queue
// holds up all others while it waits, and small jobs wait as long as larger ones keep coming. Jobs of one size start in
// the order of submission.

#include <algorithm>
#include <set>
#include <tuple>

#include "algorithms/jobs/policy.h"

namespace weft::jobs {
namespace {

class Lff final : public Policy {
 public:
  void submit(JobIndex i, const Job& job) override { queue_.insert({-largest_flow(job), submitted_++, i}); }

  void dispatch(Dispatcher& d) override {
    while (!queue_.empty() && d.start(std::get<JobIndex>(*queue_.begin()))) queue_.erase(queue_.begin());
  }

 private:
  std::set<std::tuple<std::int64_t, std::uint64_t, JobIndex>> queue_;
  std::uint64_t submitted_ = 0;
};

}  // namespace

std::int64_t largest_flow(const Job& job) {
  std::size_t pairs = 0;
  for (const JobFlow& flow : job.flows) pairs = std::max(pairs, flow.pairs.size());
  return static_cast<std::int64_t>(pairs) * job.run;
}

extern const PolicyEntry kLff;
constinit const PolicyEntry kLff{"lff", "large flow first",
                                 []() -> std::unique_ptr<Policy> { return std::make_unique<Lff>(); }};

}  // namespace weft::jobs
