#include "fabrics/tdm/keys/circuits_file.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string_view>
#include <unordered_map>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/parsed_inputs.h"
#include "schema/yaml_tree.h"

namespace weft {
namespace {

struct CircuitField {
  std::string_view text;
  int column = 0;
};

class Reader {
 public:
  Reader(const std::string& path, std::uint32_t slots, Diagnostics& diagnostics)
      : path_(path), slots_(slots), diagnostics_(diagnostics) {}

  std::vector<FlowConfig> read(std::string_view content) {
    for (int line = 1; !content.empty() && !give_up(diagnostics_, {path_, line}); ++line) {
      const std::size_t end = content.find('\n');
      read_line(content.substr(0, end), line);
      content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    }
    if (flows_.empty() && errors_ == 0) {
      diagnostics_.error({path_, 0, 0}, "there are no circuits in this file");
    }
    return std::move(flows_);
  }

 private:
  void error(int line, int column, std::string message) {
    ++errors_;
    diagnostics_.error({path_, line, column}, std::move(message));
  }

  void split(std::string_view line) {
    fields_.clear();
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    for (std::size_t i = 0; i < line.size();) {
      if (blank(line[i])) {
        ++i;
        continue;
      }
      if (line[i] == '#') return;
      const std::size_t begin = i;
      while (i < line.size() && !blank(line[i])) ++i;
      fields_.push_back({line.substr(begin, i - begin), static_cast<int>(begin) + 1});
    }
  }

  bool node(const CircuitField& field, const char* what, int line, NodeId& out) {
    const char* const end = field.text.data() + field.text.size();
    const auto [stop, error_code] = std::from_chars(field.text.data(), end, out);
    if (error_code == std::errc() && stop == end && out <= kMaxCircuitNode) return true;
    error(line, field.column,
          fmt::format("{}: expected a node number from 0 to {}, got '{}'", what, kMaxCircuitNode, field.text));
    return false;
  }

  void read_line(std::string_view text, int line) {
    split(text);
    if (fields_.empty()) return;
    if (fields_.size() < 3 || fields_.size() > 4) {
      error(line, fields_.size() > 4 ? fields_[4].column : fields_[0].column,
            fmt::format("expected 'source destination flow_id [job_id]', got {} field{}", fields_.size(),
                        fields_.size() == 1 ? "" : "s"));
      return;
    }
    NodeId source = 0;
    NodeId destination = 0;
    const bool source_ok = node(fields_[0], "source", line, source);
    if (!node(fields_[1], "destination", line, destination) || !source_ok) return;
    const std::string_view job = fields_.size() == 4 ? fields_[3].text : std::string_view();
    key_.assign(job).append(1, ' ').append(fields_[2].text);
    const auto [at, is_new] = index_.try_emplace(key_, flows_.size());
    if (is_new) {
      FlowConfig flow;
      flow.where = {path_, line, fields_[0].column};
      flow.name = fields_[2].text;
      flow.job = job;
      flow.slots = slots_;
      flows_.push_back(std::move(flow));
    }
    FlowConfig& flow = flows_[at->second];
    flow.pairs.emplace_back(source, destination);
    flow.places.push_back({{path_, line, fields_[0].column}, {path_, line, fields_[1].column}});
  }

  const std::string& path_;
  std::uint32_t slots_;
  Diagnostics& diagnostics_;
  std::vector<CircuitField> fields_;
  std::string key_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<FlowConfig> flows_;
  std::size_t errors_ = 0;
};

}  // namespace

std::vector<FlowConfig> read_circuits_file(const std::string& path, const Location& value_where,
                                           const std::string& key_path, std::uint32_t slots, Diagnostics& diagnostics) {
  std::shared_ptr<const std::string> text;
  const auto read = [&] { return read_file(path, value_where, key_path); };
  if (!passes([&] { text = ParsedInputs::once<std::string>(path, read); }, diagnostics)) return {};
  const std::string& content = *text;
  try {
    check_is_text(content, path);
  } catch (const InputError& e) {
    diagnostics.error(e.list().front().where, e.list().front().message);
    return {};
  }
  return Reader(path, slots, diagnostics).read(content);
}

}  // namespace weft
