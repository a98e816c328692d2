#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion/completion.h"

namespace weft::cli {
namespace {

// In the single quotes of an argument of _arguments, where brackets and colons have a meaning.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') break;
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(Completed what, const std::vector<std::string>& words) {
  switch (what) {
    case Completed::nothing:
      return " ";
    case Completed::words:
      return fmt::format("({})", fmt::join(words, " "));
    case Completed::keys:
      return "_weft_keys";
    case Completed::settings:
      return "_weft_settings";
    case Completed::yaml_files:
      return "_files -g \"*.(yaml|yml|json)\"";
    case Completed::files:
      return "_files";
    case Completed::folders:
      return "_files -/";
    case Completed::reports:
      return "_files -g \"*.json\"";
  }
  return "";
}

std::string zsh_option(const OptionEntry& o, const std::string& name) {
  const std::string value = o.takes_value ? fmt::format(":value:{}", zsh_action(o.value, o.words)) : "";
  return fmt::format("    '*{}[{}]{}' \\\n", name, zsh_text(o.meaning), value);
}

void add_zsh(const CommandEntry& command, const std::string& path, const CommandEntry& program, std::string& out) {
  out += fmt::format("_{}() {{\n  local line state\n  _arguments -C \\\n", path);
  for (const OptionEntry& o : command.options) {
    for (const std::string& name : o.names) out += zsh_option(o, name);
  }
  if (&command != &program) {
    for (const OptionEntry& o : program.options) {
      for (const std::string& name : o.names) {
        if (name != "--help" && name != "--version") out += zsh_option(o, name);
      }
    }
  }
  if (command.commands.empty()) {
    out += fmt::format("    '*:input:{}'\n}}\n", zsh_action(command.input, command.words));
    return;
  }
  out += "    '1: :->command' '*::argument:->arguments'\n  case $state in\n    command)\n      local -a commands=(\n";
  for (const CommandEntry& c : command.commands) out += fmt::format("        '{}:{}'\n", c.name, zsh_text(c.meaning));
  out += "      )\n      _describe command commands ;;\n    arguments)\n      case $line[1] in\n";
  for (const CommandEntry& c : command.commands) out += fmt::format("        {0}) _{1}_{0} ;;\n", c.name, path);
  out += "      esac ;;\n  esac\n}\n";
  for (const CommandEntry& c : command.commands) add_zsh(c, path + "_" + c.name, program, out);
}

}  // namespace

std::string zsh_completion(const CommandEntry& program, const std::vector<std::string>& keys) {
  std::string out = fmt::format(
      "#compdef {0}\n# Completion of weft in zsh, written by 'weft completion zsh'.\n"
      "_weft_keys() {{\n  local -a keys=('{1}')\n  compadd -a keys\n}}\n"
      "_weft_settings() {{\n  local -a settings=({2})\n  compadd -S = -a settings\n}}\n",
      program.name, fmt::join(keys, "' '"), fmt::join(settable(keys), " "));
  add_zsh(program, program.name, program, out);
  return out + fmt::format("_{} \"$@\"\n", program.name);
}

}  // namespace weft::cli
