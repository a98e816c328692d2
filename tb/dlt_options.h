#pragma once
// The configuration of `weft dlt`, from a file or from the options of the command line.

#include "commands.h"
#include "config/dlt_config.h"

namespace weft::cli {

/// Throws InputError with everything that is wrong.
DltConfig load_dlt(const DltArguments& arguments);

}  // namespace weft::cli
