#include "fabrics/optweb/transfer_ledger.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

void TransferLedger::post(NodeId node, std::uint32_t number, const optweb::Operation& operation,
                          const std::vector<optweb::Partner>& partners) {
  for (const optweb::Partner& p : partners) {
    const NodeId from = p.sends ? node : p.node;
    const NodeId to = p.sends ? p.node : node;
    if (here_ && !here_(to)) {
      tell_({from, to, number, operation, p.bytes});
    } else {
      add(from, to, p.sends, {number, operation, p.bytes});
    }
  }
}

void TransferLedger::add(NodeId from, NodeId to, bool sends, const Entry& mine) {
  const auto at = pairs_.try_emplace(std::uint64_t{from} * nodes_ + to).first;
  Side& side = at->second;
  if (side.ahead.empty() || side.sender == sends) {
    side.sender = sends;
    side.ahead.push_back(mine);
    return;
  }
  const Entry other = side.ahead.front();
  side.ahead.erase(side.ahead.begin());
  if (side.ahead.empty()) pairs_.erase(at);
  compare(from, to, sends ? mine : other, sends ? other : mine);
}

void TransferLedger::compare(NodeId from, NodeId to, const Entry& sent, const Entry& expected) const {
  const auto both = [&](const char* what) {
    return fmt::format("the programs do not match: {} {} {}", name_(from, sent.number), what,
                       name_(to, expected.number));
  };
  if (sent.operation.opcode != expected.operation.opcode) {
    throw RunError(both("meets another operation,"));
  }
  if (!(sent.operation == expected.operation)) {
    throw RunError(both("has another group, root, round or reduction than"));
  }
  if (sent.bytes == expected.bytes) return;
  throw RunError(fmt::format("{} expects {} bytes from node {}, but {} sends {}", name_(to, expected.number),
                             expected.bytes, from, name_(from, sent.number), sent.bytes));
}

std::vector<TransferLedger::Unmatched> TransferLedger::unmatched() const {
  std::vector<std::uint64_t> keys;
  for (const auto& [key, side] : pairs_) {
    if (!side.ahead.empty()) keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<Unmatched> out;
  for (const std::uint64_t key : keys) {
    const auto from = static_cast<NodeId>(key / nodes_);
    const auto to = static_cast<NodeId>(key % nodes_);
    const Side& side = pairs_.at(key);
    const Entry& e = side.ahead.front();
    out.push_back({key, side.sender
                            ? fmt::format("\n  {}: sends {} bytes to node {}, where no instruction takes them",
                                          name_(from, e.number), e.bytes, to)
                            : fmt::format("\n  {}: expects {} bytes from node {}, where no instruction sends them",
                                          name_(to, e.number), e.bytes, from)});
  }
  return out;
}

}  // namespace weft
