#pragma once
// The network a divisible load is spread over: nodes with a compute time and directed links with a transfer time.
//
// Times are for the whole load, in units of w*Tcp of the reference node: node i alone computes the load in
// nodes[i].time (1 unless it is heterogeneous), link l passes it in links[l].time (sigma = z*Tcm / (w*Tcp) unless
// heterogeneous). A node is a switch of the graph with the end node on it; one without an end node only relays. The
// front end of a node sends on all its links, receives and computes at the same time; links have no latency.
// Source of the notation: Zhang, Liu, Shi, Robertazzi, "Optimizing data intensive flows for networks on chips".

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/dlt/dlt_config.h"
#include "base/diagnostics.h"
#include "network/graph.h"

namespace weft::dlt {

using NodeIndex = std::uint32_t;  ///< number of the switch in the graph
using LinkIndex = std::uint32_t;  ///< position in Network::links

struct Node {
  double time = 1;       ///< to compute the whole load
  bool computes = true;  ///< false: relays only
};

struct Link {
  NodeIndex from = 0;
  NodeIndex to = 0;
  double time = 0;  ///< to pass the whole load
};

struct Network {
  std::string name;
  std::vector<std::uint32_t> dims;  ///< of a mesh or torus, else empty
  std::vector<Node> nodes;
  std::vector<Link> links;                  ///< by driving switch, then port
  std::vector<std::vector<LinkIndex>> out;  ///< links that leave a node, by port
  bool homogeneous = true;                  ///< all nodes compute and all are alike, and so are all links

  /// "7 (2,1)" in a grid, else "7".
  std::string node_name(NodeIndex node) const;
  std::string link_name(LinkIndex link) const;
};

/// An injection point and, where the user gave it, the part of the load that starts there.
struct Source {
  NodeIndex node = 0;
  double load = 0;  ///< 0: chosen freely by the linear program
};

/// Largest network: the linear program has a row per node.
inline constexpr std::size_t kMostNodes = 4096;

/// Builds the network of a checked configuration. Throws InputError: too many nodes, or several on a switch, an
/// exception that matches no node or link, no node that computes.
Network build_network(const DltConfig& config);

/// The injection points: named places, node numbers or coordinates. Throws InputError where one does not exist.
std::vector<Source> find_sources(const DltConfig& config, const Network& network);

inline constexpr std::uint32_t kUnreached = 0xffffffff;

/// Hops from the nearest source; kUnreached where no link leads.
std::vector<std::uint32_t> hop_distances(const Network& network, const std::vector<Source>& sources);

/// Throws InputError that names the nodes no load can reach.
void check_reachable(const DltConfig& config, const Network& network, const std::vector<Source>& sources);

}  // namespace weft::dlt
