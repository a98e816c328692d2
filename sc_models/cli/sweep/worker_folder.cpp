#include "cli/sweep/worker_folder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/child_process.h"
#include "base/files.h"
#include "base/output_manifest.h"
#include "cli/option_checks.h"
#include "cli/output.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kPart = "part_";

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Number of the part that a folder or file is of: "part_12", "part_12.log".
std::optional<std::size_t> part_number(const fs::path& path) {
  const std::string name = path.filename().string();
  if (!name.starts_with(kPart)) return std::nullopt;
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPart.size(), end, number);
  if (error != std::errc() || (stop != end && *stop != '.')) return std::nullopt;
  return number;
}

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(folder, ec)) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

// Removes a file, or a folder that is empty.
void remove_quietly(const fs::path& path) {
  std::error_code ec;
  fs::remove(path, ec);
}

// A kill may have left a file of ours half written.
void write_own(const fs::path& path, const std::string& text) {
  remove_quietly(temporary_of(path));
  write_file(path, text);
}

// Variables that decide what a worker does; schedulers need not pass on the environment.
std::string exports() {
  std::string out;
  for (const char* name : {"WEFT_PLUGINS", kMaxInputVariable, kMaxMemoryVariable}) {
    if (const char* value = std::getenv(name)) out += fmt::format("export {}={}\n", name, shell_word(value));
  }
  return out;
}

}  // namespace

WorkerFolder::WorkerFolder(const fs::path& results) : path_(fs::absolute(results).lexically_normal() / "workers") {}

fs::path WorkerFolder::part(std::size_t i) const { return path_ / fmt::format("{}{}", kPart, i); }
fs::path WorkerFolder::log(std::size_t i) const { return path_ / fmt::format("{}{}.log", kPart, i); }

std::vector<std::string> WorkerFolder::stores() const {
  std::vector<std::string> out;
  for (const fs::path& entry : entries(path_)) {
    if (part_number(entry) && fs::is_regular_file(entry / kSweepStore)) out.push_back((entry / kSweepStore).string());
  }
  return out;
}

std::optional<LaunchedJob> WorkerFolder::job() const {
  const Json json = Json::parse(text_of(path_ / "job.json"), nullptr, false);
  if (!json.is_object()) return std::nullopt;
  LaunchedJob out;
  if (json.value("launcher", "") != to_string(out.launcher)) return std::nullopt;
  out.id = json.value("job", "");
  out.parts = json.value("parts", std::size_t{0});
  out.tasks = json.value("tasks", std::vector<std::size_t>());
  out.plan = json.value("plan", "");
  return out.id.empty() ? std::nullopt : std::optional(out);
}

void WorkerFolder::note_job(const LaunchedJob& job) const {
  write_own(path_ / "job.json", Json{{"launcher", to_string(job.launcher)},
                                     {"job", job.id},
                                     {"parts", job.parts},
                                     {"tasks", job.tasks},
                                     {"plan", job.plan}}
                                        .dump(1) +
                                    "\n");
}

void WorkerFolder::forget_job() const { remove_quietly(path_ / "job.json"); }

void WorkerFolder::seed(const OpenedSweep& sweep, const ResultStore& store, const std::vector<std::size_t>& shards,
                        const std::vector<std::size_t>& parts) const {
  std::set<std::string> stored;
  for (const ResultStore::Known& k : store.known()) stored.insert(k.identity);
  std::map<std::size_t, std::vector<std::size_t>> known;
  for (const std::size_t i : parts) known[i] = {};
  for (std::size_t r = 0; r < shards.size(); ++r) {
    const auto part = known.find(shards[r]);
    if (part != known.end() && stored.contains(sweep.plan.runs[r].identity)) part->second.push_back(r);
  }
  for (const auto& [i, runs] : known) {
    if (runs.empty()) continue;
    const OutputFolder folder(part(i), results_of({}, {kRunRecord}, {kSweepStore}));
    ResultStore own((part(i) / kSweepStore).string());
    std::set<std::string> there;
    for (const ResultStore::Known& k : own.known()) there.insert(k.identity);
    ResultStore::Transaction all(own);
    for (const std::size_t r : runs) {
      const PlannedRun& run = sweep.plan.runs[r];
      if (!there.insert(run.identity).second) continue;
      const PlannedPoint& point = sweep.plan.points[run.point];
      if (const auto found = store.get(run.identity)) own.put(*found, axes_of(sweep.config, point));
    }
    all.commit();
  }
}

void WorkerFolder::write_script(const OpenedSweep& sweep, const Launcher& launcher,
                                const std::vector<std::size_t>& tasks) const {
  const SweepArguments& a = sweep.arguments;
  std::string command = shell_word(fs::read_symlink("/proc/self/exe").string()) + " sweep " + shell_word(a.file);
  for (const std::string& set : a.set) command += " --set " + shell_word(set);
  if (a.quick) command += " --quick";
  if (!a.memory.empty()) command += " --memory " + shell_word(a.memory);
  if (a.nice > 0) command += fmt::format(" --nice {}", a.nice);
  const std::string file = shell_word((path_ / kPart).string()) + "\"$task\"";
  write_own(path_ / "worker.sh",
            fmt::format("#!/bin/sh\n# One part of a sweep, started by 'weft sweep --launcher'.\n{}\n{}{}"
                        "cd {} || exit 1\n"
                        "{}{} --shard \"$task/{}\" --out {} \\\n  --jobs \"{}\" >{}.log 2>&1\n"
                        "echo $? >{}.status\n",
                        launcher.task(tasks), exports(), launcher.functions(), shell_word(fs::current_path().string()),
                        launcher.runner(), command, a.workers, file,
                        a.jobs > 0 ? std::to_string(a.jobs) : launcher.cores(), file, file));
  for (const std::size_t i : tasks) {
    remove_quietly(path_ / fmt::format("{}{}.status", kPart, i));
    remove_quietly(log(i));
    remove_quietly(path_ / fmt::format("{}{}.job", kPart, i));
  }
}

bool WorkerFolder::has_logs() const {
  const std::vector<fs::path> all = entries(path_);
  return std::any_of(all.begin(), all.end(), [](const fs::path& p) { return p.extension() == ".log"; });
}

bool WorkerFolder::started(std::size_t i) const { return fs::exists(log(i)); }

std::optional<int> WorkerFolder::status(std::size_t i) const {
  std::ifstream in(path_ / fmt::format("{}{}.status", kPart, i));
  int status = 0;
  return in >> status ? std::optional(status) : std::nullopt;
}

// The lines that a shard writes while it runs: "12 of 130 runs".
std::size_t WorkerFolder::runs_done(std::size_t i) const {
  std::istringstream lines(text_of(log(i)));
  std::size_t out = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t done = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), done);
    if (error == std::errc() && std::string_view(stop).starts_with(" of ") && line.ends_with(" runs")) out = done;
  }
  return out;
}

std::string WorkerFolder::last_words(std::size_t i) const {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> lines;
  std::istringstream in(text_of(log(i)));
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  if (lines.size() > kMost) lines.erase(lines.begin(), lines.end() - kMost);
  return fmt::format("{}", fmt::join(lines, "\n  "));
}

void WorkerFolder::remove_part(const fs::path& part) const {
  for (const char* name : {kSweepStore, kRunRecord, kManifestName}) remove_quietly(part / name);
  remove_quietly(part);
}

void WorkerFolder::remove() const {
  for (const fs::path& entry : entries(path_)) {
    if (!part_number(entry)) continue;
    if (fs::is_directory(entry)) {
      remove_part(entry);
    } else {
      remove_quietly(entry);
    }
  }
  for (const char* name : {"worker.sh", "job.json"}) remove_quietly(path_ / name);
  remove_quietly(path_);
}

}  // namespace weft::cli
