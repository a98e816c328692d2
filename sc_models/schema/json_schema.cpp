#include "schema/json_schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace weft {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kDraft = "https://json-schema.org/draft/2020-12/schema";

Json reference(const std::string& name) { return {{"$ref", "#/$defs/" + name}}; }

// Default of a key, written as YAML, as JSON.
Json value_of(const YamlNode& node, const ValueForm* form) {
  using Kind = ValueForm::Kind;
  const bool takes_many = form != nullptr && (form->kind == Kind::list || form->kind == Kind::section);
  if (takes_many && node.kind == YamlNode::Kind::scalar && form->alternative) form = form->alternative.get();
  const ValueForm* element = form != nullptr ? form->element.get() : nullptr;
  switch (node.kind) {
    case YamlNode::Kind::null:
      return nullptr;
    case YamlNode::Kind::scalar:
      if (form != nullptr && form->kind == Kind::boolean) return node.text == "true";
      if (form != nullptr && (form->kind == Kind::whole || form->kind == Kind::decimal)) return Json::parse(node.text);
      return node.text;
    case YamlNode::Kind::sequence: {
      Json out = Json::array();
      for (const YamlEntry& e : node.entries) out.push_back(value_of(e.value, element));
      return out;
    }
    case YamlNode::Kind::map:
      break;
  }
  Json out = Json::object();
  for (const YamlEntry& e : node.entries) {
    const ValueForm* inner = element;
    if (form != nullptr && form->section) {
      const auto& keys = form->section->keys;
      const auto key = std::find_if(keys.begin(), keys.end(), [&](const KeyInfo& k) { return k.name == e.key; });
      inner = key != keys.end() ? key->type.form.get() : nullptr;
    }
    out[e.key] = value_of(e.value, inner);
  }
  return out;
}

std::string description(const KeyInfo& key) {
  std::string out = key.meaning;
  if (!key.type.range.empty()) out += fmt::format(" Range: {}.", key.type.range);
  if (!key.type.units.empty()) out += fmt::format(" Units: {}.", key.type.units);
  if (!key.otherwise.empty()) out += fmt::format(" Without it: {}.", key.otherwise);
  return out;
}

void allow_null(Json& schema) {
  if (schema.contains("enum")) schema["enum"].push_back(nullptr);
  if (schema.contains("anyOf")) schema["anyOf"].push_back({{"type", "null"}});
  const auto type = schema.find("type");
  if (type == schema.end()) return;
  if (!type->is_array()) *type = Json::array({*type});
  if (std::find(type->begin(), type->end(), "null") == type->end()) type->push_back("null");
}

// Definitions of the sections of a kind of document: each as a whole and as a part that is merged with others.
class Sections {
 public:
  Sections(const DocumentSchema& document, Json& definitions) : document_(document), definitions_(definitions) {}

  // Definitions NAME (whole, or a part if it has `base`) and, as every section has them, NAME-whole and NAME-part.
  void define_document() {
    definitions_[document_.name] = Json();
    const Json whole = section(*document_.keys, "", false);
    const Json part = section(*document_.keys, "", true);
    definitions_[document_.name] = {{"if", {{"required", {"base"}}}}, {"then", part}, {"else", whole}};
  }

 private:
  Json section(const SectionInfo& info, const std::string& path, bool part) {
    const auto known = names_.find({&info, part});
    if (known != names_.end()) return reference(known->second);
    const std::string stem = document_.name + (part ? "-part" : "-whole") + (path.empty() ? "" : "." + path);
    std::string name = stem;
    for (int n = 2; definitions_.contains(name); ++n) name = fmt::format("{}-{}", stem, n);
    names_[{&info, part}] = name;
    definitions_[name] = Json();  // in the order in which they are met
    Json out;
    out["type"] = "object";
    if (!info.meaning.empty()) out["description"] = info.meaning;
    out["properties"] = Json::object();
    Json required = Json::array();
    for (const KeyInfo& key : info.keys) {
      out["properties"][key.name] = property(key, info, path.empty() ? key.name : path + "." + key.name, part);
      if (key.required && !part) required.push_back(key.name);
    }
    out["additionalProperties"] = false;
    // A section whose keys are all commented out is empty.
    if (required.empty() && !path.empty()) allow_null(out);
    if (!required.empty()) out["required"] = std::move(required);
    definitions_[name] = std::move(out);
    return reference(name);
  }

  Json property(const KeyInfo& key, const SectionInfo& enclosing, const std::string& path, bool part) {
    Json out{{"description", description(key)}};
    if (key.fallback) {
      const YamlNode fallback = parse_yaml(*key.fallback, "default");
      if (fallback.kind != YamlNode::Kind::null) out["default"] = value_of(fallback, key.type.form.get());
    }
    const bool is_fabric = path == "fabric" && !document_.fabric.empty();
    Json values = is_fabric ? Json{{"const", document_.fabric}} : form(key.type.form.get(), enclosing, path, part);
    if (part && !is_fabric) allow_null(values);
    out.update(values);
    return out;
  }

  Json form(const ValueForm* form_of, const SectionInfo& enclosing, const std::string& path, bool part) {
    static const ValueForm any_text;
    const ValueForm& f = form_of != nullptr ? *form_of : any_text;
    Json out = plain_form(f, enclosing, path, part);
    if (!f.alternative) return out;
    return {{"anyOf", Json::array({std::move(out), form(f.alternative.get(), enclosing, path, part)})}};
  }

  Json plain_form(const ValueForm& f, const SectionInfo& enclosing, const std::string& path, bool part) {
    Json out = Json::object();
    switch (f.kind) {
      case ValueForm::Kind::anything:
        break;
      case ValueForm::Kind::text:
        out["type"] = {"string", "number", "boolean"};
        if (!f.pattern.empty()) out["pattern"] = f.pattern;
        break;
      case ValueForm::Kind::phrase:
        out = {{"type", "string"}, {"pattern", f.pattern}};
        break;
      case ValueForm::Kind::whole:
        out = {{"type", "integer"}, {"minimum", f.least}, {"maximum", f.greatest}};
        break;
      case ValueForm::Kind::decimal:
        out = {{"type", "number"}, {"minimum", Json::parse(f.lowest)}, {"maximum", Json::parse(f.highest)}};
        break;
      case ValueForm::Kind::boolean:
        out["type"] = "boolean";
        break;
      case ValueForm::Kind::choice:
        out["enum"] = f.words;
        break;
      case ValueForm::Kind::list:  // lists are never merged: their elements are whole
        out = {{"type", "array"}, {"items", form(f.element.get(), enclosing, path, false)}, {"minItems", f.fewest}};
        if (f.most != kAnyCount) out["maxItems"] = f.most;
        break;
      case ValueForm::Kind::names: {
        Json element = form(f.element.get(), enclosing, path, part);
        if (part) allow_null(element);
        out = {{"type", {"object", "null"}}, {"additionalProperties", std::move(element)}};
        break;
      }
      case ValueForm::Kind::section:
        return section(*f.section, path, part);
      case ValueForm::Kind::enclosing:
        return section(enclosing, path, part);
    }
    return out;
  }

  const DocumentSchema& document_;
  Json& definitions_;
  std::map<std::pair<const SectionInfo*, bool>, std::string> names_;
};

std::string finished(Json root, Json definitions) {
  root["$defs"] = std::move(definitions);
  return root.dump(2) + "\n";
}

}  // namespace

std::string json_schema(const DocumentSchema& document, bool part) {
  Json definitions = Json::object();
  Sections(document, definitions).define_document();
  Json root{{"$schema", kDraft}, {"title", "Weft: " + document.name}, {"description", document.meaning}};
  root.update(reference(document.name + (part ? "-part" : "")));
  return finished(std::move(root), std::move(definitions));
}

std::string json_schema(const std::vector<DocumentSchema>& documents) {
  Json definitions = Json::object();
  Json fabrics = Json::array();
  Json by_fabric = Json::array();
  Json others = Json::array();
  for (const DocumentSchema& d : documents) {
    Sections(d, definitions).define_document();
    if (d.fabric.empty()) {
      others.push_back(reference(d.name));
      continue;
    }
    fabrics.push_back(d.fabric);
    by_fabric.push_back({{"if", {{"properties", {{"fabric", {{"const", d.fabric}}}}}, {"required", {"fabric"}}}},
                         {"then", reference(d.name)}});
    others.push_back(reference(d.name + "-part"));
  }
  by_fabric.push_back({{"if", {{"not", {{"required", {"fabric"}}}}}}, {"then", {{"anyOf", std::move(others)}}}});
  Json root{{"$schema", kDraft},
            {"title", "Weft"},
            {"description", "Any YAML file that Weft reads."},
            {"type", "object"},
            {"properties", {{"fabric", {{"enum", std::move(fabrics)}}}}},
            {"allOf", std::move(by_fabric)}};
  return finished(std::move(root), std::move(definitions));
}

}  // namespace weft
