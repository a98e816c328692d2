#pragma once
// Parts of the routers and NICs of the slow input-queued network.

#include <deque>
#include <optional>
#include <vector>

#include "network/routing/packet_routing.h"

namespace weft::oracle::iq {

struct Flit {
  std::size_t packet;
  bool head;
  bool tail;
};

// A VC at the sending end of a link.
struct Output {
  std::uint32_t credits;
  bool owned = false;
  Cycle free_from = 0;  // after its last tail
  std::size_t pointer = 0;
};

struct Input {
  std::deque<Flit> buffer;
  enum { none, head_known, has_output, no_route } stage = none;
  Cycle from = 0;  // first request in this stage
  RouteStep hop;
  PortId out_port = 0;
  std::uint32_t out_vc = 0;
  std::size_t pointer = 0;
};

struct Router {
  std::vector<Input> in;                                               // [port * V + vc]
  std::vector<Output> out;                                             // same
  std::vector<std::size_t> vc_pointer, grant_pointer, accept_pointer;  // per port
};

struct Nic {
  std::deque<std::size_t> queue;
  std::vector<Output> out;
  std::optional<std::size_t> packet;
  std::uint32_t next = 0;
  std::size_t vc = 0;
  std::size_t pointer = 0;
};

// The element of {0 .. n-1} that is first in cyclic order from `from` on among those `wanted` names.
template <class Wanted>
std::optional<std::size_t> round_robin(std::size_t n, std::size_t from, Wanted&& wanted) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t x = (from + i) % n;
    if (wanted(x)) return x;
  }
  return std::nullopt;
}

}  // namespace weft::oracle::iq
