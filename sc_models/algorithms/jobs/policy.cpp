#include "algorithms/jobs/policy.h"

namespace weft::jobs {

const std::vector<PolicyEntry>& policies() {
  static const std::vector<PolicyEntry> list{
      {"fcfs", "first come, first served", make_fcfs},
      {"easy", "EASY backfilling", make_easy},
      {"lff", "large flow first", make_lff},
  };
  return list;
}

}  // namespace weft::jobs
