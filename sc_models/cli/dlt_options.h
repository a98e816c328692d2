#pragma once
// The configuration of `weft dlt`, from a file or from the options of the command line.

#include <string>

#include "algorithms/dlt/dlt_config.h"
#include "cli/arguments.h"
#include "run/registry.h"
#include "schema/document.h"

namespace weft::cli {

/// Throws InputError with everything that is wrong.
DltConfig load_dlt(const DltArguments& arguments, const Registry& registry);

/// Whether a document describes a divisible load.
bool is_dlt_document(const ConfigDocument& document);

/// A divisible load, from a file that is read already or from the options of the command line. Throws InputError with
/// every error found; warnings go to `diagnostics`.
DltConfig read_dlt_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          const Registry& registry, Diagnostics& diagnostics);

}  // namespace weft::cli
