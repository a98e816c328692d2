#include "workload/program_client.h"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostics.h"

namespace weft {

ProgramClient::ProgramClient(const ProgramsConfig& config, std::uint64_t seed, Endpoints& endpoints,
                             std::function<void(Cycle)> over, ProgramsPart part)
    : config_(config),
      endpoints_(endpoints),
      client_(endpoints.attach(*this)),
      executor_(config.programs,
                {config.nodes, config.send_overhead, config.receive_overhead, config.combine_bits, config.combine,
                 std::move(part.here), config.phased, config.algorithms},
                *this),
      agenda_(executor_, std::move(over), part.ranks) {
  step_.assign(config.nodes, kPresentStep);
  for (NodeId n = 0; n < config.nodes; ++n) random_.emplace_back(seed, fmt::format("program/{}", n));
}

void ProgramClient::begin_at(Cycle at) {
  began_at_ = at;
  agenda_.begin_at(at);
}

void ProgramClient::begin_now(Cycle now) {
  began_at_ = now;
  agenda_.begin_now(now);
}

Transfer ProgramClient::transfer_of(std::uint32_t message, NodeId source, std::uint64_t bytes) {
  RandomStream& random = random_[source];
  Transfer transfer;
  transfer.step = step_[source];
  transfer.bytes = bytes;
  transfer.service = static_cast<ServiceId>(config_.sl);
  transfer.choice = static_cast<std::uint32_t>(random());
  transfer.choices = &random;
  transfer.client = client_;
  transfer.notify = Notify::both;
  transfer.tag = message;
  return transfer;
}

void ProgramClient::send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) {
  Transfer transfer = transfer_of(message, source, bytes);
  transfer.to = destination;
  endpoints_.send(source, transfer);
}

void ProgramClient::multicast(std::uint32_t message, NodeId source, const std::vector<NodeId>& group,
                              std::uint64_t bytes) {
  Transfer transfer = transfer_of(message, source, bytes);
  transfer.group = group;
  endpoints_.send(source, transfer);
}

void ProgramClient::reach(NodeId node, std::uint32_t step) {
  step_[node] = step;
  endpoints_.reach(node, step);
}

void ProgramClient::arrived(std::uint64_t tag, NodeId node, Cycle at) {
  agenda_.arrived(executor_.copy_for(static_cast<std::uint32_t>(tag), node), at);
}

void ProgramClient::arrived_from_afar(const ForeignTransfer& t, Cycle at) {
  agenda_.arrived(executor_.come(t.from, t.to, t.bytes, t.word), at);
}

void ProgramClient::lost(std::uint64_t tag, NodeId node, Cycle /*at*/, std::string_view cause) {
  throw RunError(
      fmt::format("message {} of the programs, to node {}, is lost, so node {} would wait for it forever: {}", tag,
                  node, node, cause));
}

}  // namespace weft
