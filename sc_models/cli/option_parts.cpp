#include "cli/option_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "cli/option_checks.h"

namespace weft::cli {
namespace {

// Words of options, put together only when they are needed.
std::map<const CLI::Option*, Words>& known_choices() {
  static std::map<const CLI::Option*, Words> choices;
  return choices;
}

}  // namespace

CLI::Option* suggest(CLI::Option* option, std::vector<std::string> words) {
  known_choices()[option] = [words = std::move(words)] { return words; };
  return option;
}

CLI::Option* choose(CLI::Option* option, const Words& words) {
  known_choices()[option] = words;
  return option->check(one_of(option->get_name(), words));
}
CLI::Option* choose(CLI::Option* option, std::vector<std::string> words) {
  return choose(option, Words([words = std::move(words)] { return words; }));
}

void examples(CLI::App& command, const std::vector<std::string>& lines) {
  command.footer(fmt::format("examples:\n  {}", fmt::join(lines, "\n  ")));
}

std::string not_empty(const std::string& text) { return text.empty() ? "expected a name, got nothing" : ""; }

CLI::Option* add_out(CLI::App& command, OutArguments& out, const char* meaning) {
  command.add_option("--out", out.path, meaning)->check(not_empty);
  return command.add_flag(
      "--overwrite", out.overwrite,
      "replace files there that Weft has not written, and drop the checkpoint of a run that is not over");
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "machine-readable result on standard output and nothing else there");
}

void add_set_and_json(CLI::App& command, std::vector<std::string>& set, const std::string& example, bool& json) {
  command.add_option("--set", set, "override a key: --set " + example + " (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_json(command, json);
}

void add_config(CLI::App& command, RunArguments& a) {
  command.add_option("config", a.config, "configuration file (YAML)")->required();
  add_set_and_json(command, a.set, "switch.slots=16", a.json);
  command.add_option("--seed", a.seed, "override the seed")->type_name("NUMBER");
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const auto found = known_choices().find(&option);
  return found == known_choices().end() ? std::vector<std::string>{} : found->second();
}

}  // namespace weft::cli
