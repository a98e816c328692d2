#include "run/tdm/tdm_waves.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/diagnostics.h"
#include "base/files.h"
#include "observe/gtkw.h"
#include "run/waves/rank_wave_file.h"

namespace weft {
namespace {

constexpr CycleRange kAllCycles;

const std::string& prepared(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) prepare_folder(folder);
  return path;
}

}  // namespace

TdmWaves::TdmWaves(const std::string& path, const TdmPlatform& platform, const Part& part, ObservedNetwork& network,
                   TdmBlocks& blocks, std::uint32_t longest_message)
    : path_(path),
      part_(part),
      period_(platform.config().tdm_switch.period),
      window_(platform.config().observe.waves.times.from, platform.config().observe.waves.times.until, period_),
      blocks_(blocks),
      file_(make_wave_file(path, part)),
      view_(*file_, platform.config(), platform.graph(), platform.phases(), longest_message, network.path(),
            platform.select(platform.config().observe.waves.switches)),
      cells_(
          platform.config().tdm_switch.slots, platform.select(platform.config().observe.waves.switches),
          window_.range(), [this](Cycle cycle, const std::vector<Cell>& c) { view_.on_cells(cycle, c); },
          [this](const std::vector<Cell>& c) { view_.on_held(c); }) {
  const Graph& graph = platform.graph();
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    const SwitchImplementations which = platform.config().tdm_switch.implementations(sw);
    const auto scope = [&](const auto& kind, const BlockChoice& choice, std::optional<RtlSize> compiled) {
      if (choice.is_model()) return RtlScope();
      const auto& block = kind.of(choice);
      const RtlSize size = choice.rtl.empty() && compiled ? *compiled : block.largest;
      return RtlScope{block.module, size.ports, size.slots};
    };
    const TdmRtlBlocks& own = platform.blocks();
    const RtlSize compiled = compiled_rtl_size(graph.ports(sw), platform.config().tdm_switch.slots);
    const bool set_up = platform.config().setup.mode == SetupMode::in_network;
    rtl_.push_back({scope(own.data_path, which.data_path, compiled),
                    scope(own.slot_lut, which.slot_lut, compiled),
                    set_up ? scope(own.setup_unit, which.setup_unit, {}) : RtlScope(),
                    {}});
  }
  for (NodeId node = 0; node < graph.nodes(); ++node) {
    const BlockChoice& choice = platform.config().host.of(node);
    if (choice.is_model()) continue;
    const HostInterfaceBlock& block = platform.blocks().host_interface.of(choice);
    rtl_[graph.attachment(node).sw].hosts.push_back(
        {node, RtlScope{block.module, block.largest.links, block.largest.slots}});
  }
  blocks.trace(*file_, platform.graph(), platform.select(platform.config().observe.waves.switches));
  // RTL is shown by copies that make all its steps; ranks may have nothing to do when the window begins.
  if (blocks.traces() || !part_.whole()) before_ = ClockDomain::kNever;
  file_->open();
  network.add_observer(view_);
  network.add_observer(cells_);
  network.add_observer(*this);
  network.observe_cycles([this](Cycle cycle) { return window_.first_needed(cycle, before_); });
}

TdmWaves::~TdmWaves() = default;

// Runs after the cell view of the same cycle, which was added before.
void TdmWaves::on_cycle(Cycle cycle) {
  last_ = cycle;
  if (window_.first_needed(cycle, before_) != cycle) {
    if (cycle >= window_.until() && !std::exchange(over_, true)) blocks_.end_trace();
    return;
  }
  blocks_.show_cycle(cycle);
  const bool shown = window_.shows(cycle);
  const auto time = static_cast<std::uint64_t>(cycle * period_.ps);
  if (shown) file_->dump(time);
  blocks_.show_half();
  if (shown) file_->dump(time + static_cast<std::uint64_t>(period_.ps / 2));
}

std::vector<std::string> TdmWaves::close(Cycle last_cycle) {
  if (last_ < last_cycle) {
    cells_.on_cycle(last_cycle);
    on_cycle(last_cycle);
  }
  const auto end = static_cast<std::uint64_t>((last_cycle + 1) * period_.ps);
  if (last_ <= last_cycle && window_.shows_end(last_cycle)) {
    cells_.begin(last_cycle + 1);
    view_.on_cells(last_cycle + 1, {});
    file_->dump(end);
  }
  file_->close(end);
  view_.set_first_activity(first_of_all(part_, view_.first_activity()));
  if (!writes_results(part_)) return {};
  return write_gtkw(path_, [&](const std::string& file) { return view_.gtkw(file, rtl_); });
}

SlotTrace::SlotTrace(const std::string& path, const TdmPlatform& platform, ObservedNetwork& network)
    : output_(prepared(path)),
      slots_(platform.config().tdm_switch.slots),
      cells_(slots_, std::vector<bool>(platform.graph().switches(), true), kAllCycles,
             [this](Cycle cycle, const std::vector<Cell>& c) { add(cycle, c); }) {
  errno = 0;
  file_.open(output_.temporary(), std::ios::binary | std::ios::trunc);
  if (!file_) cannot_write(path, errno);
  file_ << "cycle,switch,port,slot,source,destinations,circuit,message,word\n";
  for (const PhasePlan& p : platform.phases()) {
    for (const CircuitPlan& c : p.circuits) {
      circuits_.push_back(fmt::format("{},{},{}", c.source, fmt::join(c.destinations, " "), c.id));
    }
  }
  network.add_observer(cells_);
  network.observe_cycles();
}

void SlotTrace::add(Cycle cycle, const std::vector<Cell>& cells) {
  constexpr std::size_t kFlush = std::size_t{1} << 20;
  for (const Cell& c : cells) {
    fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{},{}\n", cycle, c.sw, c.out, cycle % slots_,
                   circuits_[c.train->circuit], c.train->sequence, c.word);
  }
  if (text_.size() > kFlush) flush();
}

void SlotTrace::flush() {
  errno = 0;
  file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  if (!file_) cannot_write(output_.path(), errno);
  text_.clear();
}

std::vector<std::string> SlotTrace::close() {
  flush();
  errno = 0;
  file_.close();
  if (!file_) cannot_write(output_.path(), errno);
  output_.keep();
  return {output_.path().string()};
}

void TdmFiles::open(const std::string& slot_trace, const std::string& waves, const TdmPlatform& platform,
                    const Part& part, ObservedNetwork& network, TdmBlocks& blocks, std::uint32_t longest_message) {
  if (platform.config().observe.slot_trace && !slot_trace.empty()) {
    trace_ = std::make_unique<SlotTrace>(slot_trace, platform, network);
  }
  if (!waves.empty()) waves_ = std::make_unique<TdmWaves>(waves, platform, part, network, blocks, longest_message);
}

std::vector<std::string> TdmFiles::close(Cycle last_cycle) {
  std::vector<std::string> names;
  if (waves_) names = waves_->close(last_cycle);
  if (trace_) {
    for (std::string& name : trace_->close()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace weft
