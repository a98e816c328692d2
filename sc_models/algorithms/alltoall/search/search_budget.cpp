#include "algorithms/alltoall/search/search_budget.h"

namespace weft::alltoall {

SearchBudget::SearchBudget(std::uint64_t iterations, double time_limit_s, const std::atomic<bool>& stop)
    : iterations_(iterations), time_limit_s_(time_limit_s), stop_(stop) {}

double SearchBudget::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool SearchBudget::look(std::uint64_t conflicts) {
  if (poll) poll(conflicts);
  return !stopped() && !out_of_time();
}

}  // namespace weft::alltoall
