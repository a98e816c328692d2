// Operations of two hops in dragonflies: bytes against MPI's definitions written as plain loops over arrays, with the
// addresses of docs/optweb_two_hops.md.

#include <gtest/gtest.h>

#include <functional>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "algorithms/optweb/semantics/semantics.h"
#include "base/random.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_memories.h"

namespace weft::test {
namespace {

using Nodes = std::vector<NodeId>;

constexpr std::uint64_t kHopInterface = 192 * 1024;  // K; what is sent and received lies below, what rests above
constexpr std::uint64_t kHopStripe = 2 * kHopInterface;
constexpr std::uint64_t kHopReceive = 96 * 1024;

std::string list(const Nodes& nodes) { return fmt::format("[{}]", fmt::join(nodes, ", ")); }

// g groups of p nodes, and what lies in their memories.
class World {
 public:
  World(std::uint32_t groups, std::uint32_t places) : p_(places), g_(groups) {}
  std::vector<Bytes> memory;

  std::uint32_t groups() const { return g_; }
  std::uint32_t places() const { return p_; }
  std::uint32_t nodes() const { return g_ * p_; }
  std::uint32_t stripes() const { return p_ + g_ - 1; }
  NodeId node(std::uint32_t group, std::uint32_t place) const { return group * p_ + place; }
  std::uint32_t group(NodeId n) const { return n / p_; }
  std::uint32_t place(NodeId n) const { return n % p_; }
  bool linked(NodeId a, NodeId b) const { return group(a) == group(b) || place(a) == place(b); }

  // The stripe that node `of` has for node `n`: places of the own group first, then the other groups, ascending.
  std::uint64_t stripe(NodeId of, NodeId n) const {
    if (group(of) == group(n)) return place(n);
    EXPECT_EQ(place(of), place(n)) << of << " has no stripe for " << n;
    return p_ + group(n) - (group(n) > group(of) ? 1 : 0);
  }

  struct Spot {
    NodeId node;
    NodeId of;  // in the stripe for this node
    std::uint64_t address;
  };
  std::size_t offset(const Spot& s) const { return s.address + kHopStripe * stripe(s.node, s.of); }

  // What is read is what was there before the instruction.
  void begin() { before_ = memory; }
  void copy(const Spot& from, const Spot& to, std::uint64_t bytes) {
    std::copy_n(before_[from.node].begin() + static_cast<std::ptrdiff_t>(offset(from)), bytes,
                memory[to.node].begin() + static_cast<std::ptrdiff_t>(offset(to)));
  }
  Elements elements(const Spot& s, std::uint64_t bytes) const { return elements_at(before_[s.node], offset(s), bytes); }
  void store(const Spot& s, const Elements& data) { store_elements(data, memory[s.node], offset(s)); }

 private:
  std::uint32_t p_;
  std::uint32_t g_;
  std::vector<Bytes> before_;
};

// One instruction among the nodes of some groups and places: its YAML, and its effect.
class Maker {
 public:
  Maker(RandomStream& random, World& w) : random_(random), w_(w) {}

  std::string make() {
    pick_nodes();
    const std::uint64_t sizes[] = {0, 1, 31, 32, 33, 1000, 16384, 16385, 20000};
    bytes_ = sizes[random_.below(9)];
    const std::uint64_t kind = random_.below(12);
    const bool reduces = kind >= 8 && kind < 11;
    if (reduces) bytes_ = bytes_ / 4 * 4;
    send_ = random_.below(500) * 4;
    receive_ = kHopReceive + random_.below(500) * 4;
    if (random_.below(4) == 0) std::swap(send_, receive_);
    w_.begin();
    switch (kind) {
      case 0:
        return scatter();
      case 1:
        return gather();
      case 2:
        return alltoall();
      case 3:
        return allgather();
      case 4:
        return broadcast();
      case 5:
        return sendrecv();
      case 6:
        return transfer();
      case 7:
        return multipath_broadcast();
      case 8:
        return reduce();
      case 9:
        return reduce_scatter();
      case 10:
        return allreduce();
      default:
        return "{ op: barrier, group: " + list(all_) + " }";
    }
  }

 private:
  Nodes some(std::uint32_t of, std::uint32_t least) {
    for (;;) {
      Nodes out;
      for (std::uint32_t i = 0; i < of; ++i) {
        if (random_.below(4) != 0) out.push_back(i);
      }
      if (out.size() >= least) return out;
    }
  }

  // Of at least two groups and two places: otherwise all have links.
  void pick_nodes() {
    groups_ = some(w_.groups(), 2);
    place_ = some(w_.places(), 2);
    all_.clear();
    for (const NodeId g : groups_) {
      for (const NodeId p : place_) all_.push_back(w_.node(g, p));
    }
    root_ = all_[random_.below(all_.size())];
  }
  std::string head(const char* op) const { return fmt::format("{{ op: {}, group: {}, ", op, list(all_)); }
  std::string tail() const { return fmt::format("size: {}B, send: {}B, receive: {}B }}", bytes_, send_, receive_); }
  std::string rooted(const char* op) const { return head(op) + fmt::format("root: {}, ", root_) + tail(); }
  std::uint32_t rank_of_group(NodeId n) const {
    return static_cast<std::uint32_t>(std::find(groups_.begin(), groups_.end(), w_.group(n)) - groups_.begin());
  }
  std::uint32_t rank_of_place(NodeId n) const {
    return static_cast<std::uint32_t>(std::find(place_.begin(), place_.end(), w_.place(n)) - place_.begin());
  }
  NodeId in_group_of(NodeId g, NodeId p) const { return w_.node(w_.group(g), w_.place(p)); }

  // Node n's block lies at the root in the stripe of n's place, group by group; it comes from n's place there.
  std::string scatter() {
    for (const NodeId n : all_) {
      w_.copy({root_, in_group_of(root_, n), send_ + rank_of_group(n) * bytes_}, {n, in_group_of(root_, n), receive_},
              bytes_);
    }
    return rooted("scatter");
  }
  std::string gather() {
    for (const NodeId n : all_) {
      w_.copy({n, in_group_of(root_, n), send_}, {root_, in_group_of(root_, n), receive_ + rank_of_group(n) * bytes_},
              bytes_);
    }
    return rooted("gather");
  }
  std::string alltoall() {
    for (const NodeId m : all_) {
      for (const NodeId n : all_) {
        w_.copy({m, in_group_of(m, n), send_ + rank_of_group(n) * bytes_},
                {n, in_group_of(n, m), receive_ + rank_of_group(m) * bytes_}, bytes_);
      }
    }
    return head("alltoall") + tail();
  }
  std::string allgather() {
    bytes_ = std::min<std::uint64_t>(bytes_, 16384);  // those of a group lie one behind the other
    for (const NodeId m : all_) {
      for (const NodeId n : all_) {
        const bool near = w_.group(m) == w_.group(n);
        w_.copy({m, m, send_}, {n, near ? m : in_group_of(m, n), receive_ + (near ? 0 : rank_of_place(m) * bytes_)},
                bytes_);
      }
    }
    return head("allgather") + tail();
  }
  std::string broadcast() {
    for (const NodeId n : all_) {
      const NodeId from = w_.place(n) == w_.place(root_) ? root_ : in_group_of(n, root_);
      if (n != root_) w_.copy({root_, root_, send_}, {n, from, receive_}, bytes_);
    }
    return rooted("broadcast");
  }

  // visit(number, offset, bytes) of `count` chunks of whole words.
  template <class Visit>
  void chunks(std::size_t count, Visit&& visit) const {
    const std::uint64_t run = ((bytes_ + 31) / 32 + count - 1) / count * 32;
    std::uint64_t left = bytes_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t part = std::min(run, left);
      left -= part;
      visit(i, part);
    }
  }
  std::string multipath_broadcast() {
    for (const NodeId n : all_) {
      if (n == root_) continue;
      chunks(place_.size(), [&](std::size_t i, std::uint64_t part) {
        w_.copy({root_, w_.node(w_.group(root_), place_[i]), send_}, {n, w_.node(w_.group(n), place_[i]), receive_},
                part);
      });
    }
    return head("broadcast") + fmt::format("root: {}, path: multipath, ", root_) + tail();
  }

  void message(NodeId from, NodeId to) {
    const bool near = w_.linked(from, to);
    const NodeId by = in_group_of(to, from);
    w_.copy({from, near ? to : by, send_}, {to, near ? from : by, receive_}, bytes_);
  }
  // Among nodes that need not be a grid.
  std::string sendrecv() {
    all_ = some(w_.nodes(), 2);
    const std::size_t shift = 1 + random_.below(all_.size() - 1);
    for (std::size_t i = 0; i < all_.size(); ++i) message(all_[i], all_[(i + shift) % all_.size()]);
    if (all_.size() == 2) {
      return fmt::format("{{ op: sendrecv, between: {}, ", list(all_)) + tail();
    }
    return head("sendrecv") + fmt::format("shift: {}, ", shift) + tail();
  }
  std::string transfer() {
    all_ = some(w_.nodes(), 2);
    const NodeId to = all_[(random_.below(all_.size() - 1) + 1 +
                            static_cast<std::size_t>(std::find(all_.begin(), all_.end(), all_[0]) - all_.begin())) %
                           all_.size()];
    const std::string ends = fmt::format("source: {}, destination: {}, ", all_[0], to);
    if (random_.below(2) == 0) {
      message(all_[0], to);
      return head("transfer") + ends + tail();
    }
    Nodes ways;
    for (const NodeId n : all_) {
      if (w_.linked(all_[0], n) && w_.linked(n, to)) ways.push_back(n);
    }
    const bool one = ways.size() < (w_.linked(all_[0], to) ? 3U : 2U);
    if (one) {  // which 'path: multipath' would be refused for
      message(all_[0], to);
    } else {
      chunks(ways.size(), [&](std::size_t i, std::uint64_t part) {
        w_.copy({all_[0], ways[i], send_}, {to, ways[i], receive_}, part);
      });
    }
    return head("transfer") + ends + (one ? "path: automatic, " : "path: multipath, ") + tail();
  }

  // Places of a group in pairs, and what comes out of the groups in pairs.
  Elements combined(const std::function<World::Spot(NodeId)>& spot, std::uint64_t bytes, const std::string& how,
                    bool floats) const {
    std::vector<Elements> sums;
    for (const NodeId g : groups_) {
      std::vector<Elements> of_group;
      for (const NodeId p : place_) of_group.push_back(w_.elements(spot(w_.node(g, p)), bytes));
      sums.push_back(combined_in_pairs(std::move(of_group), how, floats));
    }
    return combined_in_pairs(std::move(sums), how, floats);
  }
  std::string reducing(const char* op, const std::string& more, std::string& how, bool& floats) {
    const char* const hows[] = {"sum", "min", "max"};
    how = hows[random_.below(3)];
    floats = random_.below(2) == 0;
    return head(op) + more + fmt::format("combine: {}, type: {}, ", how, floats ? "float32" : "int32") + tail();
  }
  std::string reduce() {
    std::string how;
    bool floats = false;
    const std::string yaml = reducing("reduce", fmt::format("root: {}, ", root_), how, floats);
    w_.store({root_, root_, receive_}, combined(
                                           [&](NodeId n) {
                                             return World::Spot{n, in_group_of(n, root_), send_};
                                           },
                                           bytes_, how, floats));
    return yaml;
  }
  std::string reduce_scatter() {
    std::string how;
    bool floats = false;
    const std::string yaml = reducing("reduce_scatter", "", how, floats);
    for (const NodeId m : all_) {
      w_.store({m, m, receive_}, combined(
                                     [&](NodeId n) {
                                       return World::Spot{n, in_group_of(n, m), send_ + rank_of_group(m) * bytes_};
                                     },
                                     bytes_, how, floats));
    }
    return yaml;
  }
  std::string allreduce() {
    std::string how;
    bool floats = false;
    const bool multipath = random_.below(2) == 0;
    const std::string yaml = reducing("allreduce", multipath ? "path: multipath, " : "", how, floats);
    if (!multipath) {
      const Elements sum = combined([&](NodeId n) { return World::Spot{n, n, send_}; }, bytes_, how, floats);
      for (const NodeId n : all_) w_.store({n, n, receive_}, sum);
      return yaml;
    }
    chunks(place_.size(), [&](std::size_t i, std::uint64_t part) {
      const auto there = [&](NodeId n) { return w_.node(w_.group(n), place_[i]); };
      const Elements sum = combined([&](NodeId n) { return World::Spot{n, there(n), send_}; }, part, how, floats);
      for (const NodeId n : all_) w_.store({n, there(n), receive_}, sum);
    });
    return yaml;
  }

  RandomStream& random_;
  World& w_;
  Nodes groups_;
  Nodes place_;
  Nodes all_;
  NodeId root_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t send_ = 0;
  std::uint64_t receive_ = 0;
};

// Links are slow enough that no interface has more to do than it can.
std::string run_hops_case(std::uint32_t groups, std::uint32_t places, std::uint64_t seed) {
  World w(groups, places);
  RandomStream random(seed, "optweb two hops");
  std::string yaml = fmt::format(
      "fabric: optweb\nnodes: {}\ntopology: dragonfly\ngroups: {}\nlink: {{ rate: 25Gb/s }}\nmemory: {{ interfaces: "
      "{}, capacity: {}KiB }}\nbuffers: {{ scratch: {}B }}\nprogram:\n",
      w.nodes(), groups, 2 * w.stripes(), 384 * w.stripes(), kHopInterface);
  Diagnostics diagnostics;
  const OptwebConfig empty = parse_optweb_config(yaml + "  - { op: barrier }\n", "t.yaml", ".", {}, diagnostics);
  for (NodeId n = 0; n < w.nodes(); ++n) {
    w.memory.push_back(whole(optweb::SparseMemory(kHopStripe * w.stripes(), empty.seed, n)));
  }
  Maker maker(random, w);
  for (int i = 0; i < 8; ++i) yaml += "  - " + maker.make() + "\n";
  const OptwebConfig config = parse_optweb_config(yaml, "t.yaml", ".", {}, diagnostics);
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::check_addresses(config, programs);
  optweb::BlockFactory blocks;
  ClockDomain domain("clock", optweb::agenda_period(config));
  OptwebNetwork network("optweb", domain, config, programs, blocks);
  std::vector<optweb::SparseMemory> expected;
  for (NodeId n = 0; n < w.nodes(); ++n) expected.push_back(network.node(n).memory().bytes());
  network.load_programs();
  sc_core::sc_start();
  if (!network.finished()) return "not finished:" + network.describe_stall() + "\n" + yaml;
  network.check_conservation();
  if (!optweb::execute_semantics(config, expected)) return "the semantics stall\n" + yaml;
  for (NodeId n = 0; n < w.nodes(); ++n) {
    const Bytes got = whole(network.node(n).memory().bytes());
    if (whole(expected[n]) != got) return fmt::format("semantics of node {} differ\n{}", n, yaml);
    for (std::uint64_t s = 0; s < w.stripes(); ++s) {  // all but what rests
      const auto a = got.begin() + static_cast<std::ptrdiff_t>(s * kHopStripe);
      const auto b = w.memory[n].begin() + static_cast<std::ptrdiff_t>(s * kHopStripe);
      if (std::equal(a, a + kHopInterface, b)) continue;
      const auto at = std::mismatch(a, a + kHopInterface, b).first - a;
      return fmt::format("node {} differs in stripe {} at {}\n{}", n, s, at, yaml);
    }
  }
  return {};
}

TEST(OptwebTwoHops, RandomProgramsLeaveWhatMpiSays) {
  const std::pair<std::uint32_t, std::uint32_t> shapes[] = {{2, 2}, {2, 3}, {3, 2}, {3, 3}, {4, 3}, {2, 5}, {4, 5}};
  const int cases = 6 * soak();
  for (const auto& [groups, places] : shapes) {
    for (int seed = 1; seed <= cases; ++seed) {
      const ChildResult r =
          in_child([&, g = groups, p = places] { return run_hops_case(g, p, static_cast<std::uint64_t>(seed)); });
      ASSERT_TRUE(r.ok && r.text.empty()) << groups << "x" << places << ", seed " << seed << ": " << r.text;
    }
  }
}

}  // namespace
}  // namespace weft::test
