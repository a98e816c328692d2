// Operations of several hops in dragonflies and hierarchies: bytes against MPI's definitions written as plain loops
// over arrays, with the addresses of docs/optweb_two_hops.md.

#include <gtest/gtest.h>

#include <functional>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "algorithms/optweb/semantics/semantics.h"
#include "base/random.h"
#include "fabrics/optweb/optweb_network.h"
#include "integration/optweb/optweb_world.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_memories.h"

namespace weft::test {
namespace {

using Nodes = std::vector<NodeId>;

std::string list(const Nodes& nodes) { return fmt::format("[{}]", fmt::join(nodes, ", ")); }

// One instruction among the nodes of some places at each level: its YAML, and its effect.
class Maker {
 public:
  Maker(RandomStream& random, World& w, std::uint64_t eager) : random_(random), w_(w), eager_(eager) {}

  std::string make() {
    pick_nodes();
    const std::uint64_t sizes[] = {0, 1, 31, 32, 33, 1000, eager_, eager_ + 1, eager_ * 5 / 4};
    bytes_ = sizes[random_.below(9)];
    const std::uint64_t kind = random_.below(12);
    const bool reduces = kind >= 8 && kind < 11;
    if (reduces) bytes_ = bytes_ / 4 * 4;
    send_ = random_.below(500) * 4;
    receive_ = w_.interface() / 2 + random_.below(500) * 4;
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

  // Of two places at two levels at least: otherwise all have links. The levels of an instruction are those at which its
  // nodes differ.
  void pick_nodes() {
    do {
      all_ = {0};
      levels_.clear();
      places_.clear();
      for (std::size_t l = 0; l < w_.levels(); ++l) {
        const Nodes places = some(w_.places(l), w_.levels() > 2 ? 1 : 2);
        if (places.size() > 1) {
          levels_.push_back(l);
          places_.push_back(places);
        }
        Nodes more;
        std::uint32_t stride = 1;
        for (std::size_t below = 0; below < l; ++below) stride *= w_.places(below);
        for (const NodeId p : places) {
          for (const NodeId n : all_) more.push_back(p * stride + n);
        }
        all_ = std::move(more);
      }
    } while (levels_.size() < 2);
    root_ = all_[random_.below(all_.size())];
  }
  std::string head(const char* op) const { return fmt::format("{{ op: {}, group: {}, ", op, list(all_)); }
  std::string tail() const { return fmt::format("size: {}B, send: {}B, receive: {}B }}", bytes_, send_, receive_); }
  std::string rooted(const char* op) const { return head(op) + fmt::format("root: {}, ", root_) + tail(); }
  // Number of a node by its ranks at the levels `first` to `end` - 1 of the instruction, the lowest one first.
  std::uint64_t number(NodeId n, std::size_t first, std::size_t end) const {
    std::uint64_t out = 0;
    std::uint64_t factor = 1;
    for (std::size_t i = first; i < end; ++i) {
      const auto at = std::find(places_[i].begin(), places_[i].end(), w_.place(n, levels_[i]));
      out += factor * static_cast<std::uint64_t>(at - places_[i].begin());
      factor *= places_[i].size();
    }
    return out;
  }
  std::uint64_t upper(NodeId n) const { return number(n, 1, levels_.size()) * bytes_; }
  NodeId lowest(NodeId n, NodeId like) const { return w_.moved(n, levels_.front(), like); }
  NodeId highest(NodeId n, NodeId like) const { return w_.moved(n, levels_.back(), like); }

  // Node n's block lies at the root in the stripe of n's place, group by group; it comes over a link of the highest
  // level.
  std::string scatter() {
    for (const NodeId n : all_) {
      w_.copy({root_, lowest(root_, n), send_ + upper(n)}, {n, highest(n, root_), receive_}, bytes_);
    }
    return rooted("scatter");
  }
  std::string gather() {
    for (const NodeId n : all_) {
      w_.copy({n, highest(n, root_), send_}, {root_, lowest(root_, n), receive_ + upper(n)}, bytes_);
    }
    return rooted("gather");
  }
  std::string alltoall() {
    for (const NodeId m : all_) {
      for (const NodeId n : all_) {
        w_.copy({m, lowest(m, n), send_ + upper(n)}, {n, lowest(n, m), receive_ + upper(m)}, bytes_);
      }
    }
    return head("alltoall") + tail();
  }
  // Over a link of the highest level at which they differ, behind what comes from lower places.
  std::string allgather() {
    bytes_ = std::min(bytes_, eager_);  // those of a group lie one behind the other
    for (const NodeId m : all_) {
      for (const NodeId n : all_) {
        std::size_t i = levels_.size() - 1;
        while (i > 0 && w_.place(m, levels_[i]) == w_.place(n, levels_[i])) --i;
        w_.copy({m, m, send_}, {n, w_.moved(n, levels_[i], m), receive_ + number(m, 0, i) * bytes_}, bytes_);
      }
    }
    return head("allgather") + tail();
  }
  // Over a link of the lowest level at which they differ.
  std::string broadcast() {
    for (const NodeId n : all_) {
      if (n == root_) continue;
      w_.copy({root_, root_, send_}, {n, w_.moved(n, w_.apart(n, root_).front(), root_), receive_}, bytes_);
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
  // The node in the i-th place of the group of node n.
  NodeId in_group(NodeId n, std::size_t i) const {
    const auto there = [&](NodeId m) { return lowest(n, m) == m && number(m, 0, 1) == i; };
    return *std::find_if(all_.begin(), all_.end(), there);
  }
  std::string multipath_broadcast() {
    for (const NodeId n : all_) {
      if (n == root_) continue;
      chunks(places_[0].size(), [&](std::size_t i, std::uint64_t part) {
        w_.copy({root_, in_group(root_, i), send_}, {n, in_group(n, i), receive_}, part);
      });
    }
    return head("broadcast") + fmt::format("root: {}, path: multipath, ", root_) + tail();
  }

  // The highest level is the first hop, the lowest one the last.
  void message(NodeId from, NodeId to) {
    const std::vector<std::size_t> apart = w_.apart(from, to);
    w_.copy({from, w_.moved(from, apart.back(), to), send_}, {to, w_.moved(to, apart.front(), from), receive_}, bytes_);
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

  // Places of a group in pairs, what comes out of the groups in pairs, and so on.
  Elements combined(const std::function<World::Spot(NodeId)>& spot, std::uint64_t bytes, const std::string& how,
                    bool floats) const {
    std::vector<Elements> values;
    for (const NodeId n : all_) values.push_back(w_.elements(spot(n), bytes));
    for (const Nodes& places : places_) {
      std::vector<Elements> next;
      for (std::size_t i = 0; i < values.size(); i += places.size()) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(i);
        next.push_back(combined_in_pairs({first, first + static_cast<std::ptrdiff_t>(places.size())}, how, floats));
      }
      values = std::move(next);
    }
    return values.front();
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
                                             return World::Spot{n, lowest(n, root_), send_};
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
                                       return World::Spot{n, lowest(n, m), send_ + upper(m)};
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
    chunks(places_[0].size(), [&](std::size_t i, std::uint64_t part) {
      const auto there = [&](NodeId n) { return in_group(n, i); };
      const Elements sum = combined([&](NodeId n) { return World::Spot{n, there(n), send_}; }, part, how, floats);
      for (const NodeId n : all_) w_.store({n, there(n), receive_}, sum);
    });
    return yaml;
  }

  RandomStream& random_;
  World& w_;
  std::uint64_t eager_;              // receive buffer of a link
  std::vector<std::size_t> levels_;  // at which the nodes of the instruction differ
  std::vector<Nodes> places_;        // that they have there
  Nodes all_;
  NodeId root_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t send_ = 0;
  std::uint64_t receive_ = 0;
};

// Links are slow enough that no interface has more to do than it can.
std::string run_hops_case(const std::vector<std::uint32_t>& levels, std::uint64_t seed) {
  const bool two = levels.size() == 2;
  const std::uint64_t k = (two ? 192 : 64) * 1024;  // what is sent and received lies below, what rests above
  const std::uint64_t eager = two ? 16384 : 2048;
  World w(levels, k);
  RandomStream random(seed, "optweb two hops");
  const std::string shape = two ? fmt::format("topology: dragonfly\ngroups: {}", levels[1])
                                : fmt::format("topology: hierarchy\nlevels: [{}]", fmt::join(levels, ", "));
  std::string yaml = fmt::format(
      "fabric: optweb\nnodes: {}\n{}\nlink: {{ rate: 25Gb/s }}\nmemory: {{ interfaces: {}, capacity: {}B }}\n"
      "switch: {{ eager_buffer: {}B }}\nbuffers: {{ scratch: {}B, scratch2: {}B }}\nprogram:\n",
      w.nodes(), shape, 2 * w.stripes(), 2 * k * w.stripes(), eager, k, k + k / 2);
  Diagnostics diagnostics;
  const OptwebConfig empty = parse_optweb_config(yaml + "  - { op: barrier }\n", "t.yaml", ".", {}, diagnostics);
  for (NodeId n = 0; n < w.nodes(); ++n) {
    w.memory.push_back(whole(optweb::SparseMemory(2 * k * w.stripes(), empty.seed, n)));
  }
  Maker maker(random, w, eager);
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
  if (!network.finished()) return "not finished:" + network.describe_stall(true) + "\n" + yaml;
  network.check_conservation();
  if (!optweb::execute_semantics(config, expected)) return "the semantics stall\n" + yaml;
  for (NodeId n = 0; n < w.nodes(); ++n) {
    const Bytes got = whole(network.node(n).memory().bytes());
    if (whole(expected[n]) != got) return fmt::format("semantics of node {} differ\n{}", n, yaml);
    for (std::uint64_t s = 0; s < w.stripes(); ++s) {  // all but what rests
      const auto a = got.begin() + static_cast<std::ptrdiff_t>(s * 2 * k);
      const auto b = w.memory[n].begin() + static_cast<std::ptrdiff_t>(s * 2 * k);
      const auto end = a + static_cast<std::ptrdiff_t>(k);
      if (std::equal(a, end, b)) continue;
      const auto at = std::mismatch(a, end, b).first - a;
      return fmt::format("node {} differs in stripe {} at {}\n{}", n, s, at, yaml);
    }
  }
  return {};
}

void random_programs(const std::vector<std::vector<std::uint32_t>>& shapes, int cases) {
  for (const std::vector<std::uint32_t>& levels : shapes) {
    for (int seed = 1; seed <= cases; ++seed) {
      const ChildResult r = in_child([&] { return run_hops_case(levels, static_cast<std::uint64_t>(seed)); });
      ASSERT_TRUE(r.ok && r.text.empty())
          << fmt::format("{}", fmt::join(levels, "x")) << ", seed " << seed << ": " << r.text;
    }
  }
}

TEST(OptwebTwoHops, RandomProgramsLeaveWhatMpiSays) {
  random_programs({{2, 2}, {3, 2}, {2, 3}, {3, 3}, {3, 4}, {5, 2}, {5, 4}}, 6 * soak());
}
TEST(OptwebHierarchy, RandomProgramsLeaveWhatMpiSays) {
  random_programs({{2, 2, 2}, {3, 2, 2}, {2, 3, 2}, {2, 2, 3}, {3, 3, 3}, {2, 2, 2, 2}}, 3 * soak());
}

}  // namespace
}  // namespace weft::test
