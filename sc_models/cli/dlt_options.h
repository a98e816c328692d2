#pragma once
// The configuration of `weft dlt`, from a file or from the options of the command line.

#include "algorithms/dlt/dlt_config.h"
#include "cli/arguments.h"

namespace weft::cli {

/// Throws InputError with everything that is wrong.
DltConfig load_dlt(const DltArguments& arguments);

}  // namespace weft::cli
