#include "support/fic_runs.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/child.h"

namespace weft::test {

std::string Outcome::neutral_report() const {
  std::istringstream lines(report);
  std::string out;
  std::size_t left_out = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(" \"implementation\":", 0) == 0) {
      ++left_out;
    } else {
      out += line + "\n";
    }
  }
  if (left_out != 1) throw std::runtime_error("the report has no line that says which implementations ran");
  return out;
}

Outcome run_yaml(const std::string& yaml, const Overrides& set, const std::function<void(RunOptions&)>& prepare) {
  const ScratchFolder folder;
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    const FicConfig config = parse_config(yaml, "test.yaml", ".", set, diagnostics);
    const FicPlatform platform(config);
    RunOptions options;
    options.slot_trace = folder.path("slot_trace.csv");
    if (prepare) prepare(options);
    const RunResult result = run_fic(platform, options);
    return nlohmann::json{{"report", report_json(result.report)},
                          {"failure", result.failure},
                          {"complete", result.report.complete},
                          {"cycles", result.cycles}}
        .dump();
  });
  Outcome outcome;
  if (!child.ok) {
    outcome.error = child.text.empty() ? "the child failed" : child.text;
    return outcome;
  }
  const auto j = nlohmann::json::parse(child.text);
  outcome.report = j["report"];
  outcome.failure = j["failure"];
  outcome.complete = j["complete"];
  outcome.cycles = j["cycles"];
  if (std::filesystem::exists(folder.path("slot_trace.csv"))) outcome.slot_trace = slurp(folder.path("slot_trace.csv"));
  return outcome;
}

std::vector<TraceLine> parse_slot_trace(const std::string& csv) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  if (line != "cycle,switch,port,slot,source,destinations,circuit,message,word") {
    throw std::runtime_error("unexpected header of the slot trace: " + line);
  }
  std::vector<TraceLine> out;
  while (std::getline(lines, line)) {
    std::vector<std::string> f;
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) f.push_back(field);
    if (f.size() != 9) throw std::runtime_error("slot trace: " + line);
    out.push_back({std::stol(f[0]), static_cast<SwitchId>(std::stoul(f[1])), static_cast<PortId>(std::stoul(f[2])),
                   static_cast<Slot>(std::stoul(f[3])), f[4], f[5], static_cast<std::uint32_t>(std::stoul(f[6])),
                   std::stoul(f[7]), static_cast<std::uint32_t>(std::stoul(f[8]))});
  }
  return out;
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "weft_test_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  folder_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ec;
  std::filesystem::remove_all(folder_, ec);
}

std::string ScratchFolder::path(const std::string& name) const {
  return name.empty() ? folder_ : folder_ + "/" + name;
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

}  // namespace weft::test
