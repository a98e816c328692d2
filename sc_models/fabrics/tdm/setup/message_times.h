#pragma once
// Latency of the messages of flows whose circuits come and go: from the generation of a message to the arrival of its
// last word at each of its destinations.

#include <algorithm>
#include <deque>
#include <vector>

#include "fabrics/tdm/setup/timed_flow.h"
#include "observe/message_latency.h"
#include "observe/window.h"

namespace weft {

/// A message of a flow is complete at a destination.
struct FlowArrival {
  std::uint32_t flow = 0;
  std::size_t destination = 0;  ///< by index
  std::uint64_t message = 0;    ///< counts those of the flow
  Cycle generated = 0;
  Cycle head = 0;   ///< the first cycle in which it might leave, on the circuit that brought its first word
  Cycle first = 0;  ///< that word arrived
  Cycle last = 0;   ///< its last word arrived: now
};

/// Whoever submits the messages of flows, or watches them. Numbers of messages count those of their flow.
class FlowListener {
 public:
  virtual ~FlowListener() = default;
  /// Its source turns to it for the first time.
  virtual void begun(std::uint32_t /*flow*/, std::uint64_t /*message*/, Cycle /*generated*/) {}
  /// All its words have left the host, on circuits that have been accepted: no refusal will have them sent again.
  virtual void left(std::uint32_t flow, std::uint64_t message) = 0;
  virtual void arrived(const FlowArrival& arrival) = 0;
  /// Nothing that has not arrived will be sent any more.
  virtual void given_up(std::uint32_t flow) = 0;
};

// Measures the messages generated in its window, all of them until told otherwise. Of several ranks each times what
// arrives at its nodes; the cycle of generation comes with the words (learn()).
class MessageTimes final : public WindowedStats {
 public:
  explicit MessageTimes(const std::vector<TimedFlow>& flows) : flows_(flows.size()) {
    for (std::size_t f = 0; f < flows.size(); ++f) {
      flows_[f].arrived.resize(flows[f].destinations.size());
      flows_[f].latency.resize(flows[f].destinations.size());
    }
  }

  void measure_from(Cycle first) override {
    window_ = {first, Window::kOpen};
    for (Flow& f : flows_) std::fill(f.latency.begin(), f.latency.end(), LatencySums());
    all_ = {};
  }
  void measure_until(Cycle last) override { window_.last = last; }
  void close(Cycle) override { closed_ = true; }

  /// This destination, by index, is on another rank than the object: what arrives there is not told here. Before time
  /// begins.
  void is_elsewhere(std::uint32_t flow, std::size_t destination) {
    flows_[flow].arrived[destination] = kEverything;
    flows_[flow].keeps = true;
  }
  /// The source, on another rank, generated a message in this cycle; told with each of its words, in any order.
  void learn(std::uint32_t flow, std::uint64_t message, Cycle generated) {
    Flow& f = flows_[flow];
    f.keeps = false;
    if (message < f.oldest) return;
    const std::size_t index = message - f.oldest;
    if (index >= f.generated.size()) f.generated.resize(index + 1, -1);
    f.generated[index] = generated;
  }
  /// Cycle in which a message was generated; -1: it has arrived everywhere.
  Cycle generated(std::uint32_t flow, std::uint64_t message) const {
    const Flow& f = flows_[flow];
    return message < f.oldest ? -1 : f.generated[message - f.oldest];
  }

  /// The source turns to the next message of a flow for the first time; it was generated in cycle `generated`.
  void begin(std::uint32_t flow, Cycle generated) {
    flows_[flow].generated.push_back(generated);
    ++flows_[flow].begun;
  }
  void arrive(const FlowArrival& a) {
    Flow& f = flows_[a.flow];
    if (!closed_ && window_.holds(a.generated)) {
      f.latency[a.destination].add(a.head - a.generated, a.first - a.head, a.last - a.first);
      all_.add(a.head - a.generated, a.first - a.head, a.last - a.first);
    }
    f.arrived[a.destination] = a.message + 1;
    if (f.keeps) return;
    const std::uint64_t everywhere = *std::min_element(f.arrived.begin(), f.arrived.end());
    for (; f.oldest < everywhere; ++f.oldest) f.generated.pop_front();
  }

  /// Messages that are complete at a destination, by index.
  std::uint64_t arrived(std::uint32_t flow, std::size_t destination) const { return flows_[flow].arrived[destination]; }
  std::uint64_t begun(std::uint32_t flow) const { return flows_[flow].begun; }
  LatencySums latency(std::uint32_t flow) const {
    LatencySums sums;
    for (const LatencySums& l : flows_[flow].latency) sums += l;
    return sums;
  }
  const LatencySums& latency(std::uint32_t flow, std::size_t destination) const {
    return flows_[flow].latency[destination];
  }
  const MessageLatency& all() const { return all_; }
  // Adds what another rank has timed.
  void add(std::uint32_t flow, std::size_t destination, const LatencySums& latency) {
    flows_[flow].latency[destination] += latency;
  }
  void add(const MessageLatency& latency) { all_.add(latency); }

 private:
  static constexpr std::uint64_t kEverything = ~std::uint64_t{0};
  struct Flow {
    bool keeps = false;                  // its source is here, destinations are not: nobody says what has arrived
    std::deque<Cycle> generated;         // of the messages from `oldest` on
    std::uint64_t oldest = 0;            // that has not arrived everywhere
    std::uint64_t begun = 0;             // messages
    std::vector<std::uint64_t> arrived;  // messages, by destination
    std::vector<LatencySums> latency;    // by destination
  };
  std::vector<Flow> flows_;
  MessageLatency all_;
  Window window_{0, Window::kOpen};
  bool closed_ = false;
};

}  // namespace weft
