#include "schema/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "schema/entries.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxBaseFiles = 64;  // counted as often as they are named

std::size_t count_values(const YamlNode& node) {
  std::size_t values = 1;
  for (const YamlEntry& e : node.entries) values += count_values(e.value);
  return values;
}

// Reads a configuration and its bases, depth first, each file once.
class Loader {
 public:
  Loader(ConfigDocument& document, const DocumentKind& kind) : document_(document), kind_(kind) {}

  YamlNode load(const fs::path& path, const std::string& name) {
    return with_bases(parse_yaml(read_file(path), name), name, folder_of_input(path), identity(path));
  }

  YamlNode with_bases(YamlNode node, const std::string& name, const fs::path& folder, const std::string& id) {
    if (node.kind == YamlNode::Kind::null) {
      throw InputError({name, 1, 1}, fmt::format("the file is empty; {} begins with '{}'", kind_.name, kind_.first));
    }
    if (node.kind != YamlNode::Kind::map) {
      throw InputError(node.where, fmt::format("expected keys and values ('{}' and so on) at the top level, got {}",
                                               kind_.example, node.describe()));
    }
    document_.folders[name] = folder;
    chain_.push_back({id, name});
    YamlNode merged{YamlNode::Kind::map, node.where, {}, {}};
    const auto base =
        std::find_if(node.entries.begin(), node.entries.end(), [](const YamlEntry& e) { return e.key == "base"; });
    if (base != node.entries.end()) {
      for (const YamlNode* value : base_values(base->value)) merge_yaml(merged, load_base(*value, folder));
      node.entries.erase(base);
      merged.where = node.where;
    }
    merge_yaml(merged, std::move(node));
    chain_.pop_back();
    return merged;
  }

 private:
  struct Link {
    std::string id;
    std::string name;
  };

  static std::string identity(const fs::path& path) {
    std::error_code ec;
    const fs::path canonical = fs::weakly_canonical(path, ec);
    return ec ? path.lexically_normal().string() : canonical.string();
  }

  static std::vector<const YamlNode*> base_values(const YamlNode& value) {
    std::vector<const YamlNode*> out;
    if (value.kind == YamlNode::Kind::sequence) {
      for (const YamlEntry& e : value.entries) out.push_back(&e.value);
      if (out.empty())
        throw InputError(value.where, "base: expected a file name or a list of file names, got an empty list");
    } else {
      out.push_back(&value);
    }
    for (const YamlNode* v : out) {
      if (v->kind != YamlNode::Kind::scalar || v->text.empty()) {
        throw InputError(v->where, "base: expected a file name or a list of file names, got " + v->describe());
      }
    }
    return out;
  }

  YamlNode load_base(const YamlNode& value, const fs::path& folder) {
    const fs::path path = (folder / value.text).lexically_normal();
    const std::string id = identity(path);
    std::string names;
    bool cycle = false;
    for (const Link& link : chain_) {
      cycle = cycle || link.id == id;
      if (cycle) names += link.name + " -> ";
    }
    if (cycle) throw InputError(value.where, "base: files include each other: " + names + path.string());
    if (++files_ > kMaxBaseFiles) {
      throw InputError(value.where, fmt::format("base: more than {} files are included", kMaxBaseFiles));
    }
    auto known = bases_.find(id);
    if (known == bases_.end()) {
      YamlNode read = parse_yaml(read_file(path, value.where, "base"), path.string());
      values_ += count_values(read);
      if (values_ > kMaxYamlNodes) {
        throw InputError(value.where, fmt::format("base: the included files have more than {} values", kMaxYamlNodes));
      }
      read = with_bases(std::move(read), path.string(), folder_of_input(path), id);
      known = bases_.emplace(id, std::move(read)).first;
    }
    return known->second;
  }

  ConfigDocument& document_;
  const DocumentKind& kind_;
  std::vector<Link> chain_;
  std::map<std::string, YamlNode> bases_;  // with their own bases
  std::size_t files_ = 0;
  std::size_t values_ = 0;
};

// "a.sw[0..3].b" -> a, sw[0..3], b
std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts(1);
  int brackets = 0;
  for (const char c : path) {
    if (c == '[') ++brackets;
    if (c == ']') --brackets;
    if (c == '.' && brackets <= 0) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

YamlNode parse_value(const std::string& text, const Location& where) {
  try {
    YamlNode value = parse_yaml(text, where.file);
    place_at(value, where);
    return value;
  } catch (const InputError& e) {
    throw InputError(where, fmt::format("the value '{}' cannot be read: {}", text, e.list().front().message));
  }
}

YamlNode& element(YamlNode& list, const std::string& index, const std::string& path, const Location& where) {
  std::size_t i = 0;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), i);
  const std::size_t size = list.entries.size();
  // One spelling each, so that two settings of the same item are known as such.
  const bool plain = index.size() == 1 || !index.starts_with('0');
  if (error == std::errc() && end == index.data() + index.size() && plain && i < size) return list.entries[i].value;
  if (size == 0) throw InputError(where, fmt::format("'{}' is an empty list; '{}' does not exist", path, index));
  throw InputError(where, fmt::format("'{}' is a list of {}; expected an index from 0 to {}, got '{}'", path, size,
                                      size - 1, index));
}

// The keys of no section at the top are numbers, so a number is the place of an element in a list that has to be there.
void check_element(YamlNode& root, const std::string& key, const std::string& index, const Location& where) {
  if (root.kind != YamlNode::Kind::map || index.find_first_not_of("0123456789") != std::string::npos) return;
  const YamlEntry* const entry = root.find(key);
  if (entry != nullptr && entry->value.kind != YamlNode::Kind::null) return;
  throw InputError(
      where,
      fmt::format("'{0}' is not in the configuration, so it has no element {1}; set all of it: {0}=...", key, index));
}

}  // namespace

std::string ConfigDocument::resolve_path(const std::string& path, const Location& where) const {
  const auto folder = folders.find(where.file);
  if (folder == folders.end()) return fs::path(path).lexically_normal().string();
  return (folder->second / path).lexically_normal().string();
}

void merge_yaml(YamlNode& node, YamlNode over) {
  if (node.kind != YamlNode::Kind::map || over.kind != YamlNode::Kind::map) {
    node = std::move(over);
    return;
  }
  node.where = over.where;
  node.entries.reserve(node.entries.size() + over.entries.size());  // the keys stay where they are
  std::unordered_map<std::string_view, YamlEntry*> inherited;
  for (YamlEntry& e : node.entries) inherited.emplace(e.key, &e);
  std::unordered_set<const YamlEntry*> taken_away;
  for (YamlEntry& entry : over.entries) {
    const auto known = inherited.find(entry.key);
    if (known == inherited.end()) {
      node.entries.push_back(std::move(entry));
    } else if (entry.value.kind == YamlNode::Kind::null) {
      taken_away.insert(known->second);
    } else {
      known->second->key_where = entry.key_where;
      merge_yaml(known->second->value, std::move(entry.value));
    }
  }
  if (taken_away.empty()) return;
  std::vector<YamlEntry> left;
  for (YamlEntry& e : node.entries) {
    if (!taken_away.contains(&e)) left.push_back(std::move(e));
  }
  node.entries = std::move(left);
}

void apply_override(YamlNode& root, const std::string& assignment) {
  const Location where{"--set " + assignment, 0, 0};
  check_is_text(assignment, "--set");
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) throw InputError(where, "expected key=value, there is no '='");
  const std::string path = assignment.substr(0, equals);
  const std::vector<std::string> parts = split_path(path);
  if (std::any_of(parts.begin(), parts.end(), [](const std::string& p) { return p.empty(); })) {
    throw InputError(where, "expected key=value with a key such as switch.slots; a part of the key is empty");
  }
  if (parts.size() > kMaxYamlDepth) throw InputError(where, "the key has too many parts");
  if (parts.front() == "base") throw InputError(where, "base cannot be set on the command line");
  YamlNode value = parse_value(assignment.substr(equals + 1), where);
  if (value.kind == YamlNode::Kind::null && equals + 1 == assignment.size()) {
    throw InputError(where, "the value is missing (an empty text is written '')");
  }
  YamlNode* node = &root;
  std::string walked;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (node->kind == YamlNode::Kind::null) *node = {YamlNode::Kind::map, where, {}, {}};
    if (node->kind == YamlNode::Kind::scalar) {
      throw InputError(where, fmt::format("'{}' is the value '{}', it has no key '{}'", walked, node->text, parts[i]));
    }
    if (i == 0 && !last) check_element(*node, parts[0], parts[1], where);
    if (node->kind == YamlNode::Kind::sequence) {
      node = &element(*node, parts[i], walked, where);
    } else if (YamlEntry* entry = node->find(parts[i])) {
      if (last && value.kind == YamlNode::Kind::null) {
        if (entry->value.kind == YamlNode::Kind::null && is_from_set(entry->value.where)) return;  // said before
        std::erase_if(node->entries, [&](const YamlEntry& e) { return e.key == parts[i]; });
        return;
      }
      entry->key_where = last ? where : entry->key_where;
      node = &entry->value;
    } else {
      node->entries.push_back({parts[i], where, {YamlNode::Kind::null, where, {}, {}}});
      node = &node->entries.back().value;
    }
    walked += (walked.empty() ? "" : ".") + parts[i];
  }
  merge_yaml(*node, std::move(value));
}

void apply_overrides(YamlNode& root, const std::vector<std::string>& assignments, Diagnostics& diagnostics,
                     const Renewal& renew) {
  if (renew) renew(root, diagnostics);
  for (const std::string& assignment : assignments) {
    passes([&] { apply_override(root, assignment); }, diagnostics);
    if (renew) renew(root, diagnostics);
  }
}

ConfigDocument load_document(const std::string& file, const DocumentKind& kind) {
  ConfigDocument document;
  document.root = Loader(document, kind).load(file, file);
  return document;
}

ConfigDocument parse_document(const std::string& text, const std::string& name, const std::string& folder,
                              const DocumentKind& kind) {
  ConfigDocument document;
  document.root = Loader(document, kind).with_bases(parse_yaml(text, name), name, folder, name);
  return document;
}

}  // namespace weft
