#include "studies/dlt/dlt_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/forked_work.h"
#include "observe/columns.h"
#include "studies/dlt/dlt_schema.h"

namespace weft {
namespace {

using Json = nlohmann::json;

// Networks that need no file. Their topology is that of the load; a frame has a slot for the circuit to each node.
std::string network_keys(const std::string& word, std::uint32_t nodes) {
  constexpr const char* kLevel = "qos: { levels: { load: { message: 2KiB } } }\n";
  if (word == "ideal") return fmt::format("fabric: ideal\nideal: {{ nodes: {} }}\n{}", nodes, kLevel);
  if (word == "tdm") return fmt::format("fabric: tdm\nswitch: {{ slots: {} }}\n", std::max(2u, nodes - 1));
  return fmt::format("fabric: packet\nswitch: {{ architecture: {} }}\n{}", word, kLevel);
}

// Keys of what a network does besides.
constexpr const char* kWorkloadKeys[] = {"traffic",      "trace",         "run",      "program",       "programs",
                                         "program_file", "buffers",       "circuits", "circuits_file", "pattern",
                                         "alltoall",     "schedule_file", "phases",   "sources"};

bool is_word(const std::string& fabric) {
  const std::vector<std::string> words = dlt_network_words();
  return std::find(words.begin(), words.end(), fabric) != words.end();
}

const std::string& scalar_of(const YamlNode& root, std::string_view key) {
  static const std::string none;
  const YamlEntry* entry = root.find(key);
  return entry == nullptr ? none : entry->value.text;
}

double cell_number(const Value& v) {
  if (const auto* d = std::get_if<double>(&v)) return *d;
  if (const auto* i = std::get_if<std::int64_t>(&v)) return static_cast<double>(*i);
  return -1;
}

std::string steps_of(const ReportData& report) {
  Json out = Json::array();
  for (const Table& t : report.tables) {
    if (t.key != "instructions") continue;
    const std::size_t program = column_index(t, "program");
    const std::size_t name = column_index(t, "name");
    const std::size_t start = column_index(t, "start");
    const std::size_t completed = column_index(t, "completed");
    for (const auto& row : t.rows) {
      out.push_back({std::get<std::string>(row[program]), std::get<std::string>(row[name]), cell_number(row[start]),
                     cell_number(row[completed])});
    }
  }
  return out.dump();
}

}  // namespace

DltNetwork::DltNetwork(const DltRun& run, const ConfigDocument& document, std::uint32_t nodes, const Registry& registry)
    : registry_(registry), file_(run.fabric), nodes_(nodes) {
  if (nodes < 2) throw InputError(run.where, "run: a load is sent to other nodes; the network has one");
  if (is_word(run.fabric)) {
    const YamlEntry* topology = document.root.find("topology");
    document_ = parse_document(network_keys(run.fabric, nodes), run.fabric, ".");
    document_.folders.insert(document.folders.begin(), document.folders.end());
    if (run.fabric != "ideal" && topology != nullptr) document_.root.entries.push_back(*topology);
  } else {
    if (!std::filesystem::exists(run.fabric)) {
      throw InputError(run.where, fmt::format("run.fabric: expected a configuration file or one of {}; there is no "
                                              "file '{}'",
                                              fmt::join(dlt_network_words(), ", "), run.fabric));
    }
    document_ = load_document(run.fabric);
    std::erase_if(document_.root.entries, [](const YamlEntry& e) {
      return std::find(std::begin(kWorkloadKeys), std::end(kWorkloadKeys), e.key) != std::end(kWorkloadKeys);
    });
  }
  const YamlEntry* fabric = document_.root.find("fabric");
  Diagnostics diagnostics;
  if (fabric != nullptr) renew_fabric(document_.root, diagnostics);
  family_ = scalar_of(document_.root, "fabric");
  if (registry_.find(family_) == nullptr) {
    throw InputError(run.where, fmt::format("run.fabric: {} describes no network that can be simulated", file_));
  }
  constexpr const char* kTwoNodes =
      "programs:\n  'node[0]': [{ op: send, destination: 1, size: 1B }]\n"
      "  'node[1]': [{ op: recv, source: 0, size: 1B }]\n";
  if (is_word(run.fabric)) avoid_deadlocks(kTwoNodes);
  const auto first = design(kTwoNodes);
  const auto plan = first->plan(registry_.blocks());
  const auto* const network = dynamic_cast<const FabricPlan*>(plan.get());
  if (network == nullptr || !network->workload().has_programs()) {
    throw InputError(run.where,
                     fmt::format("run.fabric: fabric '{}' executes programs as instructions of its own, which "
                                 "do not go on while a message leaves; expected one whose nodes send "
                                 "messages (ideal, packet, tdm)",
                                 family_));
  }
  const ProgramsConfig& programs = network->workload().programs;
  if (programs.nodes != nodes) {
    throw InputError(run.where, fmt::format("run.fabric: the load is spread over {} nodes, one on every switch; "
                                            "the network {} has {}",
                                            nodes, file_, programs.nodes));
  }
  title_ = plan->title();
  topology_ = network->graph().name();
  interface_.period = network->workload().traffic.period;
  interface_.flit_bits = network->flit_bits();
  interface_.send_overhead = programs.send_overhead;
  interface_.receive_overhead = programs.receive_overhead;
}

// Packet networks whose rings can block have datelines on them; the message is that of the network without.
void DltNetwork::avoid_deadlocks(const std::string& programs) {
  const auto accepted = [&](const ConfigDocument& document) {
    document_ = document;
    try {
      const auto any = design(programs);
      static_cast<void>(any->plan(registry_.blocks()));
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  const ConfigDocument plain = document_;
  if (accepted(plain)) return;
  ConfigDocument datelines = plain;
  merge_yaml(datelines.root, parse_yaml("routing: { ring: dateline }", file_));
  if (!accepted(datelines)) document_ = plain;
}

double DltNetwork::rate() const {
  return static_cast<double>(interface_.flit_bits) * 1e3 / static_cast<double>(interface_.period.ps);
}

std::unique_ptr<Design> DltNetwork::design(const std::string& programs) const {
  ConfigDocument document = document_;
  YamlNode file = parse_yaml(programs, file_ + " with programs of weft dlt");
  document.root.entries.push_back(*file.find("programs"));
  std::vector<std::string> words;
  for (const Family& f : registry_.families()) words.push_back(f.name);
  Diagnostics diagnostics;
  return registry_.find(family_)->read({std::move(document), file_, {}, words}, diagnostics);
}

std::vector<DltStep> DltNetwork::run(const std::string& programs) const {
  const auto configured = design(programs);
  const auto plan = configured->plan(registry_.blocks());  // what is wrong is found here
  const std::string text = in_forked_copy([&] {
    const RunResult result = plan->run({});
    if (!result.failure.empty()) throw RunError(result.failure);
    return steps_of(result.report);
  });
  std::vector<DltStep> out;
  for (const Json& step : Json::parse(text)) {
    const std::string program = step[0];  // node[3]
    out.push_back({static_cast<NodeId>(std::stoul(program.substr(5))), step[1], step[2], step[3]});
  }
  return out;
}

// One byte to a node and back again, then to the next.
void DltNetwork::measure_latencies(const DltNodes& nodes) {
  std::string root;
  std::string others;
  for (const NodeId n : nodes.others) {
    root += fmt::format(
        "    - {{ op: send, destination: {0}, size: 1B }}\n    - {{ op: recv, source: {0}, size: 1B }}\n", n);
    others += fmt::format(
        "  'node[{0}]':\n    - {{ op: recv, source: {1}, size: 1B }}\n    - {{ op: send, destination: {1}, size: 1B "
        "}}\n",
        n, nodes.root);
  }
  const auto steps = run(fmt::format("nodes: {}\nprograms:\n  'node[{}]':\n{}{}", nodes_, nodes.root, root, others));
  std::vector<const DltStep*> of_root;
  std::vector<std::vector<const DltStep*>> of_node(nodes_);
  for (const DltStep& s : steps) (s.node == nodes.root ? of_root : of_node[s.node]).push_back(&s);
  const auto cycles = [&](double ns) {
    return std::llround(ns * 1e3 / static_cast<double>(interface_.period.ps)) - interface_.send_overhead -
           interface_.receive_overhead - interface_.flits(1);
  };
  interface_.there.clear();
  interface_.back.clear();
  for (std::size_t i = 0; i < nodes.others.size(); ++i) {
    const auto& node = of_node[nodes.others[i]];
    interface_.there.push_back(cycles(node[0]->completed - of_root[2 * i]->start));
    interface_.back.push_back(cycles(of_root[2 * i + 1]->completed - node[1]->start));
  }
}

}  // namespace weft
