#include "algorithms/alltoall/schedule_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <string_view>

#include "algorithms/alltoall/groups.h"
#include "base/diagnostics.h"
#include "base/files.h"
#include "base/input_file.h"
#include "base/output_folder.h"

namespace weft::alltoall {
namespace {

constexpr std::size_t kLongestLine = 200;
constexpr std::uint32_t kMostChannels = 4096;  // wavelengths, planes

constexpr const char* kHeader = "slot,source,destination";
constexpr const char* kChannelHeader = "slot,source,destination,wavelength,plane";

class Reader {
 public:
  Reader(const std::string& path, const Grid& grid) : path_(path), file_(path), nodes_(grid.nodes()) {
    out_.schedule.grid = grid;
    out_.schedule.slot_of.assign(std::size_t{nodes_} * nodes_, kNoSlot);
  }

  ScheduleFile read() {
    std::string_view line;
    while (file_.next(line) && !give_up(diagnostics_, {path_, file_.number()})) {
      if (line.size() > kLongestLine) {
        error(1, "this line is too long for a line of a schedule; expected numbers separated by commas");
        break;
      }
      if (file_.number() == 1) {
        if (!header(line)) break;
      } else if (!line.empty()) {
        connection(line);
      }
    }
    if (file_.number() == 0) diagnostics_.error({path_}, fmt::format("is empty; expected the header '{}'", kHeader));
    diagnostics_.throw_if_errors();
    combine();
    return std::move(out_);
  }

 private:
  struct Field {
    std::string_view text;
    int column;
  };

  void error(int column, std::string message) {
    diagnostics_.error({path_, file_.number(), column}, std::move(message));
  }

  bool header(std::string_view line) {
    out_.has_channels = line == kChannelHeader;
    if (line == kHeader || out_.has_channels) {
      if (out_.has_channels) channel_of_.resize(out_.schedule.slot_of.size());
      return true;
    }
    error(1, fmt::format("expected the header '{}' or '{}', got '{}'", kHeader, kChannelHeader, line));
    return false;
  }

  bool split(std::string_view line) {
    const std::size_t expected = out_.has_channels ? 5 : 3;
    count_ = 0;
    std::size_t begin = 0, fields = 0;
    for (;;) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      if (fields < 5) fields_[count_++] = {line.substr(begin, end - begin), static_cast<int>(begin) + 1};
      ++fields;
      if (end == line.size()) break;
      begin = end + 1;
    }
    if (fields == expected) return true;
    error(1, fmt::format("expected {} fields ({}), got {}", expected, out_.has_channels ? kChannelHeader : kHeader,
                         fields));
    return false;
  }

  std::optional<std::uint32_t> number(std::size_t i, const char* what, std::uint32_t largest) {
    const Field& f = fields_[i];
    std::uint32_t value = 0;
    const char* const end = f.text.data() + f.text.size();
    const auto [stop, code] = std::from_chars(f.text.data(), end, value);
    if (code == std::errc() && stop == end && value <= largest) return value;
    error(f.column, fmt::format("{}: expected a whole number from 0 to {}, got '{}'", what, largest, f.text));
    return std::nullopt;
  }

  void connection(std::string_view line) {
    if (!split(line)) return;
    const auto slot = number(0, "slot", kLargestFileSlot);
    const auto source = number(1, "source", nodes_ - 1);
    const auto destination = number(2, "destination", nodes_ - 1);
    std::optional<std::uint32_t> wavelength = 0, plane = 0;
    if (out_.has_channels) {
      wavelength = number(3, "wavelength", kMostChannels - 1);
      plane = number(4, "plane", kMostChannels - 1);
    }
    if (!slot || !source || !destination || !wavelength || !plane) return;
    if (*source == *destination) {
      error(fields_[2].column, fmt::format("node {} sends to itself", *source));
      return;
    }
    const std::size_t c = std::size_t{*source} * nodes_ + *destination;
    std::uint32_t& entry = out_.schedule.slot_of[c];
    if (entry != kNoSlot) {
      error(1, fmt::format("connection {} -> {} is already in slot {}", *source, *destination, entry));
      return;
    }
    entry = *slot;
    last_slot_ = std::max(last_slot_, *slot);
    any_ = true;
    if (!out_.has_channels) return;
    channel_of_[c] = {static_cast<std::uint16_t>(*wavelength), static_cast<std::uint16_t>(*plane)};
    out_.wavelengths = std::max(out_.wavelengths, *wavelength + 1);
    out_.planes = std::max(out_.planes, *plane + 1);
  }

  // Time slot, wavelength and plane become one slot number.
  void combine() {
    const std::uint64_t channels = std::uint64_t{out_.wavelengths} * out_.planes;
    const std::uint64_t slots = any_ ? (std::uint64_t{last_slot_} + 1) * channels : 0;
    if (slots > std::uint64_t{kLargestFileSlot} + 1) {
      throw InputError({path_},
                       fmt::format("has {} slots times {} wavelengths times {} planes; at most {} are accepted",
                                   last_slot_ + 1, out_.wavelengths, out_.planes, kLargestFileSlot + 1));
    }
    out_.schedule.slots = static_cast<std::uint32_t>(slots);
    for (std::size_t c = 0; c < channel_of_.size(); ++c) {
      std::uint32_t& slot = out_.schedule.slot_of[c];
      if (slot == kNoSlot) continue;
      slot = (slot * out_.wavelengths + channel_of_[c].wavelength) * out_.planes + channel_of_[c].plane;
    }
  }

  struct Channel {
    std::uint16_t wavelength = 0;
    std::uint16_t plane = 0;
  };

  const std::string path_;
  LineFile file_;
  const std::uint32_t nodes_;
  Diagnostics diagnostics_;
  ScheduleFile out_;
  std::vector<Channel> channel_of_;  // per connection; empty without channels
  std::uint32_t last_slot_ = 0;
  bool any_ = false;
  Field fields_[5];
  std::size_t count_ = 0;
};

class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : file_(path) {
    out_.open(file_.temporary(), std::ios::binary | std::ios::trunc);
    if (!out_) fail(errno);
    buffer_.reserve(kFlushAt + 100);
  }
  void number(std::uint32_t value, char after) {
    char digits[16];
    const auto [end, code] = std::to_chars(digits, digits + sizeof digits, value);
    buffer_.append(digits, end);
    buffer_.push_back(after);
    if (buffer_.size() >= kFlushAt) flush();
  }
  void text(std::string_view text) { buffer_.append(text); }
  void finish() {
    flush();
    out_.close();
    if (!out_) fail(errno);
    file_.keep();
  }

 private:
  static constexpr std::size_t kFlushAt = std::size_t{1} << 16;

  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
    if (!out_) fail(errno);
  }
  [[noreturn]] void fail(int error) { cannot_write(file_.path(), error); }

  OutputFile file_;
  std::ofstream out_;
  std::string buffer_;
};

// Number of nodes when the lines, but for the first one, are as many as that has connections; else 0.
std::uint64_t complete_nodes(const std::filesystem::path& path) {
  LineFile file(path.string());
  std::uint64_t largest = 0, connections = 0;
  std::string_view line;
  file.next(line);
  while (file.next(line)) {
    if (line.size() > kLongestLine) return 0;
    if (line.empty()) continue;
    const char* at = line.data();
    const char* const end = at + line.size();
    for (int field = 0; field < 3; ++field) {
      std::uint32_t value = 0;
      const auto [stop, code] = std::from_chars(at, end, value);
      if (code != std::errc()) return 0;
      if (field > 0) largest = std::max<std::uint64_t>(largest, value);
      if (field < 2 && (stop == end || *stop != ',')) return 0;
      at = stop + 1;
    }
    ++connections;
  }
  return largest > 0 && connections == largest * (largest + 1) ? largest + 1 : 0;
}

}  // namespace

std::string ScheduleFile::slot_name(std::uint32_t slot) const {
  if (!has_channels) return fmt::format("slot {}", slot);
  return fmt::format("slot {} on wavelength {} of plane {}", slot / planes / wavelengths, slot / planes % wavelengths,
                     slot % planes);
}

ScheduleFile read_schedule(const std::filesystem::path& path, const Grid& grid) {
  return Reader(path.string(), grid).read();
}

std::string grid_text(const Grid& grid) {
  return fmt::format("{} {}x{}, {} routing", grid.torus ? "torus" : "mesh", grid.width, grid.height,
                     grid.order == RouteOrder::kXFirst ? "X-Y" : "Y-X");
}

Grid read_grid(const std::filesystem::path& json_path) {
  const auto json = nlohmann::json::parse(read_file(json_path), nullptr, false);
  const auto wrong = [&] {
    return InputError({json_path.string()}, "is not a schedule of 'weft alltoall'; give --n or --dims");
  };
  if (!json.is_object() || !json.contains("grid") || !json["grid"].is_object()) throw wrong();
  const auto& g = json["grid"];
  const auto side = [&](const char* key) {
    if (!g.contains(key) || !g[key].is_number_unsigned()) throw wrong();
    const auto value = g[key].get<std::uint64_t>();
    if (value >= kSmallestSide && value <= kLargestSide) return static_cast<std::uint32_t>(value);
    throw InputError({json_path.string()}, fmt::format("{}: expected a size from {} to {} nodes, got {}", key,
                                                       kSmallestSide, kLargestSide, value));
  };
  Grid grid{side("columns"), side("rows")};
  if (grid.nodes() < 2) throw wrong();
  if (!g.contains("torus") || !g["torus"].is_boolean() || !g.contains("order") || !g["order"].is_string()) {
    throw wrong();
  }
  grid.torus = g["torus"].get<bool>();
  const auto order = g["order"].get<std::string>();
  if (order != "xy" && order != "yx") throw wrong();
  grid.order = order == "yx" ? RouteOrder::kYFirst : RouteOrder::kXFirst;
  return grid;
}

std::optional<std::string> other_size(const std::filesystem::path& path, const Grid& grid) {
  const std::uint64_t nodes = complete_nodes(path);
  if (nodes == 0 || nodes == grid.nodes()) return std::nullopt;
  return fmt::format("is a schedule of {} nodes, not of the {} of {}", nodes, grid.nodes(), grid_text(grid));
}

std::optional<std::string> other_grid(const std::filesystem::path& path, const Grid& grid) {
  const std::filesystem::path json_path = path.parent_path() / "schedule.json";
  if (path.filename() == "schedule.csv" && std::filesystem::exists(json_path)) {
    const Grid of_file = read_grid(json_path);
    if (of_file == grid) return std::nullopt;
    return fmt::format("is a schedule of {}, not of {}", grid_text(of_file), grid_text(grid));
  }
  return other_size(path, grid);
}

void write_schedule(const std::filesystem::path& path, const Schedule& schedule, const ChannelPlan* plan) {
  const BySlot by_slot(schedule);
  std::vector<std::uint32_t> order(schedule.slots);
  std::iota(order.begin(), order.end(), 0U);
  if (plan != nullptr) {
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t s, std::uint32_t t) {
      return plan->time[s] != plan->time[t] ? plan->time[s] < plan->time[t] : plan->channel[s] < plan->channel[t];
    });
  }
  Writer writer(path);
  writer.text(plan != nullptr ? kChannelHeader : kHeader);
  writer.text("\n");
  for (const std::uint32_t slot : order) {
    by_slot.visit(slot, [&](Connection c) {
      writer.number(plan != nullptr ? plan->time[slot] : slot, ',');
      writer.number(c.source, ',');
      writer.number(c.destination, plan != nullptr ? ',' : '\n');
      if (plan == nullptr) return;
      writer.number(plan->wavelength(slot), ',');
      writer.number(plan->plane(slot), '\n');
    });
  }
  writer.finish();
}

}  // namespace weft::alltoall
