#pragma once
// Sources of a network: every stream of the configuration's `traffic` on every node (or on those of `from`), each with
// a random stream of its own, and the messages of a trace.
//
// bernoulli      a message begins in every cycle with probability load / flits: geometric gaps
// constant_rate  message k comes (phase + k) * flits / load cycles after the start, rounded down; the phase is random;
//                connections of one node share its load
// bursts         bernoulli for bursts of several messages to one destination, all generated in the same cycle
// on_off         geometric times on and off; bernoulli while on, at a rate that makes the mean load right
// trace          messages of a file at given times
//
// Destinations are drawn for each message (or burst) among all other nodes, or with the probability `to_share` among
// those of `to`, a hot spot; or they are fixed: a random permutation, a named pattern. A node that is the only one of
// `to` sends to any other, or nothing where all messages go to `to`.
// Source: Cano-Cano et al., section 5.1 and Table 2 (bursts of four messages, constant-bit-rate connections).

#include <memory>
#include <string>
#include <vector>

#include "algorithms/collectives/lowering.h"
#include "base/random.h"
#include "kernel/clock_domain.h"
#include "kernel/endpoint.h"
#include "network/graph.h"
#include "parallel/part.h"
#include "workload/traffic_config.h"

namespace weft {

/// One line of a trace.
struct TraceMessage {
  Cycle cycle = 0;
  NodeId source = 0;
  NodeId destination = 0;
  ServiceId level = 0;
};

using TraceMessages = std::vector<TraceMessage>;

/// Messages of `config.trace`; see base/parsed_inputs.h. Throws InputError with all wrong lines (the first twenty).
std::shared_ptr<const TraceMessages> read_trace(const TrafficConfig& config, std::uint32_t nodes);

/// Throws InputError for patterns that do not fit the network and for a wrong trace, before anything is built.
/// `node`: the word for a node.
void check_sources(const TrafficConfig& config, const Graph& graph, const std::string& node);

/// All ordered pairs of different nodes that the sources send messages between, by source, then destination, with the
/// sizes of these. Throws InputError as check_sources() does.
/// `most`: pairs that a node may have; throws InputError for more.
std::vector<collectives::PairMessages> pairs_of(const TrafficConfig& config, const Graph& graph, std::uint32_t most);

class StreamSources final : public Agent, public Client {
 public:
  /// Throws InputError for patterns that do not fit the network. References must outlive the sources. `part`: nodes
  /// that have sources here.
  StreamSources(const TrafficConfig& config, const Graph& graph, Endpoints& endpoints, Part part = {});

  /// Puts the first messages on the agenda.
  void start(ClockDomain& domain);
  void due(Cycle now, std::uint32_t token) override;
  /// No further messages are generated after this cycle.
  void stop_after(Cycle last) { last_ = last; }
  /// Messages of the trace that have not been sent, since they come later.
  std::size_t unsent_of_trace() const { return trace_->size() - trace_next_; }
  std::size_t messages_of_trace() const { return trace_->size(); }

 private:
  struct Source {
    InjectionState state;
    std::uint32_t stream = 0;
    NodeId node = 0;
    NodeId fixed = kNoId;  // destination of every message, if fixed
  };
  struct Stream {
    const StreamConfig* config = nullptr;
    std::uint32_t flits = 1;
    std::uint64_t bytes = 1;
    InjectionRate rate;
    std::vector<NodeId> to{};  // uniform: of the configuration
  };

  void add_sources(std::size_t stream, std::uint32_t connection);
  void plan(std::uint32_t index, Cycle now);
  void fetch(std::uint32_t token) const;
  void expect(std::uint32_t token) const;
  void generate(Cycle now, std::uint32_t token);
  NodeId draw(const Stream& stream, Source& s);
  void send(NodeId from, NodeId to, ServiceId service, std::uint64_t bytes, std::uint32_t choice);
  void plan_trace();

  const TrafficConfig& config_;
  const Graph& graph_;
  const Part part_;
  Endpoints& endpoints_;
  Transfer transfer_;  // the next one; what does not change is there from the beginning
  ClockDomain* domain_ = nullptr;
  std::vector<Stream> streams_;
  std::vector<Source> sources_;
  std::vector<std::uint32_t> due_;  // in this cycle
  std::shared_ptr<const TraceMessages> trace_ = std::make_shared<const TraceMessages>();
  std::size_t trace_next_ = 0;
  RandomStream trace_choices_{config_.seed, "trace"};  // of routes, one by one
  Cycle last_ = 0;
};

}  // namespace weft
