#pragma once
// Plays the messages of collective schedules without a network.

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/collectives/schedule.h"

namespace weft::collectives {

using Blocks = std::set<std::uint32_t>;

inline std::vector<Schedule> schedules(ProgramOp op, std::uint32_t ranks, Rank root, std::uint64_t bytes,
                                       const CollectiveAlgorithms& by = {}) {
  std::vector<Schedule> out;
  for (Rank r = 0; r < ranks; ++r) out.push_back(schedule_of({op, ranks, r, root, bytes}, {}, Detail::blocks, by));
  return out;
}

// Plays the rounds of all ranks until nobody can go on. `send(rank, part)` gives what a message carries, or nothing
// when the rank does not have it; `receive(rank, part, data)` takes it and says what is wrong. Returns what is wrong.
template <class Send, class Receive>
std::string play(const std::vector<Schedule>& all, Send&& send, Receive&& receive) {
  using Data = typename std::invoke_result_t<Send, Rank, const Part&>::value_type;
  struct Sent {
    Part part;
    Data data;
  };
  const auto ranks = static_cast<Rank>(all.size());
  std::map<std::pair<Rank, Rank>, std::deque<Sent>> wires;
  std::vector<std::size_t> round(ranks, 0);
  std::vector<bool> entered(ranks, false);
  for (bool moved = true; moved;) {
    moved = false;
    for (Rank r = 0; r < ranks; ++r) {
      if (round[r] == all[r].rounds.size()) continue;
      const Round& now = all[r].rounds[round[r]];
      if (!entered[r]) {
        for (const Part& p : now.sends) {
          if (p.peer == r || p.peer >= ranks) return "a message to nobody";
          const auto data = send(r, p);
          if (!data) return "rank " + std::to_string(r) + " sends a block it does not have";
          wires[{r, p.peer}].push_back({p, *data});
        }
        entered[r] = moved = true;
      }
      const bool ready = std::all_of(now.receives.begin(), now.receives.end(), [&](const Part& p) {
        return !wires[{p.peer, r}].empty();
      });
      if (!ready) continue;
      for (const Part& p : now.receives) {
        const Sent sent = wires[{p.peer, r}].front();
        wires[{p.peer, r}].pop_front();
        if (sent.part.bytes != p.bytes || sent.part.blocks != p.blocks) return "the two ends of a message differ";
        if (const std::string wrong = receive(r, p, sent.data); !wrong.empty()) return wrong;
      }
      ++round[r];
      entered[r] = false;
      moved = true;
    }
  }
  for (Rank r = 0; r < ranks; ++r) {
    if (round[r] != all[r].rounds.size()) return "rank " + std::to_string(r) + " waits for ever";
  }
  for (const auto& [ends, wire] : wires) {
    if (!wire.empty()) return "a message is never received";
  }
  return {};
}

// The same, all ranks together: what is sent in a round is what its rank had before the round.
template <class Send, class Receive>
std::string play_together(const std::vector<Schedule>& all, Send&& send, Receive&& receive) {
  using Data = typename std::invoke_result_t<Send, Rank, const Part&>::value_type;
  std::size_t rounds = 0;
  for (const Schedule& s : all) rounds = std::max(rounds, s.rounds.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    std::map<std::pair<Rank, Rank>, Data> wires;
    for (Rank r = 0; r < all.size(); ++r) {
      if (round >= all[r].rounds.size()) continue;
      for (const Part& p : all[r].rounds[round].sends) wires.emplace(std::pair(r, p.peer), *send(r, p));
    }
    for (Rank r = 0; r < all.size(); ++r) {
      if (round >= all[r].rounds.size()) continue;
      for (const Part& p : all[r].rounds[round].receives) {
        const auto sent = wires.extract({p.peer, r});
        if (sent.empty()) return "a message is received in another round";
        if (const std::string wrong = receive(r, p, sent.mapped()); !wrong.empty()) return wrong;
      }
    }
    if (!wires.empty()) return "a message is not received in its round";
  }
  return {};
}

inline Blocks range(std::uint32_t n) {
  Blocks out;
  for (std::uint32_t i = 0; i < n; ++i) out.insert(i);
  return out;
}

struct Traffic {
  std::uint64_t messages = 0, bytes = 0;
};

inline Traffic traffic(const std::vector<Schedule>& all) {
  Traffic t;
  for (const Schedule& s : all) {
    for (const Round& r : s.rounds) {
      for (const Part& p : r.sends) {
        ++t.messages;
        t.bytes += p.bytes;
      }
    }
  }
  return t;
}

}  // namespace weft::collectives
