#include "cli/families.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "run/ideal/ideal_family.h"
#include "run/optweb/optweb_family.h"
#include "run/packet/packet_family.h"
#include "run/tdm/tdm_family.h"
#include "schema/resolved.h"
#include "studies/cost/optweb_cost.h"
#include "studies/dlt/dlt_schema.h"
#include "studies/dtable/table_requirements.h"
#include "sweep/sweep_config.h"
#include "workload/program_schema.h"

namespace weft::cli {
namespace {

constexpr const char* kDivisibleLoad = "dlt";

// Keys at the top level of a document that a section knows.
std::size_t known_keys(const ConfigDocument& document, const SectionInfo& section) {
  const auto knows = [&](const YamlEntry& e) {
    return std::any_of(section.keys.begin(), section.keys.end(), [&](const KeyInfo& k) { return k.name == e.key; });
  };
  return static_cast<std::size_t>(std::count_if(document.root.entries.begin(), document.root.entries.end(), knows));
}

// The command, for files without `fabric`, that knows most keys of a document, and more than `known`.
std::optional<std::string> task_of(const ConfigDocument& document, std::size_t known) {
  std::optional<std::string> best;
  for (const DescribedKeys& t : task_files()) {
    const std::size_t own = known_keys(document, *t.keys);
    if (own <= known) continue;
    known = own;
    best = t.name;
  }
  return best;
}

// A file without `fabric` may be one of another command.
void check_task(const Registry& registry, const ConfigDocument& document, const std::string& file) {
  std::size_t most = 0;
  for (const DescribedKeys& f : fabric_documents(registry)) most = std::max(most, known_keys(document, *f.keys));
  const auto best = task_of(document, most);
  if (!best) return;
  throw InputError(document.root.where,
                   fmt::format("this file describes no network (it has no key 'fabric'), its keys are those of 'weft "
                               "{0}': weft {0} {1}",
                               *best, file));
}

// The family that the file, or the last override of its key `fabric`, names. Throws if it names none: which of the
// other keys are wrong nobody can tell then.
const Family& family_of(const Registry& registry, const ConfigDocument& document, const std::string& file,
                        const Overrides& overrides) {
  constexpr std::string_view kKey = "fabric=";
  const auto set = std::find_if(overrides.rbegin(), overrides.rend(),
                                [&](const std::string& o) { return std::string_view(o).starts_with(kKey); });
  const YamlEntry* entry = document.root.find("fabric");
  const std::vector<std::string> words = fabric_words(registry);
  if (set == overrides.rend() && entry == nullptr) {
    check_task(registry, document, file);
    throw InputError(document.root.where, fmt::format("required key 'fabric' is missing at the top level (one of: {})",
                                                      fmt::join(words, ", ")));
  }
  const bool overridden = set != overrides.rend();
  const std::string word = overridden ? renewed_fabric(set->substr(kKey.size())) : entry->value.text;
  if (const Family* family = registry.find(word)) return *family;
  const bool text = overridden || entry->value.kind == YamlNode::Kind::scalar;
  if (text && std::find(words.begin(), words.end(), word) == words.end()) {
    throw InputError(overridden ? Location{"--set " + *set} : entry->value.where,
                     fmt::format("fabric: unknown value '{}' (expected one of: {}){}", word, fmt::join(words, ", "),
                                 did_you_mean(word, words)));
  }
  return registry.families().front();  // its reader tells what else is wrong with the word
}

// What was read and the defaults in force beside it: those that the family would take without a word if they were
// written in the file. So keys that have no effect in this configuration, and those that may not even stand there, are
// left out, and only the readers know which these are.
YamlNode values_in_force(const Family& family, const std::vector<std::string>& words, const std::string& file,
                         const YamlNode& read, const std::map<std::string, std::filesystem::path>& folders) {
  YamlNode out = with_defaults(read, *family.keys(words));
  for (;;) {
    Diagnostics said;
    std::vector<Diagnostic> list;
    try {
      family.read({{out, folders}, file, {}, words}, said);
      list = said.list();
    } catch (const InputError& e) {
      list = e.all();
    }
    if (!remove_defaults(out, list)) return out;
  }
}

}  // namespace

Registry builtin_families() {
  Registry registry;
  registry.add(tdm_family());
  registry.add(packet_family());
  registry.add(optweb_family());
  registry.add(ideal_family());
  return registry;
}

std::vector<std::string> fabric_words(const Registry& registry) {
  std::vector<std::string> words;
  for (const Family& family : registry.families()) words.push_back(family.name);
  words.emplace_back(kDivisibleLoad);
  return words;
}

std::vector<DescribedKeys> fabric_documents(const Registry& registry) {
  const std::vector<std::string> words = fabric_words(registry);
  std::vector<DescribedKeys> out;
  for (const Family& family : registry.families()) {
    out.push_back({family.name, family.meaning, family.keys(words), family.name});
  }
  out.push_back(
      {kDivisibleLoad,
       "A divisible load distributed over a network of nodes with a compute time and links with a transfer time "
       "(`weft dlt`).",
       dlt_section(words).info(), kDivisibleLoad});
  return out;
}

std::vector<DescribedKeys> task_files() {
  return {{"dtable", "Requirements of each service level on an arbitration table of the Deficit Table scheduler.",
           table_requirements_keys(), "dtable"},
          {"optweb cost", "Prices and parts of an OPTWEB network.", optweb_cost_keys(), "optweb_cost"},
          {"check", "Programs of nodes, which configurations name with program_file and run.",
           program_file_section().info(), "program"},
          {"sweep", "A configuration run at many points, with several seeds.", sweep_keys(), "sweep"}};
}

void check_command(const std::string& command, const SectionInfo& keys, const ConfigDocument& document,
                   const std::string& file) {
  const YamlEntry* const fabric = document.root.find("fabric");
  if (fabric != nullptr && fabric->value.kind == YamlNode::Kind::scalar && command != kDivisibleLoad) {
    throw InputError(
        fabric->key_where,
        fmt::format("this file describes a network (fabric: {}), 'weft {}' reads others: weft {} {}",
                    fabric->value.text, command, fabric->value.text == kDivisibleLoad ? kDivisibleLoad : "run", file));
  }
  if (fabric != nullptr) return;
  const auto other = task_of(document, known_keys(document, keys));
  if (!other || *other == command) return;
  throw InputError(document.root.where, fmt::format("the keys of this file are those of 'weft {0}', not of 'weft {1}': "
                                                    "weft {0} {2}",
                                                    *other, command, file));
}

std::unique_ptr<Design> read_design(const Registry& registry, ConfigDocument document, const std::string& file,
                                    const Overrides& overrides, Diagnostics& diagnostics, YamlNode* in_force) {
  renew_fabric(document.root, diagnostics);
  const Family& family = family_of(registry, document, file, overrides);
  const std::vector<std::string> words = fabric_words(registry);
  const auto folders = document.folders;
  auto design = family.read({std::move(document), file, overrides, words, in_force}, diagnostics);
  if (in_force != nullptr) *in_force = values_in_force(family, words, file, *in_force, folders);
  return design;
}

std::unique_ptr<Design> load_design(const Registry& registry, const std::string& file, const Overrides& overrides,
                                    Diagnostics& diagnostics) {
  return read_design(registry, load_document(file), file, overrides, diagnostics);
}

}  // namespace weft::cli
