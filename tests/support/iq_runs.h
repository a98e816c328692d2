#pragma once
// Runs of input-queued networks for tests and benchmarks: packets from a list, and Bernoulli sources.

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/random.h"
#include "fabrics/packet/iq/iq_faults.h"
#include "fabrics/packet/iq/iq_network.h"
#include "network/routing/routing_config.h"
#include "network/topology/topologies.h"
#include "reference/iq_oracle.h"

namespace weft::test {

/// A network with its routing: dimension order with datelines, nearest common ancestor on trees.
struct IqSystem {
  IqSystem(const TopologyConfig& topology, bool valiant = false);
  static TopologyConfig mesh(std::vector<std::uint32_t> dims) { return grid("mesh", std::move(dims)); }
  static TopologyConfig torus(std::vector<std::uint32_t> dims) { return grid("torus", std::move(dims)); }
  static TopologyConfig grid(const std::string& kind, std::vector<std::uint32_t> dims);
  static TopologyConfig tree(std::uint32_t arity, std::uint32_t levels);
  /// Routers that a packet passes.
  std::uint32_t hops(NodeId source, NodeId destination, std::uint32_t choice) const;

  Graph graph;
  std::unique_ptr<PacketRouting> routing;
  PacketRoutingOptions options;
};

/// Links of such a network that fail.
class IqSystemFaults final : public IqRerouting {
 public:
  /// `discard`: packets without a route; else they wait.
  IqSystemFaults(const IqSystem& system, const std::vector<LinkEvent>& events, bool discard);
  void attach(IqNetwork& network) { faults_.attach(network, *this); }
  RouteStep step(const RoutePlace& place, const PacketMessage& message) override;

 private:
  const IqSystem& system_;
  const bool discard_;
  LinkState state_;
  std::unique_ptr<FaultyRouting> routing_;
  IqLinkFaults faults_;
};

/// Any parameters that fit two lane classes: short and long stages, few and many VCs, both ways of allocation and
/// reuse.
IqParameters random_iq_parameters(RandomStream& random);

/// Submits the packets of a list and notes when they leave and arrive. The list is in order of generation.
class IqListSource final : public Agent, public PacketObserver {
 public:
  IqListSource(IqNetwork& network, const std::vector<oracle::IqPacket>& packets);
  void due(Cycle now, std::uint32_t token) override;
  void on_generate(const PacketMessage& message) override;
  void on_inject(const PacketMessage& message) override;
  void on_deliver(const PacketMessage& message, Cycle now) override;
  void on_lose(const PacketMessage& message, LossCause cause, Cycle now) override;
  const oracle::IqOutcome& outcome() const { return outcome_; }

 private:
  void ended(const PacketMessage& message, Cycle& at, Cycle now);
  IqNetwork& network_;
  const std::vector<oracle::IqPacket>& packets_;
  std::size_t next_ = 0;
  std::unordered_map<const PacketMessage*, std::size_t> under_way_;
  oracle::IqOutcome outcome_;
};

/// Bernoulli sources: each node generates a packet in a cycle with probability load / flits, to a node drawn uniformly.
class IqBernoulli final : public Agent, public PacketObserver {
 public:
  struct Options {
    double load = 0.1;  ///< flits per cycle and node
    std::uint32_t flits = 1;
    bool self = true;    ///< the destination may be the source
    NodeId hot = kNoId;  ///< all send there
    Cycle from = 0;      ///< latencies and throughput are taken from packets generated (delivered) from here on
    Cycle until = 0;     ///< sources stop
    std::uint64_t seed = 1;
  };
  IqBernoulli(IqNetwork& network, std::uint32_t nodes, const Options& options);
  void due(Cycle now, std::uint32_t token) override;
  void on_deliver(const PacketMessage& message, Cycle now) override;
  /// Flits delivered per cycle and node in [from, until).
  double throughput() const;
  double mean_latency() const { return static_cast<double>(latency_) / static_cast<double>(counted_); }
  std::uint64_t checksum() const { return checksum_; }

 private:
  Cycle gap(RandomStream& random);
  IqNetwork& network_;
  std::uint32_t nodes_;
  Options options_;
  double log_miss_;
  std::vector<RandomStream> random_;  // per node
  std::uint64_t flits_ = 0;
  Cycle latency_ = 0;
  std::uint64_t counted_ = 0;
  std::uint64_t checksum_ = 0;
};

}  // namespace weft::test
