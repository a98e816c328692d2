#include "cli/completion/command_tree.h"

#include <algorithm>
#include <utility>

#include "cli/option_parts.h"

namespace weft::cli {
namespace {

// By the name of the option or input; everything that is not here takes a text of the user's.
constexpr std::pair<const char*, Completed> kCompleted[] = {{"--set", Completed::settings},
                                                            {"--out", Completed::folders},
                                                            {"--waves", Completed::files},
                                                            {"--html", Completed::files},
                                                            {"--plugin", Completed::files},
                                                            {"--file", Completed::files},
                                                            {"--merge", Completed::folders},
                                                            {"--resume", Completed::folders},
                                                            {"--pages", Completed::folders},
                                                            {"config", Completed::yaml_files},
                                                            {"file", Completed::files},
                                                            {"prices", Completed::yaml_files},
                                                            {"requirements", Completed::yaml_files},
                                                            {"workload", Completed::files},
                                                            {"reports", Completed::reports},
                                                            {"key", Completed::keys}};

Completed completed(const std::string& name, const std::vector<std::string>& words) {
  if (!words.empty()) return Completed::words;
  const auto* const found =
      std::find_if(std::begin(kCompleted), std::end(kCompleted), [&](const auto& c) { return name == c.first; });
  return found == std::end(kCompleted) ? Completed::nothing : found->second;
}

}  // namespace

CommandEntry command_tree(const CLI::App& app) {
  CommandEntry out;
  out.name = app.get_name();
  out.meaning = app.get_description();
  for (const CLI::Option* option : app.get_options()) {
    std::vector<std::string> words = choices_of(*option);
    if (option->get_lnames().empty()) {
      if (!option->get_positional()) continue;
      out.input = completed(option->get_name(), words);
      out.words = std::move(words);
      continue;
    }
    OptionEntry entry;
    for (const std::string& name : option->get_lnames()) entry.names.push_back("--" + name);
    entry.meaning = option->get_description();
    entry.takes_value = option->get_items_expected_max() > 0;
    entry.value = entry.takes_value ? completed(entry.names.front(), words) : Completed::nothing;
    entry.words = std::move(words);
    out.options.push_back(std::move(entry));
  }
  for (const CLI::App* command : app.get_subcommands(nullptr)) out.commands.push_back(command_tree(*command));
  return out;
}

}  // namespace weft::cli
