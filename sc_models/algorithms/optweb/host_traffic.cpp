#include "algorithms/optweb/host_traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/random.h"

namespace weft::optweb {
namespace {

struct Use {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

const Use* overlapping(const std::vector<Use>& uses, const OptwebHostAccess& a) {
  const auto it = std::find_if(uses.begin(), uses.end(), [&](const Use& u) {
    return u.address < a.address + a.bytes && a.address < u.address + u.bytes;
  });
  return it == uses.end() ? nullptr : &*it;
}

}  // namespace

void check_host_traffic(const OptwebConfig& config, const MachinePrograms& programs) {
  if (config.mode == OptwebMode::timing) return;
  StripeAddress addresses(geometry_of(config));
  Diagnostics diagnostics;
  for (std::size_t h = 0; h < config.host.size(); ++h) {
    const OptwebHostAccess& a = config.host[h];
    if (!a.write) continue;
    const MachineProgram& p = programs.nodes[a.node];
    for (std::size_t i = 0; i < p.instructions.size(); ++i) {
      const Step step = expand(p.instructions[i], view_of(config, programs, a.node), addresses);
      std::vector<Use> uses;
      for (const Stream& s : step.streams) uses.push_back({s.address, s.bytes});
      for (const Receive& r : step.receives) uses.push_back({r.address, r.bytes});
      const Use* const use = overlapping(uses, a);
      if (use == nullptr) continue;
      const ProgramInstruction& in = instruction_at(config, p.lines[i]);
      diagnostics.error(a.where, fmt::format("host.{}: writes {} to the memory of node {}, where "
                                             "'{}' ({}) sends or receives ({}); expected bytes "
                                             "that its program does not touch",
                                             h, place_text(config, a.bytes, a.address), a.node, in.name,
                                             in.where.text(), place_text(config, use->bytes, use->address)));
      break;
    }
  }
  diagnostics.throw_if_errors();
}

void write_host_data(const OptwebConfig& config, std::size_t index, SparseMemory& memory,
                     const std::function<bool()>& stop) {
  const OptwebHostAccess& a = config.host[index];
  RandomStream random(config.seed, fmt::format("host.{}", index));
  std::array<std::byte, 4096> block;
  for (std::uint64_t done = 0; done < a.bytes && !(stop && stop());) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      if (i % 8 == 0) value = random();
      block[i] = static_cast<std::byte>(value >> 8 * (i % 8));
    }
    const std::uint64_t part = std::min<std::uint64_t>(block.size(), a.bytes - done);
    memory.write(a.address + done, std::span<const std::byte>(block.data(), part));
    done += part;
  }
}

}  // namespace weft::optweb
