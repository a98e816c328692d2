#pragma once
// Reports that `weft run` makes again although they are not of a run: those of studies and of sweeps. Their
// configuration has the words of the command line, `command`, without those about the output.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"

namespace weft::cli {

struct ConfigInput;

/// Stands in `command` for the report itself, which has the keys of the file that the command was given.
inline constexpr const char* kThisReport = "report.json";

/// Words of the command that made a report, read from `path`; none for reports of runs. Throws InputError.
std::vector<std::string> command_words(const nlohmann::ordered_json& report, const std::string& path);

/// Name of the default folder of what is made from a report, whose own folder stays as it is: "mesh_4x4_again".
std::string name_beside(const std::string& report);
/// Name of the default folder of the results of `given`, a configuration file or a report.
std::string default_name(const ConfigInput& input, const std::string& given);

/// Arguments of the command that makes the report of `run.config` again, with the options of `run`. Nothing when that
/// is no such report. Throws InputError.
std::optional<std::vector<std::string>> repetition(const RunArguments& run);

}  // namespace weft::cli
