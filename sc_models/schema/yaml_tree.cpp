#include "schema/yaml_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "base/text.h"

namespace weft {
namespace {

// Line and column of a byte of the text, or of its end.
Location place_of(std::string_view text, std::size_t offset, const std::string& file) {
  const std::string_view before = text.substr(0, offset);
  const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return {file, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(std::count_if(line.begin(), line.end(), begins_character)) + 1};
}

// The line that this byte is in.
std::string line_of(std::string_view text, std::size_t offset) {
  const std::size_t begin = text.substr(0, offset).rfind('\n') + 1;
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

// Builds the tree from yaml-cpp's events. Events, unlike yaml-cpp's own nodes, still show duplicate keys and
// aliases.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const std::string& file) : file_(file) {}

  YamlNode take() {
    if (complex_key_) throw InputError(*complex_key_, "a key must be a plain word, not a list or a map");
    return std::move(root_);
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1)
      throw InputError(
          at(mark), "a second document begins here, at '---' or behind the end of a value; one file is one document");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add_leaf(YamlNode::Kind::null, mark, anchor); }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_tag(mark, tag);
    add_leaf(YamlNode::Kind::scalar, mark, anchor, value);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto known = anchors_.find(anchor);
    if (known == anchors_.end()) throw InputError(at(mark), "this alias refers to a value that contains itself");
    count(known->second.nodes, known->second.bytes, mark);
    put(YamlNode(known->second.value), at(mark));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(YamlNode::Kind::map, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    YamlNode node;
    YAML::Mark mark;
    YAML::anchor_t anchor = 0;
    std::size_t nodes_before = 0;
    std::size_t bytes_before = 0;
    bool has_key = false;  // map: a key waits for its value
    std::string key;
    Location key_where;
    std::set<std::string> keys;
  };
  struct Anchored {
    YamlNode value;
    std::size_t nodes = 0;
    std::size_t bytes = 0;
  };

  Location at(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  void check_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    throw InputError(at(mark), fmt::format("YAML tags such as '{}' are not supported", tag));
  }

  // Of values and of bytes of their text, as the tree holds them.
  void count(std::size_t nodes, std::size_t bytes, const YAML::Mark& mark) {
    constexpr const char* kCounted = "(values with an anchor count twice, aliases as often as they are used)";
    nodes_ += nodes;
    bytes_ += bytes;
    if (nodes_ > kMaxYamlNodes) {
      throw InputError(at(mark), fmt::format("the document has more than {} values here {}", kMaxYamlNodes, kCounted));
    }
    if (bytes_ > kMaxYamlBytes) {
      throw InputError(
          at(mark), fmt::format("the values of the document have more than {} bytes here {}", kMaxYamlBytes, kCounted));
    }
  }

  void keep(YAML::anchor_t anchor, Anchored value, const YAML::Mark& mark) {
    count(value.nodes, value.bytes, mark);
    anchors_[anchor] = std::move(value);
  }

  void add_leaf(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor, const std::string& text = {}) {
    count(1, text.size(), mark);
    YamlNode node{kind, at(mark), text, {}};
    if (anchor != 0) keep(anchor, {node, 1, text.size()}, mark);
    put(std::move(node), at(mark));
  }

  void open(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    check_tag(mark, tag);
    if (stack_.size() >= kMaxYamlDepth) {
      throw InputError(at(mark), fmt::format("values are nested more than {} levels deep here", kMaxYamlDepth));
    }
    // To yaml-cpp a bracket that is never closed looks like a key at first; its own error then says more.
    if (expects_key() && !complex_key_) complex_key_ = at(mark);
    if (complex_key_) return;
    count(1, 0, mark);
    Open entry;
    entry.node = {kind, at(mark), {}, {}};
    entry.anchor = anchor;
    entry.mark = mark;
    entry.nodes_before = nodes_ - 1;
    entry.bytes_before = bytes_;
    stack_.push_back(std::move(entry));
  }

  void close() {
    if (complex_key_) return;
    Open done = std::move(stack_.back());
    stack_.pop_back();
    if (done.anchor != 0) {
      keep(done.anchor, {done.node, nodes_ - done.nodes_before, bytes_ - done.bytes_before}, done.mark);
    }
    const Location where = done.node.where;
    put(std::move(done.node), where);
  }

  bool expects_key() const {
    return !stack_.empty() && stack_.back().node.kind == YamlNode::Kind::map && !stack_.back().has_key;
  }

  void put(YamlNode node, const Location& where) {
    if (complex_key_) return;
    if (stack_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = stack_.back();
    if (expects_key()) {
      if (node.kind != YamlNode::Kind::scalar) throw InputError(where, "a key must be a plain word");
      if (!parent.keys.insert(node.text).second) {
        const YamlEntry* first = parent.node.find(node.text);
        throw InputError(where, fmt::format("duplicate key '{}' (first on line {})", node.text, first->key_where.line));
      }
      parent.has_key = true;
      parent.key = std::move(node.text);
      parent.key_where = where;
      return;
    }
    if (parent.node.kind == YamlNode::Kind::sequence) {
      parent.node.entries.push_back({{}, where, std::move(node)});
      return;
    }
    const bool leaf = node.kind == YamlNode::Kind::scalar;
    const bool below = !leaf && node.where.line > parent.key_where.line;
    if (below || node.kind == YamlNode::Kind::null) node.where = parent.key_where;
    parent.node.entries.push_back({std::move(parent.key), parent.key_where, std::move(node)});
    parent.has_key = false;
  }

  const std::string& file_;
  YamlNode root_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Anchored> anchors_;
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
  int documents_ = 0;
  std::optional<Location> complex_key_;  // set: the tree is not built any further
};

// Whether a word goes on behind an opening bracket, as in services[service=bulk].
bool bracket_in_word(std::string_view line) {
  for (std::size_t at = line.find('['); at != std::string_view::npos; at = line.find('[', at + 1)) {
    if (at > 0 && std::isalnum(static_cast<unsigned char>(line[at - 1])) != 0) return true;
  }
  return false;
}

// The place comes from the offset, since at the end of the text yaml-cpp's column is 0. The offset may lie behind the
// end, and is -1 where yaml-cpp knows none.
InputError syntax_error(const YAML::Exception& e, std::string_view text, const std::string& file) {
  namespace msg = YAML::ErrorMsg;
  std::string message = "YAML syntax: " + e.msg;
  if (e.msg == msg::END_OF_MAP_FLOW) message = "YAML syntax: a '{' is not closed before this place";
  if (e.msg == msg::END_OF_SEQ_FLOW) message = "YAML syntax: a '[' is not closed before this place";
  if (e.msg == msg::BAD_FILE) {  // the depth of its recursion
    message = fmt::format("values are nested more than {} levels deep before this place", kMaxYamlDepth);
  }
  const std::size_t offset = std::min(static_cast<std::size_t>(std::max(0, e.mark.pos)), text.size());
  const std::string line = line_of(text, offset);
  if (line.find("sw[") != std::string::npos) {
    message += R"( (inside [ ] and { } a name such as "sw[0]" must be quoted))";
  } else if (bracket_in_word(line)) {
    message += " (inside [ ] and { } a text with a bracket in it must be quoted)";
  } else if (line.substr(0, line.find_first_not_of(" \t")).find('\t') != std::string::npos) {
    message += " (lines are indented with spaces, not with tabs)";
  } else if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) {
    message += " (lines must end with a line feed, not with a carriage return alone)";
  }
  return InputError(place_of(text, offset, file), message);
}

}  // namespace

const YamlEntry* YamlNode::find(std::string_view key) const {
  for (const YamlEntry& e : entries) {
    if (e.key == key) return &e;
  }
  return nullptr;
}

YamlEntry* YamlNode::find(std::string_view key) {
  for (YamlEntry& e : entries) {
    if (e.key == key) return &e;
  }
  return nullptr;
}

void place_at(YamlNode& node, const Location& where) {
  node.where = where;
  for (YamlEntry& e : node.entries) {
    e.key_where = where;
    place_at(e.value, where);
  }
}

std::string YamlNode::describe() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar:
      return fmt::format("'{}'", text);
    case Kind::sequence:
      return "a list";
    case Kind::map:
      return "a section";
  }
  return {};
}

void check_is_text(std::string_view text, const std::string& file) {
  Location where{file, 1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    if (length == 0) {
      throw InputError(where, fmt::format("this is not text: byte 0x{:02x} is not part of UTF-8", byte));
    }
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) {
      throw InputError(where, fmt::format("this is not text: control character 0x{:02x}", byte));
    }
    if (byte == '\n') {
      ++where.line;
      where.column = 1;
    } else {
      ++where.column;
    }
    i += length;
  }
}

namespace {

// yaml-cpp keeps brackets that are not closed until the end of the document, before it says anything of them: 200 bytes
// each. Brackets in texts and comments count here too, so that the limit is far beyond kMaxYamlDepth.
void check_brackets(std::string_view text, const std::string& file) {
  constexpr std::size_t kMostOpen = 10'000;
  std::size_t open = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[' || c == '{') ++open;
    if ((c == ']' || c == '}') && open > 0) --open;
    if (open <= kMostOpen) continue;
    throw InputError(place_of(text, i, file), fmt::format("more than {} brackets are open here", kMostOpen));
  }
}

}  // namespace

YamlNode parse_yaml(std::string_view text, const std::string& file) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  check_is_text(text, file);
  check_brackets(text, file);
  TreeBuilder builder(file);
  try {
    std::istringstream in{std::string(text)};
    YAML::Parser parser(in);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& e) {
    throw syntax_error(e, text, file);
  }
  return builder.take();
}

}  // namespace weft
