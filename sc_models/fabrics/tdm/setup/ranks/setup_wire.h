#pragma once
// Words, runs and messages of the setup protocol as ranks write them for each other.
//
// A route travels as its place among the routes of its flow, which every rank has planned alike.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "algorithms/slots/slot_set.h"
#include "fabrics/tdm/setup/flow_source.h"
#include "fabrics/tdm/setup/message.h"
#include "parallel/cut_links.h"

namespace weft {

/// Routes of all flows, by flow.
using FlowRoutes = std::vector<FlowSource::Routes>;

/// A list of plain values, with its length.
template <class T>
void put_all(ByteWriter& out, const std::vector<T>& list) {
  out.put(std::uint64_t{list.size()});
  for (const T& item : list) out.put(item);
}

template <class T>
std::vector<T> get_all(ByteReader& in) {
  std::vector<T> list(in.get<std::uint64_t>());
  for (T& item : list) item = in.get<T>();
  return list;
}

void write_slots(ByteWriter& out, const SlotSet& slots);
SlotSet read_slots(ByteReader& in);

/// Place of a route among those of its flow; throws RunError when it is none of them.
std::uint32_t place_of_route(const FlowRoutes& routes, std::uint32_t flow, const CircuitRoute* route);

void write_setup_message(ByteWriter& out, const SetupMessage& message, const FlowRoutes& routes);
SetupMessage read_setup_message(ByteReader& in, const FlowRoutes& routes);

}  // namespace weft
