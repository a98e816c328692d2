#include "fabrics/tdm/observe/tdm_profile.h"

namespace weft {

void TdmProfile::shape(const Graph& graph, ProfileShape& shape) {
  shape.links = graph.link_count();
  shape.link_name = [&graph](std::size_t link) { return graph.link_name(static_cast<LinkId>(link)); };
}

void TdmProfile::carry(LinkId link, const Train& train) {
  begun_[std::size_t{link} * slots_ + train.slot] = train.start;
  profile_.carry(link, train.start, train.words, slots_);
}

void TdmProfile::take_back(LinkId link, const TrainCut& cut) {
  const Cycle from = begun_[std::size_t{link} * slots_ + cut.slot] + Cycle{cut.words} * Cycle{slots_};
  profile_.take_back(link, from, cut.announced - cut.words, slots_);
}

}  // namespace weft
