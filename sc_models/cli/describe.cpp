// Output of `weft describe`, from the declarations that the reader uses.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "base/diagnostics.h"
#include "base/text.h"
#include "cli/describe.h"
#include "cli/families.h"
#include "schema/json_schema.h"

namespace weft {
namespace {

// How a configuration is written; the same words in the text and in the pages.
// NOLINTBEGIN(bugprone-suspicious-missing-comma): paragraphs are several lines long
constexpr std::string_view kIntroduction[] = {
    "A configuration is one YAML file. Every key it may have is listed below with its type, unit, default "
    "and range; "
    "a key that is not listed is an error, and all errors of a file are reported at once.",
    "Quantities carry their unit (`100MHz`, `10us`, `2KiB`, `85b`; `b` is bits, `B` is bytes); a bare number "
    "where a "
    "unit belongs is an error. Times of hardware may be given as cycles or as durations; durations, of "
    "hardware and of the windows of a run, are rounded up to whole cycles. Whole numbers are decimal, booleans are "
    "`true` and `false`.",
    "`base: other.yaml` (or a list of files) lays a file over others, whose paths are relative to it: "
    "sections are "
    "merged key by key, the including file wins, lists and single values are replaced whole, and an explicit `null` "
    "removes an inherited key.",
    "`--set switch.slots=16` on the command line overrides a key and is checked like the file; of a section it "
    "overrides "
    "the keys that are given (`switch={slots: 16}` leaves the others); elements of lists are addressed by their index "
    "from 0 (`--set phases.0.sources.message=2KiB`), and file names are then "
    "relative to the "
    "working directory. `--set KEY=null` is the default of the key, as if it were not there, whether a file has it or "
    "not.",
    "Switches are named `sw[5]`, ranges of them `sw[0..3]`; inside `[ ]` and `{ }` such names must be "
    "quoted.",
};
// NOLINTEND(bugprone-suspicious-missing-comma)

std::string default_text(const KeyInfo& key) {
  if (key.required) return "required";
  if (key.fallback) return *key.fallback;
  return fmt::format("none ({})", key.otherwise);
}

std::string range_text(const TypeInfo& type) {
  std::string out;
  for (const std::string& c : type.choices) out += (out.empty() ? "" : ", ") + c;
  return out.empty() ? type.range : out;
}

std::string own_path(const std::string& section, const KeyInfo& key) { return join_path(section, key.name); }

// A section, its path, and where it was described before if it was.
using Visit = std::function<void(const SectionInfo& section, const std::string& path, const std::string& same_as)>;

// Sections in the order of declaration, each before its subsections. One that stands at two places (the
// circuits of a phase and of the top level) is the same declaration.
void walk(const SectionInfo& section, const std::string& path,
          std::vector<std::pair<const SectionInfo*, std::string>>& seen, const Visit& visit) {
  for (const auto& [known, known_path] : seen) {
    if (known == &section) return visit(section, path, known_path);
  }
  seen.emplace_back(&section, path);
  visit(section, path, {});
  for (const KeyInfo& key : section.keys) {
    if (key.type.section) walk(*key.type.section, own_path(path, key) + key.type.section_path, seen, visit);
  }
}

void add_json(const SectionInfo& section, const std::string& path, nlohmann::ordered_json& keys) {
  for (const KeyInfo& key : section.keys) {
    nlohmann::ordered_json entry;
    entry["key"] = own_path(path, key);
    entry["type"] = key.type.name;
    if (!key.type.units.empty()) entry["units"] = key.type.units;
    if (!key.type.range.empty()) entry["range"] = key.type.range;
    if (!key.type.choices.empty()) entry["choices"] = key.type.choices;
    entry["required"] = key.required;
    if (key.fallback) entry["default"] = *key.fallback;
    if (!key.otherwise.empty()) entry["without"] = key.otherwise;
    entry["meaning"] = key.meaning;
    keys.push_back(std::move(entry));
    if (key.type.section) add_json(*key.type.section, own_path(path, key) + key.type.section_path, keys);
  }
}

std::string cell(std::string text) {
  for (std::size_t i = text.find('|'); i != std::string::npos; i = text.find('|', i + 2)) text.insert(i, "\\");
  for (std::size_t i = text.find('<'); i != std::string::npos; i = text.find('<', i + 4)) text.replace(i, 1, "&lt;");
  return text;
}

void add_markdown(const SectionInfo& section, const std::string& path, const std::string& same_as, std::string& out) {
  const std::string title = path.empty() ? "top level" : fmt::format("`{}`", path);
  out += fmt::format("\n### {}\n\n{}\n", title, section.meaning);
  if (!same_as.empty()) {
    out += fmt::format("\nKeys as in `{}`.\n", same_as);
    return;
  }
  out += "\n| key | type | unit | default | range or choices | meaning |\n|---|---|---|---|---|---|\n";
  for (const KeyInfo& key : section.keys) {
    const std::string fallback = key.fallback ? fmt::format("`{}`", *key.fallback) : default_text(key);
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", key.name, cell(key.type.name), cell(key.type.units),
                       cell(fallback), cell(range_text(key.type)), cell(key.meaning));
  }
}

void add_text(const SectionInfo& section, const std::string& path, const std::string& same_as, std::string& out) {
  if (!same_as.empty()) {
    out += fmt::format("\n{}.*\n    keys as in {}\n", path, same_as);
    return;
  }
  if (!path.empty()) out += fmt::format("\n{}: {}\n", path, section.meaning);
  for (const KeyInfo& key : section.keys) {
    out += fmt::format("\n{}\n    {}\n    type: {}", own_path(path, key), key.meaning, key.type.name);
    if (!key.type.units.empty()) out += fmt::format(" (units: {})", key.type.units);
    out += fmt::format("; default: {}", default_text(key));
    const std::string range = range_text(key.type);
    if (!range.empty()) out += fmt::format("; {}: {}", key.type.choices.empty() ? "range" : "choices", range);
    out += "\n";
  }
}

// All sections of a kind of file, each added to `out` by one of the functions above.
template <class Add>
void add_all(const SectionInfo& keys, Add add, std::string& out) {
  std::vector<std::pair<const SectionInfo*, std::string>> seen;
  walk(keys, "", seen, [&](const SectionInfo& section, const std::string& path, const std::string& same_as) {
    add(section, path, same_as, out);
  });
}

// What a program or its plug-ins have registered beside Weft's own.
struct Registered {
  std::string kind;  ///< of block or box
  std::string name;
  std::string meaning;  ///< empty: none is given
};

std::vector<Registered> registered(const BlockCatalog& blocks) {
  std::vector<Registered> out;
  const auto add_rtl = [&](const auto& place) {
    for (const std::string& name : place.names()) out.push_back({"RTL for " + place.place(), name, ""});
  };
  blocks.tdm.each_place(add_rtl);
  blocks.packet.each_place(add_rtl);
  blocks.optweb.each_place(add_rtl);
  blocks.optweb_boxes.each_kind([&](const auto& kind) {
    for (const auto& [name, box] : kind.all()) out.push_back({kind.kind(), name, box.meaning});
  });
  return out;
}

}  // namespace

std::string describe_text(const Registry& registry) {
  std::string out = "Keys of a Weft configuration\n";
  for (const std::string_view paragraph : kIntroduction) out += fmt::format("\n{}\n", paragraph);
  for (const cli::DescribedKeys& fabric : cli::fabric_documents(registry)) {
    out += fmt::format("\nfabric: {} - {}\n", fabric.name, fabric.meaning);
    add_all(*fabric.keys, add_text, out);
  }
  for (const cli::DescribedKeys& file : cli::task_files()) {
    out += fmt::format("\nfiles for weft {} - {}\n", file.name, file.meaning);
    add_all(*file.keys, add_text, out);
  }
  const std::vector<Registered> own = registered(registry.blocks());
  if (!own.empty()) out += "\nregistered by this program or its plug-ins, for the keys that name them\n";
  for (const Registered& r : own) {
    out += fmt::format("  {} ({}){}{}\n", r.name, r.kind, r.meaning.empty() ? "" : ": ", r.meaning);
  }
  return out;
}

std::string describe_key(const Registry& registry, const std::string& key) {
  std::vector<std::pair<std::string, std::string>> found;  // what is printed, and the documents that have it
  std::vector<std::string> known;
  const auto is_meant = [&](const std::string& path) { return path == key || path.ends_with("." + key); };
  // traffic[] of traffic, qos.levels.<name> of qos.levels.
  const auto is_element = [&](const std::string& path) {
    const std::size_t end = path.ends_with("[]")  ? path.size() - 2
                            : path.ends_with(">") ? path.rfind(".<")
                                                  : path.size();
    return end < path.size() && is_meant(path.substr(0, end));
  };
  const auto look = [&](const cli::DescribedKeys& document, const std::string& heading) {
    std::vector<std::pair<const SectionInfo*, std::string>> seen;
    const auto add = [&](const std::string& text) {
      const auto same = std::find_if(found.begin(), found.end(), [&](const auto& f) { return f.first == text; });
      if (same == found.end()) {
        found.emplace_back(text, heading);
      } else {
        same->second += ", " + document.name;
      }
    };
    walk(*document.keys, "", seen, [&](const SectionInfo& section, const std::string& path, const std::string& same) {
      std::string text;
      if (is_meant(path) || is_element(path)) {
        add_text(section, path, same, text);
        return add(text);
      }
      if (!same.empty()) return;
      for (const KeyInfo& k : section.keys) {
        known.push_back(own_path(path, k));
        known.push_back(k.name);
        // The keys of a section with several elements follow when the section itself is visited.
        if (!is_meant(own_path(path, k)) || (k.type.section && k.type.section_path.empty())) continue;
        std::string one;
        add_text(SectionInfo{section.name, "", {k}}, "", "", one);
        one.replace(1, k.name.size(), own_path(path, k));
        add(one);
      }
    });
  };
  for (const cli::DescribedKeys& fabric : cli::fabric_documents(registry)) look(fabric, "fabric: " + fabric.name);
  for (const cli::DescribedKeys& file : cli::task_files()) look(file, "files for weft " + file.name);
  if (found.empty()) {
    throw InputError({"describe"}, fmt::format("there is no key or section '{}'{}", key, did_you_mean(key, known)));
  }
  std::string out;
  for (const auto& [text, documents] : found) out += fmt::format("{}[{}]{}", out.empty() ? "" : "\n", documents, text);
  return out;
}

std::vector<std::string> configuration_keys(const Registry& registry) {
  std::set<std::string> out;
  const auto look = [&](const cli::DescribedKeys& document) {
    std::vector<std::pair<const SectionInfo*, std::string>> seen;
    walk(*document.keys, "", seen, [&](const SectionInfo& section, const std::string& path, const std::string&) {
      if (path.find('<') != std::string::npos) return;
      for (const KeyInfo& k : section.keys) out.insert(own_path(path, k));
    });
  };
  for (const cli::DescribedKeys& fabric : cli::fabric_documents(registry)) look(fabric);
  for (const cli::DescribedKeys& file : cli::task_files()) look(file);
  return {out.begin(), out.end()};
}

std::vector<Page> describe_pages(const Registry& registry) {
  struct Document {
    std::string title, page, meaning;
    std::shared_ptr<const SectionInfo> keys;
    std::vector<std::pair<std::string, std::string>> sections{};  // path, text
  };
  std::vector<Document> documents;
  for (const cli::DescribedKeys& fabric : cli::fabric_documents(registry)) {
    documents.push_back({fmt::format("`fabric: {}`", fabric.name), fabric.name, fabric.meaning, fabric.keys});
  }
  for (const cli::DescribedKeys& file : cli::task_files()) {
    std::string page = "weft " + file.name;
    std::replace(page.begin(), page.end(), ' ', '_');
    documents.push_back({fmt::format("Files for `weft {}`", file.name), page, file.meaning, file.keys});
  }
  // Sections that are the same in several documents; in the order in which they come.
  std::vector<std::pair<std::string, std::vector<const Document*>>> texts;
  for (Document& d : documents) {
    std::vector<std::pair<const SectionInfo*, std::string>> seen;
    walk(*d.keys, "", seen, [&](const SectionInfo& section, const std::string& path, const std::string& same_as) {
      std::string text;
      add_markdown(section, path, same_as, text);
      d.sections.emplace_back(path, text);
      auto known = std::find_if(texts.begin(), texts.end(), [&](const auto& k) { return k.first == text; });
      if (known == texts.end()) known = texts.insert(texts.end(), {text, {}});
      known->second.push_back(&d);
    });
  }
  const auto shared = [&](const std::string& text) {
    const auto known = std::find_if(texts.begin(), texts.end(), [&](const auto& k) { return k.first == text; });
    return known->second.size() > 1;
  };

  constexpr std::string_view kPrinted = "This page is printed by `weft describe --pages configs`; do not edit it.\n";
  std::vector<Page> pages{{"README.md", fmt::format("# Configuration\n\n{}", kPrinted)}};
  for (const std::string_view paragraph : kIntroduction) pages[0].text += fmt::format("\n{}\n", paragraph);
  pages[0].text += "\n| page | what it is about |\n|---|---|\n";
  for (const Document& d : documents) {
    pages[0].text += fmt::format("| [{}](keys/{}.md) | {} |\n", d.title, d.page, cell(d.meaning));
  }
  pages[0].text += "\n## Sections that several have in common\n";
  for (const auto& [text, owners] : texts) {
    if (owners.size() < 2) continue;
    pages[0].text += text + "\nIn:";
    for (const Document* d : owners) {
      pages[0].text += fmt::format("{} [{}](keys/{}.md)", d == owners.front() ? "" : ",", d->title, d->page);
    }
    pages[0].text += "\n";
  }
  for (const Document& d : documents) {
    std::string text =
        fmt::format("# {}\n\n{} {}\n{}\n", d.title, "[All pages and common keys](../README.md).", kPrinted, d.meaning);
    std::string common;
    for (const auto& [path, section] : d.sections) {
      if (shared(section)) {
        common += fmt::format("{} `{}`", common.empty() ? "" : ",", path);
      } else {
        text += section;
      }
    }
    if (!common.empty()) text += fmt::format("\nFurther sections, on the [common page](../README.md):{}.\n", common);
    pages.push_back({fmt::format("keys/{}.md", d.page), std::move(text)});
  }
  return pages;
}

std::string describe_json(const Registry& registry) {
  nlohmann::ordered_json out;
  out["schema"] = 1;
  for (const cli::DescribedKeys& fabric : cli::fabric_documents(registry)) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::array();
    add_json(*fabric.keys, "", keys);
    out["fabrics"].push_back({{"name", fabric.name}, {"meaning", fabric.meaning}, {"keys", std::move(keys)}});
  }
  for (const cli::DescribedKeys& file : cli::task_files()) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::array();
    add_json(*file.keys, "", keys);
    out["files"].push_back({{"command", file.name}, {"meaning", file.meaning}, {"keys", std::move(keys)}});
  }
  out["schemas"] = schema_kinds(registry);
  for (const Registered& r : registered(registry.blocks())) {
    out["registered"].push_back({{"kind", r.kind}, {"name", r.name}, {"meaning", r.meaning}});
  }
  return out.dump(2) + "\n";
}

namespace {

constexpr std::string_view kAny = "any";
constexpr std::string_view kPart = "-part";

std::vector<DocumentSchema> document_schemas(const Registry& registry) {
  std::vector<DocumentSchema> out;
  for (const cli::DescribedKeys& f : cli::fabric_documents(registry))
    out.push_back({f.kind, f.meaning, f.keys, f.name});
  for (const cli::DescribedKeys& f : cli::task_files()) out.push_back({f.kind, f.meaning, f.keys, ""});
  return out;
}

}  // namespace

std::vector<std::string> schema_kinds(const Registry& registry) {
  std::vector<std::string> out{std::string(kAny)};
  for (const DocumentSchema& d : document_schemas(registry)) {
    out.push_back(d.name);
    if (!d.fabric.empty()) out.push_back(d.name + std::string(kPart));
  }
  return out;
}

std::string describe_schema(const Registry& registry, const std::string& kind) {
  const std::vector<DocumentSchema> documents = document_schemas(registry);
  if (kind == kAny) return json_schema(documents);
  const bool part = kind.ends_with(kPart);
  const std::string name = part ? kind.substr(0, kind.size() - kPart.size()) : kind;
  const auto document = std::find_if(documents.begin(), documents.end(), [&](const auto& d) { return d.name == name; });
  return json_schema(*document, part);
}

}  // namespace weft
