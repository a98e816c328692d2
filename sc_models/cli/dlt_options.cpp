#include "cli/study_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "cli/families.h"
#include "cli/option_checks.h"
#include "cli/report/report_input.h"
#include "cli/terminal.h"
#include "schema/schema_types.h"
#include "studies/dlt/dlt_schema.h"

namespace weft::cli {
namespace {

constexpr std::uint32_t kMostHypercubeDimensions = 12;

// The section `topology`. One link between neighbours of a hypercube: a mesh of 2 per dimension (a torus of 2 has two).
YamlNode topology_of(const DltArguments& a, Diagnostics& diagnostics) {
  const Location kind_where = option_at("--topology", a.topology);
  const Location dims_where = option_at("--dims", a.dims);
  YamlNode out{YamlNode::Kind::map, kind_where, {}, {}};
  YamlNode dims{YamlNode::Kind::sequence, dims_where, {}, {}};
  const std::vector<std::string> kinds = dlt_topology_words();
  word_choice_type(kinds).read(scalar_node(a.topology, kind_where), "topology", diagnostics);
  const bool hypercube = a.topology == "hypercube";
  const YamlEntry two{{}, dims_where, scalar_node("2", dims_where)};
  if (a.dims.empty()) {
    diagnostics.error({"command line"}, "--topology needs --dims");
    dims.entries = {two};
  } else if (hypercube) {
    const auto type = whole<std::uint32_t>(1, kMostHypercubeDimensions);
    const auto count = type.read(scalar_node(a.dims, dims_where), "dimensions of the hypercube", diagnostics);
    dims.entries.assign(count.value_or(1), two);
  } else {
    dims = list_node(a.dims, dims_where);
  }
  const bool known = std::find(kinds.begin(), kinds.end(), a.topology) != kinds.end();
  out.entries = {{"kind", kind_where, scalar_node(known && !hypercube ? a.topology : "mesh", kind_where)},
                 {"dims", dims_where, std::move(dims)}};
  return out;
}

struct RunOption {
  const char* option;
  const char* key;
  const std::string& value;
};

std::vector<RunOption> run_options(const DltArguments& a) {
  return {{"--run", "fabric", a.run},
          {"--load", "load", a.load},
          {"--rounds", "rounds", a.rounds},
          {"--results", "results", a.results}};
}

// The section `run`; empty without such options.
YamlNode run_of(const DltArguments& a) {
  YamlNode out{YamlNode::Kind::map, option_at("--run", a.run), {}, {}};
  for (const auto& [option, key, value] : run_options(a)) {
    const Location where = option_at(option, value);
    if (!value.empty()) out.entries.push_back({key, where, scalar_node(value, where)});
  }
  return out;
}

// The options as the file they stand for, which is then checked like any other. What is missing or wrong here is
// reported and replaced by something right.
ConfigDocument document_of(const DltArguments& a, Diagnostics& diagnostics) {
  const Location line{"command line"};
  ConfigDocument document;
  document.root = {YamlNode::Kind::map, line, {}, {}};
  const auto put = [&](const std::string& key, YamlNode value) {
    const Location where = value.where;
    document.root.entries.push_back({key, where, std::move(value)});
  };
  const auto option = [&](const std::string& key, const std::string& text) {
    if (!text.empty()) put(key, scalar_node(text, {"--" + key + " " + text}));
  };
  put("fabric", scalar_node("dlt", line));
  put("topology", topology_of(a, diagnostics));
  if (a.sigma.empty()) diagnostics.error(line, "--topology needs --sigma");
  option("sigma", a.sigma.empty() ? "0.5" : a.sigma);
  option("switching", a.switching);
  option("routes", a.routes);
  YamlNode inject{YamlNode::Kind::sequence, line, {}, {}};
  for (const std::string& at : a.inject.empty() ? std::vector<std::string>{"corner"} : a.inject) {
    const Location where{"--inject " + at};
    inject.entries.push_back({{}, where, {YamlNode::Kind::map, where, {}, {{"at", where, scalar_node(at, where)}}}});
  }
  put("inject", std::move(inject));
  if (YamlNode run = run_of(a); !run.entries.empty()) put("run", std::move(run));
  return document;
}

// Divisible loads have no messages that programs could send.
void check_programs(const ConfigDocument& document, const Registry& registry) {
  std::string names;
  for (const Family& f : registry.families()) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", f.name);
  for (const char* key : {"program_file", "program", "programs"}) {
    const YamlEntry* entry = document.root.find(key);
    if (entry == nullptr) continue;
    throw InputError(entry->key_where, fmt::format("{}: programs run on fabrics {}, not on 'dlt'; it spreads a load "
                                                   "without programs",
                                                   key, names));
  }
}

// --load and its like say how the shares of `--run`, or of the file's section `run`, are sent.
void check_run_options(const DltArguments& a, const ConfigDocument* file) {
  const YamlEntry* section = file != nullptr ? file->root.find("run") : nullptr;
  const bool overridden =
      std::any_of(a.set.begin(), a.set.end(), [](const std::string& key) { return key.starts_with("run"); });
  if (!a.run.empty() || section != nullptr || overridden) return;
  for (const RunOption& o : run_options(a)) {
    if (!o.value.empty())
      throw InputError(option_at(o.option, o.value), "needs --run, the network that the shares are sent over");
  }
}

LoadedDlt from_options(const DltArguments& a, const Registry& registry) {
  Diagnostics diagnostics;
  LoadedDlt out;
  out.document = document_of(a, diagnostics);
  passes([&] { out.config = read_dlt_config(out.document, {}, {}, registry, diagnostics); }, diagnostics);
  diagnostics.throw_if_errors();
  return out;
}

}  // namespace

std::vector<std::string> dlt_topology_words() { return {"mesh", "torus", "hypercube"}; }

bool is_dlt_document(const ConfigDocument& document) {
  const YamlEntry* fabric = document.root.find("fabric");
  return fabric != nullptr && fabric->value.text == "dlt";
}

DltConfig read_dlt_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          const Registry& registry, Diagnostics& diagnostics, YamlNode* in_force) {
  if (is_dlt_document(document)) check_programs(document, registry);
  const std::vector<std::string> words = fabric_words(registry);
  return read_family({std::move(document), file, overrides, words, in_force}, "dlt", dlt_section(words), resolve_dlt,
                     diagnostics);
}

Overrides dlt_overrides(const DltArguments& a) {
  Overrides out = a.set;
  for (const auto& [option, key, value] : run_options(a)) {
    if (!value.empty()) out.push_back(fmt::format("run.{}={}", key, value));
  }
  return out;
}

LoadedDlt load_dlt(const DltArguments& a, const Registry& registry) {
  const bool options = !a.topology.empty() || !a.dims.empty() || !a.sigma.empty() || !a.switching.empty() ||
                       !a.routes.empty() || !a.inject.empty();
  if (!a.config.empty() && options) {
    throw InputError({"command line"}, "a configuration file excludes these options; use --set to change its keys");
  }
  if (!a.config.empty()) {
    Diagnostics diagnostics;
    const ConfigInput input = load_config(a.config);
    if (!input.is_report) {
      check_command("dlt", *dlt_section(fabric_words(registry)).info(), input.document, input.file);
    }
    check_run_options(a, &input.document);
    LoadedDlt out{{}, input.document};
    out.config =
        read_dlt_config(input.document, input.file, dlt_overrides(a), registry, diagnostics, &out.document.root);
    print_warnings(diagnostics.list());
    return out;
  }
  if (!a.set.empty()) throw InputError({"--set " + a.set.front()}, "needs a configuration file");
  if (a.topology.empty()) throw InputError({"command line"}, "expected a configuration file or --topology");
  check_run_options(a, nullptr);
  return from_options(a, registry);
}

}  // namespace weft::cli
