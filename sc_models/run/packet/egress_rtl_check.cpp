// Egress ports in RTL: ports that exceptions name, and what the compiled RTL does not take, told where the file says
// it.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/diagnostics.h"
#include "cosim/common/block_call.h"
#include "cosim/packet/block_calls.h"
#include "network/places.h"
#include "run/packet/packet_platform.h"

namespace weft {
const BlockChoice& PacketPlatform::egress_implementation(SwitchId sw, PortId port) const {
  const PacketSwitchConfig& s = config_.packet_switch;
  const BlockChoice* out = &s.egress;
  for (const PortInstances& i : s.egress_instances) {
    if (sw >= i.range.first && sw <= i.range.last && (!i.range.port || *i.range.port == port)) out = &i.block;
  }
  return *out;
}

bool PacketPlatform::has_rtl_egress_ports() const {
  const PacketSwitchConfig& s = config_.packet_switch;
  return !s.egress.is_model() || std::any_of(s.egress_instances.begin(), s.egress_instances.end(),
                                             [](const PortInstances& i) { return !i.block.is_model(); });
}

EgressPortNeed PacketPlatform::egress_need(bool to_node) const {
  EgressPortNeed need;
  need.scheduler = scheduler_;
  need.lanes = parameters_.lanes;
  need.largest_message = *std::max_element(largest_.begin(), largest_.end());
  need.output = parameters_.output;
  need.next = to_node ? parameters_.nic_input : parameters_.input;
  need.rate = parameters_.crossbar_rate;
  need.iterations = parameters_.iterations;
  need.output_stage = parameters_.stages.output;
  return need;
}

// `scheduler`: it has no errors of its own.
void PacketPlatform::check_egress_ports(bool scheduler) const {
  Diagnostics diagnostics;
  const PacketSwitchConfig& s = config_.packet_switch;
  std::map<std::string, const BlockChoice*> rtl;  // one of each block
  if (!s.egress.is_model()) rtl.emplace(s.egress.rtl, &s.egress);
  for (const PortInstances& i : s.egress_instances) {
    if (!i.block.is_model()) rtl.emplace(i.block.rtl, &i.block);
    if (const std::string problem = range_problem(i.range, graph_); !problem.empty()) {
      diagnostics.error(i.range.where, "switch.egress.instances: " + problem);
    }
  }
  if (rtl.empty()) return diagnostics.throw_if_errors();
  const Location& where = s.egress_where;
  if (!architecture().crossing.empty()) {
    diagnostics.error(where, fmt::format("switch.egress: egress ports in RTL take messages from one crossbar; switches "
                                         "of architecture '{}' have several",
                                         architecture().name));
  }
  for (const FaultConfig& f : config_.faults) {
    diagnostics.error(f.place.where, f.name +
                                         ": egress ports in RTL do not know of links that fail; a network with "
                                         "faults needs the models");
  }
  if (has_rtl_schedulers()) {
    diagnostics.error(where, fmt::format("switch.egress: egress ports in RTL have their scheduler inside; leave "
                                         "'qos.{}.implementation' to the model",
                                         config_.scheduler->name));
  }
  if (!parameters_.least_places.empty()) {
    diagnostics.error(where,
                      "switch.egress: egress ports in RTL count the flits of a message, with bubble flow control "
                      "it may take more places; expected routing.ring: dateline");
  }
  for (const auto& [name, choice] : rtl) {
    passes(
        [&, block = choice] {
          const EgressPortBlock& own = blocks_.egress_port.of(*block);
          const unsigned inside = egress_scheduler(*config_.scheduler);
          if (!own.has(inside)) {
            diagnostics.error(
                config_.scheduler_where,
                fmt::format("qos.scheduler: no egress port in RTL{} has '{}' inside",
                            block->rtl.empty() ? "" : " of the name '" + block->rtl + "'", config_.scheduler->name));
            return;
          }
          const EgressPortRtlSize size = own.size(inside);
          std::string call = !block->rtl.empty() || !scheduler
                                 ? ""
                                 : egress_port_block_call(egress_need(false), egress_need(true),
                                                          static_cast<std::uint32_t>(config_.levels.size()));
          for (const bool to_node : {false, true}) {
            for (const EgressPortLimit& limit : egress_port_rtl_limits(size, egress_need(to_node))) {
              if (!to_node || limit.of == EgressPortLimit::Of::next_buffer)
                report(limit, to_node, std::exchange(call, ""), diagnostics);
            }
          }
          if (!scheduler) return;
          const auto limit = egress_scheduler_limit(size.scheduler, scheduler_, egress_need(false).largest_message);
          if (limit) report(*limit, std::exchange(call, ""), diagnostics);
        },
        diagnostics);
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

// `to_node`: of a port whose link leads to a NIC, not to a switch.
void PacketPlatform::report(const EgressPortLimit& limit, bool to_node, const std::string& call,
                            Diagnostics& diagnostics) const {
  using Of = EgressPortLimit::Of;
  const PacketSwitchConfig& s = config_.packet_switch;
  const auto say = [&](const Location& where, const char* key) {
    diagnostics.error(where, fmt::format("{}: {}{}", key, limit.text, of_this_size(call)));
  };
  switch (limit.of) {
    case Of::lanes:
      return say(s.egress_where, "switch.egress");
    case Of::output_buffer:
      return say(s.output_buffer_where, "switch.output_buffer");
    case Of::next_buffer:
      return to_node ? say(config_.nic.input_buffer_where, "nic.input_buffer")
                     : say(s.input_buffer_where, "switch.input_buffer");
    case Of::crossbar_rate:
      return say(s.crossbar_rate_where, "switch.crossbar_rate");
    case Of::iterations:
      return say(s.iterations_where, "switch.allocation.iterations");
    case Of::output_stage:
      return say(s.output_where, "switch.stages.output");
  }
}

}  // namespace weft
