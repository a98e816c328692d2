#include "network_options.h"

#include <boost/algorithm/string/split.hpp>
#include <vector>

#include "base/diagnostics.h"
#include "config/network_schema.h"

namespace weft::cli {
namespace {

YamlNode scalar(const std::string& text, const Location& where) { return {YamlNode::Kind::scalar, where, text, {}}; }

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  boost::split(parts, text, [](char c) { return c == ','; });
  return parts;
}

}  // namespace

NetworkConfig load_network(const NetworkOptions& options) {
  const Location where{"--topology " + options.topology};
  const Location dims_where{"--dims " + options.dims};
  Diagnostics diagnostics;
  YamlNode node{YamlNode::Kind::map, where, {}, {}};
  const std::vector<std::string> parts = split(options.topology);
  node.entries.push_back({"kind", where, scalar(parts.front(), where)});
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string::npos) {
      diagnostics.error(where,
                        "expected a kind and then key=value, as in tree,arity=4,levels=2; got '" + parts[i] + "'");
    } else {
      node.entries.push_back({parts[i].substr(0, equals), where, scalar(parts[i].substr(equals + 1), where)});
    }
  }
  if (!options.dims.empty()) {
    YamlNode dims{YamlNode::Kind::sequence, dims_where, {}, {}};
    for (const std::string& part : split(options.dims))
      dims.entries.push_back({{}, dims_where, scalar(part, dims_where)});
    node.entries.push_back({"dims", dims_where, std::move(dims)});
  }
  Given<RawTopology> raw;
  raw.where = raw.key_where = where;
  raw.given = true;
  const std::size_t before = diagnostics.errors();
  if (auto value = topology_section(NetworkUse::circuits).type().read(node, "topology", diagnostics)) {
    raw.value = std::move(*value);
    raw.valid = true;
  }
  NetworkConfig out;
  if (raw.valid && diagnostics.errors() == before) out.topology = resolve_topology(raw, {}, diagnostics);
  const bool ok = diagnostics.ok();
  out.routing = resolve_routing({}, where, out.topology, ok, NetworkUse::circuits, diagnostics);
  diagnostics.throw_if_errors();
  return out;
}

}  // namespace weft::cli
