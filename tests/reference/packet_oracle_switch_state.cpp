// State of a switch of the flit-by-flit reference: places in use, the checks of every cycle, and what a stall waits
// for.

#include <fmt/format.h>

#include "reference/packet_oracle_switch.h"

namespace weft::packet_oracle {

std::vector<std::int64_t> Switch::held(PortId in) const {
  std::vector<std::int64_t> flits(parameters_.lanes, 0);
  for (std::uint32_t v = 0; v < parameters_.lanes; ++v) {
    flits[v] = inputs_[in].buffer.used(static_cast<VirtualLane>(v));
  }
  return flits;
}

std::vector<std::int64_t> Switch::promised(PortId out) const {
  std::vector<std::int64_t> flits(parameters_.lanes, 0);
  for (const MPort& mport : mports_) {
    for (const CentralLink& link : mport.links) {
      for (const auto& queue : link.queues) {
        for (const VisitPtr& visit : queue) {
          if (visit->port == out) flits[visit->lane] += places_of_message(parameters_, visit->lane, visit->size);
        }
      }
    }
  }
  return flits;
}

void Switch::check(Cycle t) const {
  const std::uint32_t lanes = parameters_.lanes;
  const auto places_here = [&](const Visit& visit) {
    std::int64_t sum = 0;
    for (const Flit& flit : visit.flits) sum += places_of_flit(parameters_, visit.lane, visit.size, flit.index);
    return sum;
  };
  std::vector<std::vector<std::int64_t>> in_inputs(ports_, std::vector<std::int64_t>(lanes));
  std::vector<std::vector<std::int64_t>> in_central(mports_.size(), std::vector<std::int64_t>(lanes));
  for (std::uint32_t p = 0; p < ports_; ++p) {
    for (const auto& queue : inputs_[p].queues) {
      for (const VisitPtr& visit : queue) in_inputs[p][visit->lane] += places_here(*visit);
    }
  }
  for (const std::vector<Transfer>* transfers : {&direct_, &to_central_}) {
    for (const Transfer& transfer : *transfers) {
      in_inputs[transfer.source][transfer.from->lane] += places_here(*transfer.from);
    }
  }
  for (std::size_t m = 0; m < mports_.size(); ++m) {
    for (const CentralLink& link : mports_[m].links) {
      for (const auto& queue : link.queues) {
        for (const VisitPtr& visit : queue) in_central[m][visit->lane] += visit->size;
      }
    }
  }
  for (const Transfer& transfer : through_) {
    in_central[transfer.source / opa_->central_links][transfer.from->lane] += transfer.from->size - transfer.from->left;
  }
  const auto agree = [&](const SharedBuffer& buffer, const std::vector<std::int64_t>& counted,
                         const std::string& name) {
    buffer.check(t, name);
    for (std::uint32_t v = 0; v < lanes; ++v) {
      demand(buffer.used(static_cast<VirtualLane>(v)) == counted[v], t,
             fmt::format("{}: the count of VL {} is wrong", name, v));
    }
  };
  for (std::uint32_t p = 0; p < ports_; ++p) {
    agree(inputs_[p].buffer, in_inputs[p], fmt::format("switch {}, input buffer {}", id_, p));
  }
  for (std::size_t m = 0; m < mports_.size(); ++m) {
    agree(mports_[m].central, in_central[m], fmt::format("switch {}, central buffer {}", id_, m));
  }
}

std::string Switch::waiting(Cycle t) const {
  std::string text;
  for (std::uint32_t p = 0; p < ports_; ++p) {
    for (const auto& queue : inputs_[p].queues) {
      if (queue.empty()) continue;
      const Visit& head = *queue.front();
      text += fmt::format("  switch {} input {}: VL {}: message {} with {} flits, here since cycle {}, now {}:", id_, p,
                          head.lane, head.message, head.size, head.head_arrived, t);
      for (std::uint32_t o = head.hop.first; o < head.hop.first + head.hop.count; ++o) {
        text += fmt::format(" output {} has room for {} in VL {};", o, egress_[o]->buffer.room(head.hop.lane),
                            head.hop.lane);
      }
      text += head.hop.enters_ring ? " enters a ring\n" : "\n";
    }
  }
  return text;
}

}  // namespace weft::packet_oracle
