#pragma once
// Charts of an arbitration table: the places of its entries, the shares of the link with their errors, and the longest
// waits of the service levels.

#include <string>
#include <vector>

#include "algorithms/qos/table_configurator.h"
#include "observe/plot.h"

namespace weft {

struct TablePicture {
  std::string name;
  std::string meaning;
  Chart chart;
};

/// `chosen`: the weights of the method that was asked for; `wait_times`: of each level, in ns.
std::vector<TablePicture> table_pictures(const TableRequest& request, const TablePlan& plan, const WeightPlan& chosen,
                                         const std::vector<double>& wait_times);

}  // namespace weft
