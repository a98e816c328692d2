#include "run/divided_fabric.h"

#include <fmt/format.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "base/diagnostics.h"

namespace weft {

template <class Archive>
void serialize(Archive& archive, StalledPort& place) {
  archive(place.order, place.line, place.oldest, place.generated);
}

std::string DividedFabric::first(const std::string& mine) const {
  for (std::string& text : ranks_.gather(mine)) {
    if (!text.empty()) return std::move(text);
  }
  return {};
}

const TransferCounts& DividedFabric::counts() const {
  exchange_news();
  const TransferCounts& c = part_.counts();
  std::uint64_t all[] = {c.generated, c.delivered, c.lost, c.withdrawn};
  ranks_.sum(all);
  counts_ = {all[0], all[1], all[2], all[3]};
  return counts_;
}

void DividedFabric::withdraw() {
  part_.withdraw();
  exchange_news();
}

void DividedFabric::exchange_news() const {
  for (const std::string& news : ranks_.gather(part_.take_news())) part_.hear(news);
}

std::string DividedFabric::miscounted() const {
  const auto more = static_cast<std::int64_t>(ranks_.sum(part_.imbalance()));
  if (more == 0) return {};
  return fmt::format("the accounting says that {} messages are under way, there are {}", outstanding(),
                     static_cast<std::int64_t>(outstanding()) + more);
}

std::string DividedFabric::describe_stall() const {
  std::ostringstream mine;
  cereal::BinaryOutputArchive to(mine);
  to(part_.stalled());
  std::vector<StalledPort> all;
  for (const std::string& text : ranks_.gather(mine.str())) {
    std::istringstream in(text);
    std::vector<StalledPort> places;
    cereal::BinaryInputArchive archive(in);
    archive(places);
    all.insert(all.end(), places.begin(), places.end());
  }
  return stall_text(std::move(all));
}

void DividedFabric::check_conservation(Cycle now) {
  std::string found;
  try {
    part_.check_conservation(now);
  } catch (const RunError& e) {
    found = e.what();
  }
  found = first(found);
  if (!found.empty()) throw RunError(found);
  if (ranks_.sum(part_.unclosed()) != 0) {
    throw RunError("as many messages have come back as were generated, but not every one of them once");
  }
}

}  // namespace weft
