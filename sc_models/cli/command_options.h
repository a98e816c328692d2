#pragma once
// Options of the commands, as CLI11 reads them; what they say goes to the structures of cli/arguments.h. CLI11 is
// expensive to compile, so few files include this one.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace weft::cli {

void add_run(CLI::App& command, RunArguments& arguments);
void add_check(CLI::App& command, RunArguments& arguments);
void add_sweep(CLI::App& command, SweepArguments& arguments);
void add_compare(CLI::App& command, CompareArguments& arguments);
void add_new(CLI::App& command, NewArguments& arguments);
void add_dtable(CLI::App& command, DtableArguments& arguments);
void add_dlt(CLI::App& command, DltArguments& arguments);
void add_slots(CLI::App& command, SlotsArguments& arguments);
void add_alltoall(CLI::App& command, AllToAllArguments& arguments);
void add_alltoall_verify(CLI::App& command, AllToAllArguments& arguments);
void add_schedule(CLI::App& command, ScheduleArguments& arguments);
void add_workload(CLI::App& command, WorkloadArguments& arguments);
void add_optweb_cost(CLI::App& command, OptwebCostArguments& arguments);
/// `kinds` of JSON Schemas.
void add_describe(CLI::App& command, DescribeArguments& arguments,
                  const std::function<std::vector<std::string>()>& kinds);
void add_completion(CLI::App& command, std::string& shell);
void add_version(CLI::App& command, bool& json, bool& verbose);

/// Inputs and options of a command that decide its result: those that are given, and the defaults that are known.
OptionsInForce options_in_force(const CLI::App& command);

}  // namespace weft::cli
