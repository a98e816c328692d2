#pragma once
// Data paths without hosts and without SystemC time: a few of them joined by links, an agenda of their own, random
// trains from outside, table changes. What they send is compared with the oracle's register files word by word.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "fabrics/tdm/blocks.h"
#include "reference/tdm_oracle.h"

namespace weft::test {

/// A word of a message; the bench counts messages instead of circuits.
using BenchWord = std::pair<MessageId, std::uint32_t>;

struct BenchLink {
  std::size_t to = 0;
  PortId in = 0;
  Cycle latency = 0;
};

struct BenchTrain {
  std::size_t path = 0;
  PortId in = 0;
  Cycle announced = 0;
  Train train;
  Cycle cut_at = -1;  ///< -1: whole
  std::uint32_t kept = 0;
};

struct BenchChange {
  std::size_t path = 0;
  Cycle load = 0;
  Cycle cycles_per_slot = 1;
  Cycle swap = 0;  ///< cycle in which the swap is asked for
  Cycle boundary = 0;
  SlotTable table;
};

struct BenchCase {
  PortId ports = 2;
  std::uint32_t slots = 2;
  Cycle horizon = 0;
  std::vector<std::vector<std::optional<BenchLink>>> links;  ///< [path][out]; nullopt: leads nowhere
  std::vector<std::vector<Cycle>> input_latency;             ///< [path][in]
  std::vector<SlotTable> preset;
  std::vector<BenchChange> changes;
  std::vector<BenchTrain> trains;
};

/// Random tables, links in a ring or a tangle, trains on the free inputs, some of them cut from outside.
BenchCase random_bench_case(std::uint64_t seed, std::size_t paths, PortId ports, std::uint32_t slots);

using DataPathMaker = std::function<std::unique_ptr<DataPath>(const BlockSite&, DataPathClient&)>;
/// (path, output, cycle) -> word.
using BenchWords = std::map<std::tuple<Cycle, std::size_t, PortId>, BenchWord>;

/// What the data paths send until the horizon. Throws when a train departs in another cycle than it says, when a word
/// is sent twice, or when a cut fits no train. Modules are served in random order.
BenchWords run_bench(const BenchCase& bench, const DataPathMaker& make, const ClockDomain* domain, std::uint64_t order);
BenchWords run_bench_oracle(const BenchCase& bench);

/// Empty when equal, else the first difference.
std::string compare_bench(const BenchWords& run, const BenchWords& wanted);

}  // namespace weft::test
