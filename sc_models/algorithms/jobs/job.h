#pragma once
// Rigid jobs as the FiC paper's scheduler knows them (section III.A): a job asks for a fixed number of nodes for a
// known time, and says which of its nodes send to which. Its nodes are logical, 0 .. nodes - 1; the scheduler maps them
// to nodes of the network.
//
// Times are whole numbers in the unit of the workload, whatever it is (SWF: seconds).

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"

namespace weft::jobs {

using Time = std::int64_t;
/// Largest time a workload may name, and the end of simulated time: sums over a million nodes stay below 2^63.
inline constexpr Time kLargestTime = 1'000'000'000'000;
inline constexpr Time kEndOfTime = 4 * kLargestTime;

using LogicalPair = std::pair<std::uint32_t, std::uint32_t>;  ///< source, destination

/// Pairs that use the same slot (paper, Fig. 8); those of one source are a multicast.
struct JobFlow {
  std::string id;  ///< unique in the job
  std::vector<LogicalPair> pairs;
  std::uint64_t first_pair = 0;  ///< pairs are numbered through the whole workload
};

struct Job {
  std::string id;
  Time submit = 0;
  Time run = 1;  ///< at least 1
  std::uint32_t nodes = 1;
  std::vector<JobFlow> flows;
  int line = 0;  ///< of the workload file, 0: none
  std::uint32_t queue =
      0;  ///< with a queue per slot: its slot, the first that flows of the job ask for; set on submission
  std::string unfit = {};  ///< why it has no communication of the kind asked for, so that it cannot run; empty: it can
};

/// Jobs one after the other, in order of their submit times.
class JobSource {
 public:
  virtual ~JobSource() = default;
  /// False when there are no more; `job` is then unchanged.
  virtual bool next(Job& job) = 0;
};

/// Jobs that are all known.
class JobList final : public JobSource {
 public:
  explicit JobList(std::vector<Job> jobs) : jobs_(std::move(jobs)) {}
  bool next(Job& job) override {
    if (next_ == jobs_.size()) return false;
    job = jobs_[next_++];
    return true;
  }

 private:
  std::vector<Job> jobs_;
  std::size_t next_ = 0;
};

/// Flows of a job that names none itself, from its number of nodes.
using JobPattern = std::function<std::vector<JobFlow>(std::uint32_t nodes, RandomStream& random)>;

// Communication of jobs that name none themselves, from their number of nodes n. Each pair is a flow of its own, except
// in one_to_all, which is one multicast flow. A job of one node sends nothing. The paper's patterns on a whole network
// are in network/patterns.h; workload/job_traffic.h offers both by name.

struct JobPatternEntry {
  const char* name;
  const char* meaning;
  std::vector<LogicalPair> (*pairs)(std::uint32_t nodes);
  bool one_flow;
};
const std::vector<JobPatternEntry>& job_patterns();

/// One flow per pair, or one for all of them; flows are numbered from 0.
std::vector<JobFlow> flows_of(const std::vector<LogicalPair>& pairs, bool one_flow);

}  // namespace weft::jobs
