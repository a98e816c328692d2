// A queue per slot (FiC paper, section III.G, Figure 12): the first job of a queue that must wait holds up the jobs of
// its queue only.

#include <memory>
#include <vector>

#include "algorithms/jobs/policy.h"

namespace weft::jobs {
namespace {

class SlotQueues final : public Policy {
 public:
  SlotQueues(const PolicyEntry& policy, std::uint32_t slots) {
    for (std::uint32_t s = 0; s < slots; ++s) queues_.push_back(policy.make());
  }

  void submit(JobIndex i, const Job& job) override { queues_[job.queue]->submit(i, job); }

  void dispatch(Dispatcher& d) override {
    for (std::size_t n = 0; n < queues_.size(); ++n) queues_[(first_ + n) % queues_.size()]->dispatch(d);
    first_ = (first_ + 1) % queues_.size();
  }

 private:
  std::vector<std::unique_ptr<Policy>> queues_;
  std::size_t first_ = 0;
};

}  // namespace

std::unique_ptr<Policy> with_slot_queues(const PolicyEntry& policy, std::uint32_t slots) {
  if (policy.looks_at_all) return policy.make();
  return std::make_unique<SlotQueues>(policy, slots);
}

}  // namespace weft::jobs
