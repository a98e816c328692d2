#include "schema/value_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft {
namespace {

SharedForm form(ValueForm::Kind kind) {
  ValueForm out;
  out.kind = kind;
  return std::make_shared<ValueForm>(std::move(out));
}

}  // namespace

SharedForm any_form() { return form(ValueForm::Kind::anything); }
SharedForm boolean_form() { return form(ValueForm::Kind::boolean); }
SharedForm enclosing_form() { return form(ValueForm::Kind::enclosing); }

SharedForm text_form(std::string pattern) {
  ValueForm out;
  out.pattern = std::move(pattern);
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm phrase_form(std::string pattern) {
  ValueForm out;
  out.kind = ValueForm::Kind::phrase;
  out.pattern = std::move(pattern);
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm whole_form(std::uint64_t least, std::uint64_t greatest) {
  ValueForm out;
  out.kind = ValueForm::Kind::whole;
  out.least = least;
  out.greatest = greatest;
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm decimal_form(std::string lowest, std::string highest) {
  ValueForm out;
  out.kind = ValueForm::Kind::decimal;
  out.lowest = std::move(lowest);
  out.highest = std::move(highest);
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm choice_form(std::vector<std::string> words) {
  ValueForm out;
  out.kind = ValueForm::Kind::choice;
  out.words = std::move(words);
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm list_form(SharedForm element, std::size_t fewest, std::size_t most) {
  ValueForm out;
  out.kind = ValueForm::Kind::list;
  out.element = std::move(element);
  out.fewest = fewest;
  out.most = most;
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm names_form(SharedForm element) {
  ValueForm out;
  out.kind = ValueForm::Kind::names;
  out.element = std::move(element);
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm section_form(std::shared_ptr<const SectionInfo> section) {
  ValueForm out;
  out.kind = ValueForm::Kind::section;
  out.section = std::move(section);
  return std::make_shared<ValueForm>(std::move(out));
}

SharedForm either_form(const SharedForm& first, SharedForm second) {
  ValueForm out = *first;
  out.alternative = std::move(second);
  return std::make_shared<ValueForm>(std::move(out));
}

std::string quantity_pattern(const std::string& units) {
  std::string words;
  for (std::size_t at = 0; at < units.size();) {
    const std::size_t comma = std::min(units.find(", ", at), units.size());
    words += (words.empty() ? "" : "|") + units.substr(at, comma - at);
    at = comma + 2;
  }
  return fmt::format("^[ \\t]*([0-9]+\\.?[0-9]*|\\.[0-9]+)[ \\t]*({})[ \\t]*$", words);
}

}  // namespace weft
