#include "network/graph.h"

#include <fmt/format.h>

#include <cassert>
#include <map>

namespace weft {

SwitchId Graph::add_switch(PortId ports) {
  const SwitchId sw = switches();
  first_port_.push_back(first_port_.back() + ports);
  owner_.resize(total_ports(), sw);
  peers_.resize(total_ports());
  nodes_at_.resize(total_ports(), kNoId);
  return sw;
}

void Graph::connect(PortRef a, PortRef b) {
  assert(is_free(a) && is_free(b) && a != b);
  peers_[out_link(a.sw, a.port)] = b;
  peers_[out_link(b.sw, b.port)] = a;
}

NodeId Graph::attach_node(PortRef at) {
  const NodeId n = nodes();
  for (std::uint32_t i = 0; i < node_links_; ++i) {
    assert(is_free({at.sw, static_cast<PortId>(at.port + i)}));
    nodes_at_[out_link(at.sw, at.port) + i] = n;
  }
  attachments_.push_back(at);
  return n;
}

LinkId Graph::other_way(LinkId l) const {
  if (is_injection(l)) {
    const PortRef at = entry(l);
    return out_link(at.sw, at.port);
  }
  const PortRef from = driver(l);
  const NodeId node = node_at(from.sw, from.port);
  if (node != kNoId) return injection_link(node, from.port - attachment(node).port);
  const PortRef to = peer(from.sw, from.port);
  return out_link(to.sw, to.port);
}

std::string Graph::node_name(NodeId n) const { return fmt::format(fmt::runtime(node_pattern()), n); }

std::string Graph::link_name(LinkId l) const {
  if (is_injection(l)) {
    const PortRef to = entry(l);
    return fmt::format("{} -> sw[{}]{}", node_name(node_at(to.sw, to.port)), to.sw,
                       node_links_ > 1 ? fmt::format(".port{}", to.port) : "");
  }
  const PortRef from = driver(l);
  if (const NodeId n = nodes_at_[l]; n != kNoId)
    return fmt::format("sw[{}].port{} -> {}", from.sw, from.port, node_name(n));
  const PortRef to = peers_[l];
  if (to.sw == kNoId) return fmt::format("sw[{}].port{} (free)", from.sw, from.port);
  return fmt::format("sw[{}].port{} -> sw[{}]", from.sw, from.port, to.sw);
}

void Graph::join_parallel_links() {
  bundles_.clear();
  bundle_of_.clear();
  std::vector<std::vector<LinkId>> found;
  for (SwitchId sw = 0; sw < switches(); ++sw) {
    // By peer and, in grids, direction: a route goes round a ring of two switches one way.
    std::map<std::pair<SwitchId, std::uint32_t>, std::vector<LinkId>> to;
    for (PortId p = 0; p < ports(sw); ++p) {
      if (peer(sw, p).sw == kNoId) continue;
      const std::uint32_t direction = grid_.dims.empty() ? 0 : (p - grid_.node_ports()) / grid_.trunk;
      to[{peer(sw, p).sw, direction}].push_back(out_link(sw, p));
    }
    for (auto& [end, links] : to) {
      if (links.size() > 1) found.push_back(std::move(links));
    }
  }
  for (NodeId n = 0; n < nodes() && node_links_ > 1; ++n) {
    std::vector<LinkId> in, out;
    for (std::uint32_t i = 0; i < node_links_; ++i) {
      in.push_back(injection_link(n, i));
      out.push_back(other_way(in.back()));
    }
    found.push_back(std::move(in));
    found.push_back(std::move(out));
  }
  if (found.empty()) return;
  bundle_of_.assign(link_count(), kNoId);
  for (std::uint32_t b = 0; b < found.size(); ++b) {
    for (const LinkId l : found[b]) bundle_of_[l] = b;
  }
  bundles_ = std::move(found);
}

std::string Graph::bundle_name(LinkId l) const {
  if (bundle(l).empty()) return "link " + link_name(l);
  return fmt::format("bundle of {} links {}", bundle_width(l), link_name(bundle_link(l)));
}

}  // namespace weft
