#pragma once
// Sources of a packet network: every stream of the configuration's `traffic` on every NIC, each with a random stream of
// its own.
//
// bernoulli      a message begins in every cycle with probability load / flits: geometric gaps
// constant_rate  message k comes (phase + k) * flits / load cycles after the start, rounded down; the phase is random;
//                connections of one NIC share its load
// bursts         bernoulli for bursts of several messages to one destination, all generated in the same cycle
// on_off         geometric times on and off; bernoulli while on, at a rate that makes the mean load right
// trace          messages of a file at given times
// Source: Cano-Cano et al., section 5.1 and Table 2 (bursts of four messages, constant-bit-rate connections).

#include <string>
#include <vector>

#include "base/random.h"
#include "fabrics/packet/common/message.h"
#include "fabrics/packet/keys/packet_config.h"
#include "kernel/clock_domain.h"
#include "network/graph.h"

namespace weft {

/// Receiver of the messages of sources.
class PacketSink {
 public:
  virtual ~PacketSink() = default;
  virtual void submit(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits,
                      std::uint32_t choice) = 0;
  /// Messages of this source come soon: what they need may be fetched into the cache.
  virtual void expect(NodeId /*source*/) const {}
};

/// One line of a trace.
struct TraceMessage {
  Cycle cycle = 0;
  NodeId source = 0;
  NodeId destination = 0;
  ServiceLevel level = 0;
};

/// Reads `config.trace`. Throws InputError with all wrong lines (the first twenty).
std::vector<TraceMessage> read_trace(const PacketConfig& config, std::uint32_t nodes);

/// Throws InputError for patterns that do not fit the network and for a wrong trace, before anything is built.
void check_sources(const PacketConfig& config, const Graph& graph);

class PacketSources final : public Agent {
 public:
  /// Throws InputError for patterns that do not fit the network. References must outlive the sources.
  PacketSources(const PacketConfig& config, const Graph& graph, PacketSink& sink);

  /// Puts the first messages on the agenda.
  void start(ClockDomain& domain);
  void due(Cycle now, std::uint32_t token) override;
  /// No further messages are generated after this cycle.
  void stop_after(Cycle last) { last_ = last; }
  /// Messages of the trace that have not been sent, since they come later.
  std::size_t unsent_of_trace() const { return trace_.size() - trace_next_; }
  std::size_t messages_of_trace() const { return trace_.size(); }

 private:
  struct Source {
    RandomStream random{0, ""};
    std::uint32_t stream = 0;
    NodeId node = 0;
    NodeId fixed = kNoId;    // destination of every message, if fixed
    std::uint64_t left = 0;  // constant_rate: to the next message, in parts of a cycle (1 / load); on_off: cycles on
    Cycle base = 0;          // what that counts from
  };
  struct Stream {
    const StreamConfig* config = nullptr;
    std::uint32_t flits = 1;
    double probability = 0;      // of a message (or burst) per cycle, while on
    std::uint64_t interval = 0;  // constant_rate: between messages of a connection, in parts of a cycle (1 / load)
  };

  void add_sources(std::size_t stream, std::uint32_t connection);
  std::vector<NodeId> fixed_destinations(std::size_t stream, std::uint32_t connection) const;
  Cycle next_time(Source& s, Cycle now);
  std::uint64_t geometric(Source& s, double probability);
  void plan(std::uint32_t index, Cycle now);
  void fetch(std::uint32_t token) const;
  void expect(std::uint32_t token) const;
  void generate(Cycle now, std::uint32_t token);
  void plan_trace();

  const PacketConfig& config_;
  const Graph& graph_;
  PacketSink& sink_;
  ClockDomain* domain_ = nullptr;
  std::vector<Stream> streams_;
  std::vector<Source> sources_;
  std::vector<std::uint32_t> due_;  // in this cycle
  std::vector<TraceMessage> trace_;
  std::size_t trace_next_ = 0;
  Cycle last_ = 0;
};

}  // namespace weft
