#include "cli/report/repetition.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "cli/output.h"
#include "cli/report/report_input.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// Files on the command line were named from the working folder of that time.
void move_files(std::vector<std::string>& words, const fs::path& working_folder) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool is_input = i == 1 && words.front() == "schedule";
    if (!is_input && words[i - 1] != "--file") continue;
    if (fs::path(words[i]).is_relative()) words[i] = (working_folder / words[i]).lexically_normal().string();
  }
}

void leave_out(std::vector<std::string>& words, const std::string& option) {
  const auto found = std::find(words.begin(), words.end(), option);
  if (found != words.end()) words.erase(found, std::min(found + 2, words.end()));
}

}  // namespace

std::string name_beside(const std::string& report) {
  std::error_code ec;
  const fs::path folder = fs::weakly_canonical(report_path(report), ec).parent_path();
  return plain_name(folder.filename().string() + ".json") + "_again";
}

std::string default_name(const ConfigInput& input, const std::string& given) {
  return input.is_report ? name_beside(given) : plain_name(input.file);
}

std::vector<std::string> command_words(const Json& report, const std::string& path) {
  const Json configuration = report.value("configuration", Json::object());
  if (!configuration.is_object() || !configuration.contains("command")) return {};
  const Json& words = configuration["command"];
  if (!words.is_array() || words.empty() ||
      !std::all_of(words.begin(), words.end(), [](const Json& word) { return word.is_string(); })) {
    throw InputError({report_path(path)}, "configuration.command: expected words of a command line");
  }
  return words.get<std::vector<std::string>>();
}

std::optional<std::vector<std::string>> repetition(const RunArguments& run) {
  if (run.config.empty()) return std::nullopt;
  const std::optional<Json> report = report_at(run.config);
  if (!report) return std::nullopt;
  std::vector<std::string> words = command_words(*report, run.config);
  if (words.empty()) return std::nullopt;
  move_files(words, working_folder_of(run.config));
  std::replace(words.begin(), words.end(), std::string(kThisReport), report_path(run.config));
  if (run.seed) leave_out(words, "--seed");
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  for (const std::string& key : run.set) add("--set", key);
  if (run.seed) add("--seed", *run.seed);
  add("--out", run.out.path.empty() ? folder_of({}, name_beside(run.config)).string() : run.out.path);
  add("--waves", run.waves);
  add("--checkpoint-every", run.checkpoint_every);
  if (run.out.overwrite) words.emplace_back("--overwrite");
  if (run.no_files) words.emplace_back("--no-files");
  if (run.json) words.emplace_back("--json");
  return words;
}

}  // namespace weft::cli
