#pragma once
// Configurations as commands get them: a YAML file, or a report that is to be run again.

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "schema/document.h"
#include "schema/schema.h"

namespace weft::cli {

/// A configuration and its name in messages and reports.
struct ConfigInput {
  ConfigDocument document;
  std::string file;
  bool is_report = false;
  std::filesystem::path working_folder{};  ///< of a report: of the run that it is of
};

/// The configuration of a YAML file, of a report.json, or of the report in a folder. Throws InputError.
ConfigInput load_config(const std::string& path);
/// The same of a file of a study, which says nothing of its kind. `kind` is for messages.
ConfigInput load_study(const std::string& path, const DocumentKind& kind = {});

/// Values and origins of a document for its report, of a command whose keys all have an effect (schema/resolved.h).
/// `command`: what makes the report again, see cli/report/repetition.h.
std::shared_ptr<const nlohmann::ordered_json> configuration_of(const ConfigDocument& document,
                                                               const Overrides& overrides, const SectionInfo& keys,
                                                               const std::vector<std::string>& command);

/// The report that a path names; nothing for a file that is none.
std::optional<nlohmann::ordered_json> report_at(const std::string& path);
/// Working folder of the run that the report at the path is of; empty where that is not known.
std::filesystem::path working_folder_of(const std::string& path);

/// Path of the report that a file or folder holds.
std::string report_path(const std::string& path);
/// Content of a report; throws InputError for what is none.
nlohmann::ordered_json load_report(const std::string& path);

}  // namespace weft::cli
