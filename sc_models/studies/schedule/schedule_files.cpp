#include "studies/schedule/schedule_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "algorithms/jobs/timed_circuits.h"
#include "algorithms/slots/slot_table.h"
#include "base/files.h"

namespace weft {
namespace {

using OrderedJson = nlohmann::ordered_json;
namespace fs = std::filesystem;

}  // namespace

TextFile::TextFile(const fs::path& path) : output_(path) {
  errno = 0;
  file_ = std::fopen(output_.temporary().c_str(), "wb");
  if (file_ == nullptr) fail();
}

TextFile::~TextFile() {
  if (file_ != nullptr) std::fclose(file_);
}

void TextFile::fail() const { cannot_write(output_.path(), errno); }

void TextFile::write(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
}

void TextFile::finish() {
  errno = 0;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!closed) fail();
  output_.keep();
}

ScheduleLog::ScheduleLog(const fs::path& path, const Graph& graph, const jobs::ScheduleOptions& options)
    : graph_(graph), file_(path) {
  file_.write(OrderedJson{{"event", "schedule"},
                   {"network", graph.name()},
                   {"nodes", graph.nodes()},
                   {"slots", options.slots},
                   {"slots_per_flow", options.slots_per_flow},
                   {"policy", options.policy},
                   {"node_policy", options.node_policy},
                   {"seed", options.seed}}
                  .dump() +
              "\n");
}

void ScheduleLog::on_submit(const jobs::Job& job) {
  file_.write(
      OrderedJson{{"event", "submit"}, {"time", job.submit}, {"job", job.id}, {"nodes", job.nodes}, {"run", job.run}}.dump() +
      "\n");
}

void ScheduleLog::on_reject(const jobs::Job& job, const std::string& reason) {
  file_.write(OrderedJson{{"event", "reject"}, {"time", job.submit}, {"job", job.id}, {"reason", reason}}.dump() + "\n");
}

void ScheduleLog::on_reserve(const jobs::Job& job, jobs::Time now, jobs::Time time) {
  file_.write(OrderedJson{{"event", "reserve"}, {"time", now}, {"job", job.id}, {"start_by", time}}.dump() + "\n");
}

void ScheduleLog::on_start(const jobs::RunningJob& job) {
  OrderedJson circuits = OrderedJson::array();
  for (std::size_t f = 0; f < job.placement.flows.size(); ++f) {
    const std::vector<CircuitTree>& trees = job.placement.flows[f].trees;
    for (std::size_t t = 0; t < trees.size(); ++t) {
      for (const jobs::CircuitLinks& part : jobs::circuit_parts(trees[t], t, job.placement.slots[f])) {
        OrderedJson links = OrderedJson::array();
        for (const TreeEdge& edge : part.tree.edges) links.push_back(graph_.link_name(edge.link));
        circuits.push_back({{"flow", job.placement.flows[f].name},
                            {"source", trees[t].source},
                            {"destinations", trees[t].destinations},
                            {"slots", part.slots},
                            {"links", std::move(links)}});
      }
    }
  }
  file_.write(OrderedJson{{"event", "start"},
                   {"time", job.start},
                   {"job", job.job.id},
                   {"end", job.end},
                   {"backfilled", job.backfilled},
                   {"nodes", job.placement.nodes},
                   {"circuits", std::move(circuits)}}
                  .dump() +
              "\n");
}

void ScheduleLog::on_end(const jobs::RunningJob& job) {
  file_.write(OrderedJson{{"event", "end"}, {"time", job.end}, {"job", job.job.id}}.dump() + "\n");
}

ScheduleTables::ScheduleTables(const fs::path& path, const Graph& graph, std::uint32_t slots, double network_slots)
    : graph_(graph), slots_(slots), network_slots_(network_slots), file_(path) {}

void ScheduleTables::leave(const std::string& id) {
  if (const auto at = std::find(waiting_.begin(), waiting_.end(), id); at != waiting_.end()) waiting_.erase(at);
}

void ScheduleTables::on_instant(const jobs::Instant& instant, const jobs::RunningJobs& running) {
  if (!instant.changed) return;
  std::vector<const jobs::RunningJob*> list;
  for (const auto& [key, job] : running) list.push_back(&job);
  std::stable_sort(list.begin(), list.end(), [](const auto* a, const auto* b) { return a->start < b->start; });
  std::string text = fmt::format("##### Time {} #####\n\n=== Jobs ===\n", instant.time);
  std::vector<Flow> flows;
  Allocation allocation;
  std::vector<std::uint64_t> first_pairs;
  for (const jobs::RunningJob* job : list) {
    text += fmt::format("Job {}: running from {} to {} on nodes {}\n", job->job.id, job->start, job->end,
                        fmt::join(job->placement.nodes, " "));
    for (std::size_t f = 0; f < job->placement.flows.size(); ++f) {
      flows.push_back(job->placement.flows[f]);
      allocation.flows.push_back(job->placement.slots[f]);
      first_pairs.push_back(job->job.flows[f].first_pair);
    }
  }
  for (const std::string& id : waiting_) text += fmt::format("Job {}: waiting\n", id);
  text +=
      fmt::format("Nodes in use: {} of {} ({:.1f} %)\nSlots in use: {} of {:.0f} ({:.1f} %)\n\n", instant.busy_nodes,
                  graph_.nodes(), 100.0 * instant.busy_nodes / graph_.nodes(), instant.busy_slots, network_slots_,
                  100.0 * static_cast<double>(instant.busy_slots) / network_slots_);
  file_.write(text + slot_tables_text(graph_, flows, allocation, slots_, first_pairs) + "\n");
}

}  // namespace weft
