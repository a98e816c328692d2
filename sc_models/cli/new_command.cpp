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
  if (fs::is_directory(out)) throw InputError({arguments.out}, "is a folder; give the name of the file");
  const ConfigTemplate* const base = find_template(wanted.needs);
  if (base != nullptr && out.filename() == fmt::format("{}.yaml", base->name)) {
    throw InputError({arguments.out}, fmt::format("is the name of the configuration that this {} needs beside it; give "
                                                  "another name",
                                                  wanted.name));
  }
  if (is_there(out) && !arguments.force) {
    throw InputError({arguments.out}, "exists; give another name, or replace it with --force");
  }
  if (out.has_parent_path()) prepare_folder(out.parent_path());
  write_file(out, wanted.text);
  say("{}: {}\n", arguments.out, wanted.meaning);
  if (base != nullptr) {
    const fs::path beside = out.parent_path() / fmt::format("{}.yaml", base->name);
    if (!is_there(beside)) {  // one that is there is the user's, and is what the sweep then varies
      write_file(beside, base->text);
      say("{}: {}\n", beside.string(), base->meaning);
    }
  }
  say("next: weft check {0}; weft {1} {0}\n", arguments.out, wanted.command);
  return kDone;
}

}  // namespace weft::cli
