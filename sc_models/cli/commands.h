#pragma once
// The commands of the `weft` program. Each returns the exit status: 0 done, 1 the run itself failed, 2 bad input,
// 130 interrupted.

#include <string>

#include "cli/arguments.h"
#include "cli/failure.h"

namespace weft {
class Ranks;
struct ConfigDocument;
struct DltConfig;
class Registry;
}  // namespace weft

namespace weft::cli {

/// `ranks`: processes that run the network together, of which rank 0 alone writes; null: this one alone.
int run(const RunArguments& arguments, const Registry& registry, Ranks* ranks = nullptr);
int check(const RunArguments& arguments, const Registry& registry);
/// Writes a short configuration that runs.
int new_config(const NewArguments& arguments);
/// Differences of reports.
int compare(const CompareArguments& arguments, const Registry& registry);
int dtable(const DtableArguments& arguments);
int sweep(const SweepArguments& arguments, const Registry& registry);
/// `weft check` of a sweep file: the sweep and the configuration of every point.
int check_sweep(const SweepArguments& arguments, ConfigDocument document, const Registry& registry);
/// Slot counts: minimum and allocators for a pattern on a network, or the FiC paper's Table 1.
int slots(const SlotsArguments& arguments);
/// Cost and wiring of an OPTWEB network.
int optweb_cost(const OptwebCostArguments& arguments);
/// Divisible load: shares, finish times and speedup, predicted, simulated and best.
int dlt(const DltArguments& arguments, const Registry& registry);
/// All-to-all schedule of a grid.
int alltoall(const AllToAllArguments& arguments);
/// Checks a schedule file.
int alltoall_verify(const AllToAllArguments& arguments);
/// `weft check` of a divisible load; `document`: what the configuration is from.
int check_dlt(const RunArguments& arguments, const DltConfig& config, const ConfigDocument& document,
              const Registry& registry);
/// Jobs on a circuit-switched network.
int schedule(const ScheduleArguments& arguments);
/// Writes a workload file: generated, or from a file of another format.
int workload(const WorkloadArguments& arguments);
/// All keys, or one key or section; an unknown one is an InputError with a suggestion.
int describe(const Registry& registry, const DescribeArguments& arguments);
int version(bool json, bool verbose);

}  // namespace weft::cli
