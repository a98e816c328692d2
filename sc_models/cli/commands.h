#pragma once
// The commands of the `weft` program. Each returns the exit status: 0 done, 1 the run itself failed, 2 bad input,
// 130 interrupted.

#include <string>

#include "cli/arguments.h"

namespace weft {
struct ConfigDocument;
struct DltConfig;
class Registry;
}  // namespace weft

namespace weft::cli {

inline constexpr int kDone = 0;
inline constexpr int kRunFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

int run(const RunArguments& arguments, const Registry& registry);
int check(const RunArguments& arguments, const Registry& registry);
int dtable(const DtableArguments& arguments);
int sweep(const SweepArguments& arguments);
/// `weft check` of a sweep file: the sweep and the configuration of every point.
int check_sweep(const SweepArguments& arguments, ConfigDocument document);
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
/// `weft check` of a divisible load.
int check_dlt(const RunArguments& arguments, const DltConfig& config);
/// Jobs on a circuit-switched network.
int schedule(const ScheduleArguments& arguments);
/// Writes a workload file: generated, or from a file of another format.
int workload(const WorkloadArguments& arguments);
/// `schema`: kind of document whose JSON Schema is printed; empty: none.
int describe(const Registry& registry, bool markdown, bool json, const std::string& schema);
int version(bool json);

/// A wrong command line as JSON on standard output; people have read about it on standard error.
void print_usage_error(const std::string& message);

/// Runs a command and turns what it throws into messages on standard error (and JSON on standard output) and a status.
template <class Command>
int guarded(bool json, Command&& command);

/// Reports what went wrong while a command ran; returns the exit status. Call from inside a catch block.
int report_exception(bool json);

template <class Command>
int guarded(bool json, Command&& command) {
  try {
    return command();
  } catch (...) {
    return report_exception(json);
  }
}

}  // namespace weft::cli
