#include "algorithms/jobs/policy.h"

namespace weft::jobs {

extern const PolicyEntry kFcfs, kEasy, kLff;

const std::vector<PolicyEntry>& policies() {
  static const std::vector<PolicyEntry> list{
      kFcfs,
      kEasy,
      kLff,
  };
  return list;
}

}  // namespace weft::jobs
