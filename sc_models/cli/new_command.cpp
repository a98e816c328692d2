// `weft new`: a configuration to begin with.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "base/output_folder.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/templates/templates.h"
#include "cli/terminal.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

const ConfigTemplate* find_template(std::string_view name) {
  const auto& all = config_templates();
  const auto found = std::find_if(all.begin(), all.end(), [&](const ConfigTemplate& t) { return t.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const ConfigTemplate& template_of(const std::string& kind) {
  if (const ConfigTemplate* found = find_template(kind)) return *found;
  std::vector<std::string> names;
  for (const ConfigTemplate& t : config_templates()) names.emplace_back(t.name);
  throw InputError({"weft new"}, fmt::format("unknown kind '{}' (expected one of: {}){}", kind, fmt::join(names, ", "),
                                             did_you_mean(kind, names)));
}

}  // namespace

int new_config(const NewArguments& arguments) {
  const ConfigTemplate& wanted = template_of(arguments.kind);
  if (arguments.out.empty()) {
    say("{}", wanted.text);
    return kDone;
  }
  const fs::path out(arguments.out);
  if (is_there(out) && !arguments.force) {
    throw InputError({arguments.out}, "exists; give another name, or replace it with --force");
  }
  if (out.has_parent_path()) prepare_folder(out.parent_path());
  write_file(out, wanted.text);
  say("{}: {}\n", arguments.out, wanted.meaning);
  if (const ConfigTemplate* needed = find_template(wanted.needs)) {
    const fs::path beside = out.parent_path() / fmt::format("{}.yaml", needed->name);
    if (!is_there(beside)) {  // one that is there is the user's, and is what the sweep then varies
      write_file(beside, needed->text);
      say("{}: {}\n", beside.string(), needed->meaning);
    }
  }
  say("next: weft check {0}; weft {1} {0}\n", arguments.out, wanted.command);
  return kDone;
}

}  // namespace weft::cli
