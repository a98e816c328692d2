#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion/completion.h"

namespace weft::cli {
namespace {

std::string fish_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') break;
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// Candidates of an option that takes a value, or of the inputs of a command.
std::string fish_candidates(Completed what, const std::vector<std::string>& words) {
  switch (what) {
    case Completed::nothing:
      return "";
    case Completed::words:
      return fmt::format(" -a '{}'", fmt::join(words, " "));
    case Completed::keys:
      return " -a '(__weft_keys)'";
    case Completed::settings:
      return " -a '(__weft_settings)='";
    case Completed::yaml_files:
      return " -k -a '(__fish_complete_suffix .yaml)'";
    case Completed::files:
      return " -F";
    case Completed::folders:
      return " -a '(__fish_complete_directories)'";
    case Completed::reports:
      return " -k -a '(__fish_complete_suffix .json)'";
  }
  return "";
}

void add_fish(const CommandEntry& command, const std::string& condition, std::string& out) {
  const std::string begin = fmt::format("complete -c weft{}", condition);
  for (const OptionEntry& o : command.options) {
    for (const std::string& name : o.names) {
      // -x: no files beside the candidates, which -r alone would offer.
      const std::string value =
          o.takes_value ? (o.value == Completed::files ? " -r" : " -x") + fish_candidates(o.value, o.words) : "";
      out += fmt::format("{} -l {}{} -d '{}'\n", begin, name.substr(2), value, fish_text(o.meaning));
    }
  }
  const std::string inputs = fish_candidates(command.input, command.words);
  if (!inputs.empty()) out += begin + inputs + "\n";
  std::vector<std::string> names;
  for (const CommandEntry& c : command.commands) names.push_back(c.name);
  for (const CommandEntry& c : command.commands) {
    const std::string none = condition.empty()
                                 ? " -n __fish_use_subcommand"
                                 : fmt::format("{}; and not __fish_seen_subcommand_from {}'",
                                               condition.substr(0, condition.size() - 1), fmt::join(names, " "));
    out += fmt::format("complete -c weft{} -a {} -d '{}'\n", none, c.name, fish_text(c.meaning));
  }
  for (const CommandEntry& c : command.commands) {
    const std::string own = condition.empty() ? fmt::format(" -n '__fish_seen_subcommand_from {}'", c.name)
                                              : fmt::format("{}; and __fish_seen_subcommand_from {}'",
                                                            condition.substr(0, condition.size() - 1), c.name);
    add_fish(c, own, out);
  }
}

}  // namespace

std::string fish_completion(const CommandEntry& program, const std::vector<std::string>& keys) {
  std::string out = fmt::format(
      "# Completion of weft in fish, written by 'weft completion fish'.\ncomplete -c weft -f\n"
      "function __weft_keys\n  printf '%s\\n' '{}'\nend\nfunction __weft_settings\n  printf '%s\\n' {}\nend\n",
      fmt::join(keys, "' '"), fmt::join(settable(keys), " "));
  add_fish(program, "", out);
  return out;
}

}  // namespace weft::cli
