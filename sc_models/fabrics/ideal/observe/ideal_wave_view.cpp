#include "fabrics/ideal/observe/ideal_wave_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "observe/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kIdealFlitBits = 32;
constexpr std::uint32_t kIdealCountBits = 24;
constexpr std::uint32_t kIdealQueueBits = 32;

std::uint64_t clamped(std::uint64_t n, std::uint32_t width) { return std::min(n, (std::uint64_t{1} << width) - 1); }

}  // namespace

IdealWaveView::IdealWaveView(WaveFile& file, Network network, const std::vector<NodeId>& nodes)
    : file_(file), network_(std::move(network)), index_(network_.nodes, kUnwatched) {
  for (const NodeId id : nodes) {
    Node n;
    n.id = id;
    const std::string name = fmt::format("node[{}]", id);
    n.send = declare(name, "send");
    const std::vector<std::string> send{network_.name, name, "send"};
    n.number = file_.add_bits(send, "number", kIdealCountBits);
    n.waiting = file_.add_bits(send, "waiting", kIdealCountBits);
    n.queued = file_.add_bits(send, "queued", kIdealQueueBits);
    n.receive = declare(name, "receive");
    n.arriving = file_.add_bits({network_.name, name, "receive"}, network_.serial_receivers ? "waiting" : "arriving",
                                kIdealCountBits);
    index_[id] = nodes_.size();
    nodes_.push_back(std::move(n));
  }
}

// A text goes into the scope of the signal declared before it.
IdealWaveView::DirectionSignals IdealWaveView::declare(const std::string& node, const std::string& direction) {
  const std::vector<std::string> scopes{network_.name, node, direction};
  DirectionSignals s;
  s.valid = file_.add_bits(scopes, "valid", 1);
  s.message = file_.add_text("message");
  s.level = file_.add_text("level");
  s.flit = file_.add_bits(scopes, "flit", kIdealFlitBits);
  return s;
}

IdealWaveView::Flow IdealWaveView::flow(const TransferRecord& t, Cycle begin) {
  if (first_activity_ < 0 || begin < first_activity_) first_activity_ = begin;
  return {begin, t.units, fmt::format("{}>{}", t.from, t.to), t.service};
}

void IdealWaveView::on_generate(const TransferRecord& t) {
  Node* const n = watched(t.from);
  if (n == nullptr || std::exchange(n->generated, t.id) == t.id) return;
  n->quiet = false;
  ++n->waiting_count;
  n->waiting_units += t.units;
}

void IdealWaveView::take_back(Node& n, const TransferRecord& t) {
  --n.waiting_count;
  n.waiting_units -= t.units;
}

void IdealWaveView::on_enter(const TransferRecord& t) {
  Node* const n = watched(t.from);
  if (n == nullptr) return;
  if (std::exchange(n->entered, t.id) != t.id) {
    take_back(*n, t);
    ++n->messages;
    n->leaving = flow(t, t.entered);
  } else if (n->leaving->ends.back() != '+') {
    n->leaving->ends += '+';
  }
}

void IdealWaveView::on_withdraw(const TransferRecord& t) {
  Node* const n = watched(t.from);
  if (n != nullptr && std::exchange(n->withdrawn, t.id) != t.id) take_back(*n, t);
}

void IdealWaveView::on_head(const TransferRecord& t, Cycle begin) {
  Node* const n = watched(t.to);
  if (n == nullptr) return;
  n->quiet = false;
  n->coming.push_back(flow(t, begin));
}

void IdealWaveView::show(const DirectionSignals& s, const Flow* flow, Cycle cycle) {
  const bool valid = flow != nullptr && flow->begin <= cycle;
  file_.set(s.valid, valid ? 1 : 0);
  file_.set_text(s.message, valid ? flow->ends : std::string());
  file_.set_text(s.level, valid ? network_.levels[flow->service] : std::string());
  if (valid) show_number(s, static_cast<std::uint64_t>(cycle - flow->begin));
}

void IdealWaveView::show_number(const DirectionSignals& s, std::uint64_t number) {
  file_.set(s.flit, static_cast<std::uint32_t>(number));
}

void IdealWaveView::show_send(Node& n, Cycle cycle) {
  if (n.leaving && n.leaving->end() <= cycle) {
    show_number(n.send, n.leaving->units - 1);  // an idle node keeps the number of the last flit
    n.leaving.reset();
  }
  show(n.send, n.leaving ? &*n.leaving : nullptr, cycle);
  const std::uint64_t rest = n.leaving ? static_cast<std::uint64_t>(n.leaving->end() - 1 - cycle) : 0;
  file_.set(n.number, n.messages % (1U << kIdealCountBits));
  file_.set(n.waiting, clamped(n.waiting_count, kIdealCountBits));
  file_.set(n.queued, clamped(n.waiting_units + rest, kIdealQueueBits));
}

void IdealWaveView::show_receive(Node& n, Cycle cycle) {
  const auto ended = [cycle](const Flow& f) { return f.end() <= cycle ? f.end() : -1; };
  const auto last = std::ranges::max_element(n.coming, {}, ended);
  std::optional<std::uint64_t> number;
  if (last != n.coming.end() && ended(*last) >= 0) number = last->units - 1;
  std::erase_if(n.coming, [&](const Flow& f) { return ended(f) >= 0; });
  const bool receives = !n.coming.empty() && n.coming.front().begin <= cycle;
  if (number && !receives) show_number(n.receive, *number);
  show(n.receive, n.coming.empty() ? nullptr : &n.coming.front(), cycle);
  const auto wait = std::find_if(n.coming.begin(), n.coming.end(), [cycle](const Flow& f) { return f.begin > cycle; });
  const auto count = network_.serial_receivers ? n.coming.end() - wait : wait - n.coming.begin();
  file_.set(n.arriving, clamped(static_cast<std::uint64_t>(count), kIdealCountBits));
}

void IdealWaveView::show(Cycle cycle) {
  for (Node& n : nodes_) {
    if (n.quiet) continue;
    show_send(n, cycle);
    show_receive(n, cycle);
    n.quiet = n.waiting_count == 0 && !n.leaving && n.coming.empty();
  }
}

std::string IdealWaveView::path(const Node& n) const { return fmt::format("{}.node[{}]", network_.name, n.id); }

std::string IdealWaveView::gtkw(const std::string& fst) const {
  constexpr std::size_t kMost = 16;
  std::string out = gtkw_header(fst, network_.period, first_activity_);
  for (std::size_t i = 0; i < std::min(kMost, nodes_.size()); ++i) {
    const std::string group = path(nodes_[i]);
    GtkwRows rows(group);
    rows.text("sends", "send.message");
    rows.text("level", "send.level");
    rows.number("number", "send.number", kIdealCountBits);
    rows.number("flit", "send.flit", kIdealFlitBits);
    rows.number("messages waiting", "send.waiting", kIdealCountBits);
    rows.number("flits queued", "send.queued", kIdealQueueBits);
    rows.text("receives", "receive.message");
    rows.text("level", "receive.level");
    rows.number("flit", "receive.flit", kIdealFlitBits);
    if (network_.serial_receivers) {
      rows.number("messages waiting", "receive.waiting", kIdealCountBits);
    } else {
      rows.number("messages side by side", "receive.arriving", kIdealCountBits);
    }
    out += gtkw_begin_group(group) + rows.all() + gtkw_end_group(group);
  }
  return out + gtkw_footer();
}

}  // namespace weft
