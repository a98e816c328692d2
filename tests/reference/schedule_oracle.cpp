#include "reference/schedule_oracle.h"

#include <algorithm>
#include <map>
#include <set>

namespace weft::test {
namespace {

using Links = std::set<std::string>;

struct Held {
  std::vector<int> nodes;
  std::vector<Links> links;  // per flow
  std::vector<int> slots;    // per flow
};

/// All that some jobs hold.
struct InUse {
  std::set<int> nodes;
  std::multiset<std::pair<std::string, int>> slots;  // link or bundle, slot
  void add(const Held& held) {
    nodes.insert(held.nodes.begin(), held.nodes.end());
    for (std::size_t f = 0; f < held.links.size(); ++f) {
      for (const std::string& link : held.links[f]) slots.emplace(link, held.slots[f]);
    }
  }
};

Links route(const OracleNetwork& n, int from, int to) {
  Links links{"node " + std::to_string(from) + " in", "node " + std::to_string(to) + " out"};
  int x = from % n.width;
  int y = from / n.width;
  const int tx = to % n.width;
  const int ty = to / n.width;
  while (x != tx || y != ty) {
    const int before = x + y * n.width;
    if (x != tx) {
      x += x < tx ? 1 : -1;
    } else {
      y += y < ty ? 1 : -1;
    }
    links.insert(std::to_string(before) + " to " + std::to_string(x + y * n.width));
  }
  return links;
}

// `first`: slot that is asked for first.
std::optional<Held> place(const OracleNetwork& n, const OracleJob& job, InUse in_use, int first) {
  Held held;
  for (int node = 0; node < n.width * n.height && static_cast<int>(held.nodes.size()) < job.nodes; ++node) {
    if (in_use.nodes.count(node) == 0) held.nodes.push_back(node);
  }
  if (static_cast<int>(held.nodes.size()) < job.nodes) return std::nullopt;
  for (const auto& flow : job.flows) {
    std::map<int, Links> by_source;
    for (const auto& [from, to] : flow) {
      const Links links =
          route(n, held.nodes[static_cast<std::size_t>(from)], held.nodes[static_cast<std::size_t>(to)]);
      by_source[from].insert(links.begin(), links.end());
    }
    Links all;
    for (const auto& [source, links] : by_source) {
      for (const std::string& link : links) {
        if (!all.insert(link).second) return std::nullopt;  // two circuits of one flow on one link
      }
    }
    int slot = first;
    int tried = 0;
    const auto taken = [&](const std::string& link) {
      const auto links = static_cast<std::size_t>(link.starts_with("node") ? 1 : n.trunk);
      return in_use.slots.count({link, slot}) >= links;
    };
    for (; tried < n.slots && std::any_of(all.begin(), all.end(), taken); ++tried) slot = (slot + 1) % n.slots;
    if (tried == n.slots) return std::nullopt;
    for (const std::string& link : all) in_use.slots.emplace(link, slot);
    held.links.push_back(all);
    held.slots.push_back(slot);
  }
  return held;
}

class Oracle {
 public:
  Oracle(const OracleNetwork& network, const std::string& policy, const std::vector<OracleJob>& jobs)
      : network_(network),
        policy_(policy),
        jobs_(jobs),
        results_(jobs.size()),
        held_(jobs.size()),
        queue_(jobs.size()) {}

  std::vector<OracleResult> run() {
    std::size_t submitted = 0;
    for (now_ = 0; submitted < jobs_.size() || !waiting_.empty(); ++now_) {
      ended_ = false;
      for (std::size_t j = 0; j < jobs_.size(); ++j) ended_ = ended_ || (results_[j].start >= 0 && end(j) == now_);
      was_blocked_ = !waiting_.empty();
      new_.clear();
      bool event = ended_;
      for (; submitted < jobs_.size() && jobs_[submitted].submit == now_; ++submitted) {
        event = true;
        join(submitted);
        if (place(network_, jobs_[submitted], {}, queue_[submitted])) {
          waiting_.push_back(submitted);
          new_.insert(submitted);
        } else {
          results_[submitted].rejected = true;
        }
      }
      if (event) dispatch();
      for (std::size_t j = 0; j < jobs_.size(); ++j) {
        const bool circuits = !jobs_[j].flows.empty() && results_[j].start >= 0;
        if (!circuits || (results_[j].start != now_ && end(j) != now_)) continue;
        tables_ = sends(j);
        break;
      }
    }
    return results_;
  }

 private:
  std::int64_t end(std::size_t j) const { return results_[j].sends + jobs_[j].run; }
  // Of a job that starts now.
  std::int64_t sends(std::size_t j) const {
    return jobs_[j].flows.empty() ? now_ : std::max(now_, tables_) + network_.reconfiguration;
  }

  void join(std::size_t j) {
    if (!network_.queue_per_slot) return;
    std::vector<int> waiting(static_cast<std::size_t>(network_.slots));
    for (const std::size_t other : waiting_) ++waiting[static_cast<std::size_t>(queue_[other])];
    queue_[j] = static_cast<int>(std::min_element(waiting.begin(), waiting.end()) - waiting.begin());
  }

  /// What the jobs started so far hold at a time.
  InUse in_use_at(std::int64_t time) const {
    InUse in_use;
    for (std::size_t j = 0; j < jobs_.size(); ++j) {
      if (results_[j].start >= 0 && end(j) > time) in_use.add(held_[j]);
    }
    return in_use;
  }

  bool start(std::size_t j) {
    const auto held = place(network_, jobs_[j], in_use_at(now_), queue_[j]);
    if (!held) return false;
    held_[j] = *held;
    results_[j].start = now_;
    results_[j].sends = sends(j);
    results_[j].nodes = held->nodes;
    results_[j].slots = held->slots;
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), j));
    return true;
  }

  std::int64_t flow_size(std::size_t j) const {
    std::int64_t largest = 0;
    for (const auto& flow : jobs_[j].flows) {
      largest = std::max(largest, static_cast<std::int64_t>(flow.size()) * jobs_[j].run);
    }
    return largest;
  }

  // Of the jobs in a queue, -1: in all.
  std::optional<std::size_t> first(int queue) const {
    std::optional<std::size_t> best;
    for (const std::size_t j : waiting_) {
      if (queue >= 0 && queue_[j] != queue) continue;
      if (!best || (policy_ == "lff" && flow_size(j) > flow_size(*best))) best = j;
    }
    return best;
  }

  void dispatch() {
    if (network_.queue_per_slot && policy_ != "easy") {
      for (int n = 0; n < network_.slots; ++n) start_all((turn_ + n) % network_.slots);
      turn_ = (turn_ + 1) % network_.slots;
      return;
    }
    start_all(-1);
    if (policy_ == "easy" && !waiting_.empty()) backfill();
  }

  void start_all(int queue) {
    for (auto j = first(queue); j && start(*j); j = first(queue)) {
    }
  }

  void backfill() {
    const std::size_t head = waiting_.front();
    std::optional<std::int64_t>& promised = results_[head].promised;
    for (std::int64_t t = now_ + 1; !promised; ++t) {
      if (place(network_, jobs_[head], in_use_at(t), queue_[head])) promised = t;
    }
    const std::vector<std::size_t> queue(waiting_.begin() + 1, waiting_.end());
    for (const std::size_t j : queue) {
      if (!ended_ && was_blocked_ && new_.count(j) == 0) continue;
      const auto held = place(network_, jobs_[j], in_use_at(now_), queue_[j]);
      if (!held) continue;
      if (sends(j) + jobs_[j].run > *promised) {
        InUse then = in_use_at(*promised);
        then.add(*held);
        if (!place(network_, jobs_[head], then, queue_[head])) continue;
      }
      start(j);
      results_[j].backfilled = true;
    }
  }

  OracleNetwork network_;
  std::string policy_;
  const std::vector<OracleJob>& jobs_;
  std::vector<OracleResult> results_;
  std::vector<Held> held_;
  std::vector<std::size_t> waiting_;  // in the order of submission
  std::set<std::size_t> new_;
  std::vector<int> queue_;
  std::int64_t now_ = 0;
  std::int64_t tables_ = 0;  // until then tables of earlier instants are written
  int turn_ = 0;             // queue that comes first
  bool ended_ = false;
  bool was_blocked_ = false;
};

}  // namespace

std::vector<OracleResult> schedule_oracle(const OracleNetwork& network, const std::string& policy,
                                          const std::vector<OracleJob>& jobs) {
  return Oracle(network, policy, jobs).run();
}

}  // namespace weft::test
