#include "sweep/prediction.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace weft {
namespace {

// What is known of how long points take: seconds of those with stored runs, and seconds per offered work.
class MeasuredPoints {
 public:
  MeasuredPoints(const SweepPlan& plan, const std::vector<ResultStore::Known>& known) {
    std::map<std::string, Mean> by_name;
    for (const ResultStore::Known& k : known) {
      if (k.done) by_name[k.point].add(k.seconds);
    }
    Mean seconds;
    Mean work;
    for (std::size_t p = 0; p < plan.points.size(); ++p) {
      const auto found = by_name.find(plan.points[p].name);
      if (found == by_name.end()) continue;
      seconds_[p] = found->second.value();
      seconds.add(found->second.value());
      work.add(plan.points[p].work);
    }
    if (work.sum > 0) seconds_per_work_ = seconds.sum / work.sum;
  }
  double predict(const SweepPlan& plan, std::size_t point) const {
    const auto found = seconds_.find(point);
    return found == seconds_.end() ? plan.points[point].work * seconds_per_work_ : found->second;
  }

 private:
  struct Mean {
    double sum = 0;
    std::size_t count = 0;
    void add(double v) {
      sum += v;
      ++count;
    }
    double value() const { return sum / static_cast<double>(count); }
  };
  std::map<std::size_t, double> seconds_;
  double seconds_per_work_ = 1;
};

}  // namespace

std::vector<std::size_t> runs_by_length(const SweepPlan& plan, const std::vector<std::size_t>& work,
                                        const std::vector<ResultStore::Known>& known) {
  const MeasuredPoints measured(plan, known);
  std::vector<std::pair<double, std::size_t>> order;
  for (const std::size_t r : work) order.emplace_back(measured.predict(plan, plan.runs[r].point), r);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::size_t> out;
  for (const auto& [seconds, r] : order) out.push_back(r);
  return out;
}

}  // namespace weft
