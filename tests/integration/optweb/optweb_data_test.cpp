// Bytes after OPTWEB programs, against MPI operations written as plain loops over arrays: random programs, sizes,
// groups, addresses; the whole memory of every node is compared.

#include <gtest/gtest.h>

#include <cstring>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "algorithms/optweb/semantics/semantics.h"
#include "base/random.h"
#include "fabrics/optweb/observer.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_memories.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kInterface = 64 * 1024;  // K
constexpr std::uint64_t kStripe = 2 * kInterface;

std::string head(std::uint32_t nodes) {
  return fmt::format("fabric: optweb\nnodes: {}\nseed: 7\nmemory: {{ interfaces: {}, capacity: {}KiB }}\nprogram:\n",
                     nodes, 2 * nodes, 128 * nodes);
}

// The memories as arrays, and the operations as MPI has them. Block j of a node's buffer is in stripe j; what belongs
// to node m as a whole is in stripe m.
class Arrays {
 public:
  std::vector<Bytes> memory;

  void copy(NodeId from, std::uint64_t from_stripe, std::uint64_t send, NodeId to, std::uint64_t to_stripe,
            std::uint64_t receive, std::uint64_t bytes) {
    const auto begin = before_[from].begin() + static_cast<std::ptrdiff_t>(from_stripe * kStripe + send);
    std::copy(begin, begin + static_cast<std::ptrdiff_t>(bytes),
              memory[to].begin() + static_cast<std::ptrdiff_t>(to_stripe * kStripe + receive));
  }
  void begin() { before_ = memory; }

  // Combines what lies in a stripe of each node, in the order of `from`; both ends of the places are whole elements.
  struct Place {
    NodeId node;
    std::uint64_t stripe;
  };
  void reduce(const std::vector<Place>& from, std::uint64_t send, Place to, std::uint64_t receive, std::uint64_t bytes,
              const std::string& how, bool floats) {
    std::vector<Elements> level;
    for (const Place& p : from) level.push_back(elements_at(before_[p.node], p.stripe * kStripe + send, bytes));
    store_elements(combined_in_pairs(std::move(level), how, floats), memory[to.node], to.stripe * kStripe + receive);
  }

 private:
  std::vector<Bytes> before_;
};

// One of the reductions, over `group`; sizes and addresses are whole elements.
std::string random_reduction(RandomStream& random, const std::vector<NodeId>& group, NodeId root,
                             const std::string& list, Arrays& a) {
  const std::uint64_t sizes[] = {4, 32, 36, 1000, 16384, 16388, 30000};
  const std::uint64_t bytes = sizes[random.below(7)];
  const std::uint64_t send = random.below(2500) * 4;
  const std::uint64_t receive = kInterface - 20000 + random.below(5000) * 4;
  const char* const hows[] = {"sum", "min", "max"};
  const std::string how = hows[random.below(3)];
  const bool floats = random.below(2) == 0;
  const std::string where = fmt::format("group: [{}], size: {}B, send: {}B, receive: {}B, combine: {}, type: {}", list,
                                        bytes, send, receive, how, floats ? "float32" : "int32");
  const auto at = [&](auto&& stripe) {
    std::vector<Arrays::Place> out;
    for (const NodeId n : group) out.push_back({n, stripe(n)});
    return out;
  };
  switch (random.below(4)) {
    case 0:
      a.reduce(at([&](NodeId) { return root; }), send, {root, root}, receive, bytes, how, floats);
      return fmt::format("{{ op: reduce, root: {}, {} }}", root, where);
    case 1:
      for (const NodeId i : group) a.reduce(at([&](NodeId) { return i; }), send, {i, i}, receive, bytes, how, floats);
      return fmt::format("{{ op: reduce_scatter, {} }}", where);
    case 2:
      for (const NodeId i : group) a.reduce(at([](NodeId n) { return n; }), send, {i, i}, receive, bytes, how, floats);
      return fmt::format("{{ op: allreduce, {} }}", where);
    default: {
      if (group.size() == 2) return "{ op: barrier }";
      const std::uint64_t run = ((bytes + 31) / 32 + group.size() - 1) / group.size() * 32;
      std::uint64_t left = bytes;
      for (const NodeId i : group) {
        const std::uint64_t part = std::min(run, left);
        left -= part;
        for (const NodeId j : group) a.reduce(at([&](NodeId) { return i; }), send, {j, i}, receive, part, how, floats);
      }
      return fmt::format("{{ op: allreduce, path: multipath, {} }}", where);
    }
  }
}

// One random instruction: its YAML, and its effect on the arrays.
std::string random_instruction(RandomStream& random, std::uint32_t nodes, Arrays& a) {
  std::vector<NodeId> group;
  for (NodeId n = 0; n < nodes; ++n) {
    if (random.below(4) != 0) group.push_back(n);
  }
  if (group.size() < 2) group = {0, nodes - 1};
  std::string list;
  for (const NodeId n : group) list += fmt::format("{}{}", list.empty() ? "" : ", ", n);
  const std::uint64_t sizes[] = {1, 31, 32, 33, 1000, 16384, 16385, 30000};
  const std::uint64_t bytes = sizes[random.below(8)];
  // Three areas of 40000 bytes in each stripe, in either order.
  const std::uint64_t low = random.below(10000);
  const std::uint64_t high = kInterface - 20000 + random.below(20000);
  const bool swap = random.below(2) == 0;
  const std::uint64_t send = swap ? high : low;
  const std::uint64_t receive = swap ? low : high;
  const std::uint64_t scratch = 98304;
  const NodeId root = group[random.below(group.size())];
  const NodeId other = group[(random.below(group.size() - 1) + 1 +
                              static_cast<std::size_t>(std::find(group.begin(), group.end(), root) - group.begin())) %
                             group.size()];
  const std::string where = fmt::format("group: [{}], size: {}B, send: {}B, receive: {}B", list, bytes, send, receive);
  a.begin();
  if (random.below(3) == 0) return random_reduction(random, group, root, list, a);
  switch (random.below(9)) {
    case 0:
      for (const NodeId i : group) a.copy(root, i, send, i, root, receive, bytes);
      return fmt::format("{{ op: scatter, root: {}, {} }}", root, where);
    case 1:
      for (const NodeId i : group) a.copy(i, root, send, root, i, receive, bytes);
      return fmt::format("{{ op: gather, root: {}, {} }}", root, where);
    case 2:
      for (const NodeId i : group) {
        if (i != root) a.copy(root, root, send, i, root, receive, bytes);
      }
      return fmt::format("{{ op: broadcast, root: {}, {} }}", root, where);
    case 3:
      for (const NodeId i : group) {
        for (const NodeId j : group) a.copy(i, j, send, j, i, receive, bytes);
      }
      return fmt::format("{{ op: alltoall, {} }}", where);
    case 4:
      for (const NodeId i : group) {
        for (const NodeId j : group) a.copy(i, i, send, j, i, receive, bytes);
      }
      return fmt::format("{{ op: allgather, {} }}", where);
    case 5: {
      const std::size_t shift = 1 + random.below(group.size() - 1);
      for (std::size_t i = 0; i < group.size(); ++i) {
        const NodeId from = group[i];
        const NodeId to = group[(i + shift) % group.size()];
        a.copy(from, to, send, to, from, receive, bytes);
      }
      return fmt::format("{{ op: sendrecv, shift: {}, {} }}", shift, where);
    }
    case 6:
      a.copy(root, other, send, other, root, receive, bytes);
      return fmt::format("{{ op: transfer, source: {}, destination: {}, {} }}", root, other, where);
    case 7: {  // multipath: equal runs of whole words, one per node of the group, the last ones shorter
      if (group.size() == 2) return "{ op: barrier }";
      const std::uint64_t run = ((bytes + 31) / 32 + group.size() - 1) / group.size() * 32;
      std::uint64_t left = bytes;
      for (const NodeId i : group) {
        const std::uint64_t part = std::min(run, left);
        left -= part;
        a.copy(root, i, send, other, i, receive, part);
        if (i != root && i != other) a.copy(root, i, send, i, other, scratch, part);
      }
      return fmt::format("{{ op: transfer, path: multipath, source: {}, destination: {}, scratch: {}B, {} }}", root,
                         other, scratch, where);
    }
    default: {
      if (group.size() == 2) return "{ op: fence }";
      const std::uint64_t run = ((bytes + 31) / 32 + group.size() - 1) / group.size() * 32;
      std::uint64_t left = bytes;
      for (const NodeId i : group) {
        const std::uint64_t part = std::min(run, left);
        left -= part;
        for (const NodeId j : group) {
          if (j != root) a.copy(root, i, send, j, i, receive, part);
        }
      }
      return fmt::format("{{ op: broadcast, path: multipath, root: {}, {} }}", root, where);
    }
  }
}

// Everything that was sent, counted by an observer of its own.
struct Counter final : OptwebObserver {
  void on_deliver(const OptwebDelivery& d) override { words += d.words; }
  std::uint64_t words = 0;
};

std::string run_case(std::uint64_t seed) {
  RandomStream random(seed, "optweb data");
  const auto nodes = static_cast<std::uint32_t>(2 + random.below(5));
  Diagnostics diagnostics;
  // The arrays begin with what the memories hold, which needs a configuration; its program is written afterwards.
  const OptwebConfig empty = parse_optweb_config(head(nodes) + "  - { op: barrier }\n", "t.yaml", ".", {}, diagnostics);
  Arrays arrays;
  for (NodeId n = 0; n < nodes; ++n) {
    arrays.memory.push_back(whole(optweb::SparseMemory(kStripe * nodes, empty.seed, n)));
  }
  std::string yaml = head(nodes);
  for (int i = 0; i < 12; ++i) yaml += "  - " + random_instruction(random, nodes, arrays) + "\n";
  const OptwebConfig config = parse_optweb_config(yaml, "t.yaml", ".", {}, diagnostics);
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::check_addresses(config, programs);
  optweb::BlockFactory blocks;
  ClockDomain domain("clock", optweb::agenda_period(config));
  OptwebNetwork network("optweb", domain, config, programs, blocks);
  Counter counter;
  network.add_observer(counter);
  std::vector<optweb::SparseMemory> expected;
  for (NodeId n = 0; n < nodes; ++n) expected.push_back(network.node(n).memory().bytes());
  network.load_programs();
  sc_core::sc_start();
  if (!network.finished()) return "not finished:" + network.describe_stall(true);
  network.check_conservation();
  std::uint64_t sent = 0;
  for (NodeId a = 0; a < nodes; ++a) {
    for (NodeId b = 0; b < nodes; ++b) sent += a == b ? 0 : network.node(a).distributed_switch().link(b)->words_sent();
  }
  if (sent != counter.words) return fmt::format("{} words sent, {} delivered", sent, counter.words);
  for (NodeId n = 0; n < nodes; ++n) {
    const Bytes got = whole(network.node(n).memory().bytes());
    const auto at = std::mismatch(got.begin(), got.end(), arrays.memory[n].begin()).first - got.begin();
    if (got != arrays.memory[n]) return fmt::format("node {} differs at {:#x}\n{}", n, at, yaml);
  }
  // What runs are verified with says the same.
  if (!optweb::execute_semantics(config, expected)) return "the semantics stall\n" + yaml;
  for (NodeId n = 0; n < nodes; ++n) {
    if (whole(expected[n]) != arrays.memory[n]) return fmt::format("semantics of node {} differ\n{}", n, yaml);
  }
  // And it finds a single wrong byte.
  const std::uint64_t place = random.below(kStripe * nodes);
  std::byte wrong{};
  expected[0].read(place, {&wrong, 1});
  wrong ^= std::byte{1};
  expected[0].write(place, {&wrong, 1});
  const auto found = optweb::SparseMemory::first_difference(network.node(0).memory().bytes(), expected[0]);
  return found == place ? "" : "a wrong byte is not found";
}

// All pairs of a dragonfly, block by block: node (A, i) has its block for node (B, j) in stripe j, B sizes behind the
// address, and the block from (A, i) arrives in stripe i, A sizes behind the address. Data of a node as a whole lie in
// the stripe of the node they came from.
std::string run_dragonfly(std::uint32_t groups, std::uint32_t places, std::uint64_t size) {
  const std::uint32_t nodes = groups * places;
  const std::uint32_t stripes = places + groups - 1;
  const std::string yaml = fmt::format(
      "fabric: optweb\nnodes: {0}\ntopology: dragonfly\ngroups: {1}\nmemory: {{ interfaces: {2}, capacity: {3}KiB }}\n"
      "buffers: {{ size: {4}B, send: 0B, scratch: 65536B }}\nprogram:\n"
      "  - {{ op: alltoall, receive: 32768B }}\n  - {{ op: allgather, receive: 98304B }}\n  - {{ op: fence }}\n"
      "  - {{ op: broadcast, root: 1, receive: 49152B }}\n  - {{ op: barrier }}\n"
      "  - {{ op: transfer, source: 0, destination: {5}, receive: 57344B }}\n  - {{ op: barrier }}\n"
      "  - {{ op: allreduce, receive: 126976B }}\n",
      nodes, groups, 2 * stripes, 128 * stripes, size, nodes - 1);
  Diagnostics diagnostics;
  const OptwebConfig config = parse_optweb_config(yaml, "t.yaml", ".", {}, diagnostics);
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::check_addresses(config, programs);
  optweb::BlockFactory blocks;
  ClockDomain domain("clock", optweb::agenda_period(config));
  OptwebNetwork network("optweb", domain, config, programs, blocks);
  std::vector<optweb::SparseMemory> expected;
  std::vector<Bytes> before;
  for (NodeId n = 0; n < nodes; ++n) {
    expected.push_back(network.node(n).memory().bytes());
    before.push_back(whole(expected.back()));
  }
  network.load_programs();
  sc_core::sc_start();
  if (!network.finished()) return "not finished:" + network.describe_stall(true);
  network.check_conservation();
  std::vector<Bytes> after;
  for (NodeId n = 0; n < nodes; ++n) after.push_back(whole(network.node(n).memory().bytes()));
  std::string wrong;
  const auto same = [&](const char* what, NodeId from, std::uint64_t from_stripe, std::uint64_t send, NodeId to,
                        std::uint64_t to_stripe, std::uint64_t receive) {
    const auto a = before[from].begin() + static_cast<std::ptrdiff_t>(from_stripe * kStripe + send);
    const auto b = after[to].begin() + static_cast<std::ptrdiff_t>(to_stripe * kStripe + receive);
    if (!std::equal(a, a + static_cast<std::ptrdiff_t>(size), b)) wrong = fmt::format("{} {} -> {}", what, from, to);
  };
  for (NodeId m = 0; m < nodes; ++m) {
    for (NodeId n = 0; n < nodes; ++n) {
      const std::uint32_t a = m / places;
      const std::uint32_t i = m % places;
      const std::uint32_t b = n / places;
      const std::uint32_t j = n % places;
      same("alltoall", m, j, b * size, n, i, 32768 + a * size);
      // The way to the other group is by stripe `places` + its number among the others.
      const std::uint32_t far = places + a - (a > b ? 1 : 0);
      same("allgather", m, i, 0, n, a == b ? i : far, 98304 + (a == b ? 0 : i * size));
      if (m == 1 && n != 1) same("broadcast", m, 1, 0, n, j == 1 ? far : 1, 49152);
    }
  }
  same("transfer", 0, places + groups - 2, 0, nodes - 1, 0, 57344);
  for (NodeId n = 0; n < nodes; ++n) {
    for (std::uint64_t e = 0; e + 4 <= size; e += 4) {
      std::uint32_t sum = 0;
      for (NodeId m = 0; m < nodes; ++m) {
        std::uint32_t one = 0;
        std::memcpy(&one, &before[m][m % places * kStripe + e], 4);
        sum += one;
      }
      if (std::memcmp(&after[n][n % places * kStripe + 126976 + e], &sum, 4) != 0) wrong = fmt::format("sum at {}", n);
    }
  }
  if (!wrong.empty()) return wrong;
  if (!optweb::execute_semantics(config, expected)) return "the semantics stall";
  for (NodeId n = 0; n < nodes; ++n) {
    if (whole(expected[n]) != after[n]) return fmt::format("semantics of node {} differ", n);
  }
  return {};
}

TEST(OptwebData, DragonfliesExchangeWhatMpiSays) {
  for (const auto& [groups, places] : {std::pair{2, 2}, {2, 3}, {3, 4}, {4, 7}, {4, 6}}) {
    for (const std::uint64_t size : {4, 100, 2000}) {
      const ChildResult r = in_child([&, g = groups, p = places] {
        return run_dragonfly(static_cast<std::uint32_t>(g), static_cast<std::uint32_t>(p), size);
      });
      EXPECT_TRUE(r.ok && r.text.empty()) << groups << "x" << places << ", " << size << " B: " << r.text;
    }
  }
}

TEST(OptwebData, RandomProgramsLeaveWhatMpiSays) {
  const int cases = 25 * soak();
  for (int seed = 1; seed <= cases; ++seed) {
    const ChildResult r = in_child([&] { return run_case(static_cast<std::uint64_t>(seed)); });
    ASSERT_TRUE(r.ok && r.text.empty()) << "seed " << seed << ": " << r.text;
  }
}

}  // namespace
}  // namespace weft::test
