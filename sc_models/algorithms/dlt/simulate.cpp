#include "algorithms/dlt/simulate.h"

#include <algorithm>
#include <queue>
#include <tuple>

namespace weft::dlt {
namespace {

// A message at a point of its way: ready for hop `hop` of its path, the whole of it there at `complete`.
struct Ready {
  double time;
  std::uint32_t message;
  std::uint32_t hop;
  double complete;
  bool operator>(const Ready& o) const { return std::tie(time, message, hop) > std::tie(o.time, o.message, o.hop); }
};

class Run {
 public:
  Run(const Network& network, const std::vector<Message>& messages, DltSwitching switching)
      : network_(network), messages_(messages), switching_(switching), link_free_(network.links.size()) {
    out_.finish.resize(network.nodes.size());
    out_.link_busy.resize(network.links.size());
  }

  // Readiness is served in order of time and a link's service takes time, so "first ready, first served" needs no
  // queue: the link's next free time is all there is to know.
  Distribution run() {
    for (std::uint32_t m = 0; m < messages_.size(); ++m) {
      agenda_.push({messages_[m].release, m, 0, messages_[m].release});
    }
    while (!agenda_.empty()) {
      const Ready next = agenda_.top();
      agenda_.pop();
      if (next.hop < messages_[next.message].path.size()) {
        send(next);
      } else {
        compute(next);
      }
    }
    const auto by_start = [](const Activity& a, const Activity& b) { return a.start < b.start; };
    std::stable_sort(out_.transfers.begin(), out_.transfers.end(), by_start);
    for (const double f : out_.finish) out_.makespan = std::max(out_.makespan, f);
    return std::move(out_);
  }

 private:
  void send(const Ready& at) {
    const Message& message = messages_[at.message];
    const LinkIndex link = message.path[at.hop];
    const double start = std::max(at.time, link_free_[link]);
    const double end = std::max(at.complete, start + message.amount * network_.links[link].time);
    link_free_[link] = end;
    out_.link_busy[link] += end - start;
    out_.transfers.push_back({at.message, link, start, end});
    const bool last = at.hop + 1 == message.path.size();
    const bool from_head =
        switching_ == DltSwitching::cut_through || (last && switching_ == DltSwitching::modified_store_and_forward);
    const double ready = from_head ? start : end;
    const double turn = message.release + (at.hop + 1) * message.stage;
    agenda_.push({last ? ready : std::max(ready, turn), at.message, at.hop + 1, end});
  }

  void compute(const Ready& at) {
    const Message& message = messages_[at.message];
    double& free = out_.finish[message.node];
    const double start = std::max(at.time, free);
    const double end = std::max(at.complete, start + message.amount * network_.nodes[message.node].time);
    free = end;
    out_.computations.push_back({at.message, message.node, start, end});
  }

  const Network& network_;
  const std::vector<Message>& messages_;
  DltSwitching switching_;
  std::vector<double> link_free_;
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> agenda_;
  Distribution out_;
};

}  // namespace

Distribution simulate(const Network& network, const std::vector<Message>& messages, DltSwitching switching) {
  return Run(network, messages, switching).run();
}

}  // namespace weft::dlt
