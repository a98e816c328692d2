#pragma once
// The options of `weft alltoall` as a checked problem.

#include "cli/arguments.h"
#include "studies/alltoall/alltoall_report.h"

namespace weft::cli {

/// Throws InputError with everything that is wrong, also when the grid would need more memory than there is.
AllToAllProblem alltoall_problem(const AllToAllArguments& arguments);

/// "1.5 GB".
std::string bytes_text(double bytes);

/// The grid of a schedule file: from the options; when they give no size, from schedule.json in the file's
/// folder, with the other options in the place of what it says.
alltoall::Grid alltoall_grid(const AllToAllArguments& arguments);

}  // namespace weft::cli
