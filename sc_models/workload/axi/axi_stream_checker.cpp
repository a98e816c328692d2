#include "workload/axi/axi_stream_checker.h"

#include <fmt/format.h>

namespace weft::axi {

void StreamChecker::reset() {
  count_edge();
  waits_ = false;
  open_.clear();
  within_ = false;
}

void StreamChecker::clock(const StreamPins& p, bool ready) {
  count_edge();
  const bool waited = waits_;
  if (waited && p != before_) {
    violated(fmt::format("{} before TREADY (TID {} to TDEST {})", p.valid ? "the beat changes" : "TVALID is withdrawn",
                         before_.id, before_.dest));
  }
  waits_ = p.valid && !ready;
  if (waits_) before_ = p;
  if (!p.valid) return;
  for (std::size_t i = 0; i < p.keep.size() && !waited; ++i) {
    if (p.keep[i] || !p.strobes[i]) continue;
    violated(fmt::format("TSTRB of byte {} without its TKEEP (TID {} to TDEST {})", i, p.id, p.dest));
    break;
  }
  if (!ready) return;
  const std::pair stream{p.id, p.dest};
  interleaved += within_ && stream != last_ ? 1 : 0;
  last_ = stream;
  within_ = !p.last;
  ++open_[stream];
  if (!p.last) return;
  open_.erase(stream);
  ++packets;
}

}  // namespace weft::axi
