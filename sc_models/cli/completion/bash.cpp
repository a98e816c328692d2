#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion/completion.h"

namespace weft::cli {
namespace {

// How candidates are made; `cur` is the word under way.
std::string bash_candidates(Completed what, const std::vector<std::string>& words) {
  switch (what) {
    case Completed::nothing:
      return "";
    case Completed::words:
      return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))", fmt::join(words, " "));
    case Completed::keys:
      return "COMPREPLY=($(compgen -W \"$keys\" -- \"$cur\"))";
    case Completed::settings:
      return "compopt -o nospace 2>/dev/null; COMPREPLY=($(compgen -S = -W \"$settings\" -- \"$cur\"))";
    case Completed::yaml_files:
      return "_weft_files '!*.@(yaml|yml|json)'";
    case Completed::files:
      return "_weft_files ''";
    case Completed::folders:
      return "compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\"))";
    case Completed::reports:
      return "_weft_files '!*.json'";
  }
  return "";
}

void add_bash(const CommandEntry& command, const std::string& path, std::string& values, std::string& inputs) {
  std::string options;
  for (const OptionEntry& o : command.options) {
    for (const std::string& name : o.names) {
      options += (options.empty() ? "" : " ") + name;
      if (o.takes_value) {
        values += fmt::format("    '{} {}') {}; return ;;\n", path, name,
                              o.value == Completed::nothing ? ":" : bash_candidates(o.value, o.words));
      }
    }
  }
  std::string commands;
  for (const CommandEntry& c : command.commands) commands += (commands.empty() ? "" : " ") + c.name;
  const std::string candidates = bash_candidates(command.input, command.words);
  inputs += fmt::format("    '{}') options='{}'; commands='{}'; {} ;;\n", path, options, commands,
                        candidates.empty() ? ":" : candidates);
  for (const CommandEntry& c : command.commands) add_bash(c, path + "_" + c.name, values, inputs);
}

constexpr const char* kBash = R"(# Completion of weft in bash, written by 'weft completion bash'.
_weft_files() {{
  compopt -o filenames 2>/dev/null
  local extended; extended=$(shopt -p extglob); shopt -s extglob
  if [[ -n $1 ]]; then COMPREPLY=($(compgen -f -X "$1" -- "$cur") $(compgen -d -- "$cur"))
  else COMPREPLY=($(compgen -f -- "$cur")); fi
  $extended
}}
_weft() {{
  local IFS=$' \t\n' cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} path={0} options='' commands='' i
  local keys='{1}'
  local settings='{2}'
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case " {3} " in *" ${{path}}_${{COMP_WORDS[i]}} "*) path=${{path}}_${{COMP_WORDS[i]}} ;; esac
  done
  case "$path $prev" in
{4}  esac
  case "$prev" in
    --max-input|--max-memory) return ;;
  esac
  case "$path" in
{5}  esac
  if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$options {6}" -- "$cur")); return; fi
  [[ -z $commands ]] || COMPREPLY+=($(compgen -W "$commands" -- "$cur"))
}}
complete -F _weft {0}
)";

void add_paths(const CommandEntry& command, const std::string& path, std::vector<std::string>& out) {
  for (const CommandEntry& c : command.commands) {
    out.push_back(path + "_" + c.name);
    add_paths(c, out.back(), out);
  }
}

}  // namespace

std::string bash_completion(const CommandEntry& program, const std::vector<std::string>& keys) {
  std::string values;
  std::string inputs;
  add_bash(program, program.name, values, inputs);
  std::vector<std::string> paths;
  add_paths(program, program.name, paths);
  std::vector<std::string> everywhere;  // options of the program may stand behind a command
  for (const OptionEntry& o : program.options) everywhere.insert(everywhere.end(), o.names.begin(), o.names.end());
  return fmt::format(kBash, program.name, fmt::join(keys, " "), fmt::join(settable(keys), " "), fmt::join(paths, " "),
                     values, inputs, fmt::join(everywhere, " "));
}

}  // namespace weft::cli
