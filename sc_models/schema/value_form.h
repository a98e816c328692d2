#pragma once
// Form of a value as YAML writes it: text and its pattern, numbers and their limits, lists, sections. A JSON Schema is
// made of it, so it allows all that the type reads, and of what is wrong as much as such a schema can refuse.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace weft {

struct SectionInfo;

inline constexpr std::size_t kAnyCount = std::numeric_limits<std::size_t>::max();

struct ValueForm {
  enum class Kind {
    anything,
    text,       ///< any text, which may look like a number
    phrase,     ///< text that a pattern describes and that is no number
    whole,      ///< number without a point
    decimal,    ///< number
    boolean,    ///< true or false
    choice,     ///< one of the words
    list,       ///< of elements
    names,      ///< names chosen by the user, each with an element
    section,    ///< keys and values
    enclosing,  ///< the section that the key itself stands in
  };
  Kind kind = Kind::text;
  std::string pattern;                           ///< text, phrase: regular expression (ECMA 262), or empty
  std::uint64_t least = 0;                       ///< whole
  std::uint64_t greatest = 0;                    ///< whole
  std::string lowest;                            ///< decimal: as digits
  std::string highest;                           ///< decimal: as digits
  std::vector<std::string> words;                ///< choice
  std::size_t fewest = 0;                        ///< list: elements
  std::size_t most = kAnyCount;                  ///< list: elements
  std::shared_ptr<const ValueForm> element;      ///< list, names
  std::shared_ptr<const SectionInfo> section;    ///< section
  std::shared_ptr<const ValueForm> alternative;  ///< another form the value may have instead
};

using SharedForm = std::shared_ptr<const ValueForm>;

SharedForm any_form();
SharedForm text_form(std::string pattern = {});
SharedForm phrase_form(std::string pattern);
SharedForm whole_form(std::uint64_t least, std::uint64_t greatest);
SharedForm decimal_form(std::string lowest, std::string highest);
SharedForm boolean_form();
SharedForm choice_form(std::vector<std::string> words);
SharedForm list_form(SharedForm element, std::size_t fewest, std::size_t most);
SharedForm names_form(SharedForm element);
SharedForm section_form(std::shared_ptr<const SectionInfo> section);
SharedForm enclosing_form();
/// The first form or the second.
SharedForm either_form(const SharedForm& first, SharedForm second);

/// Pattern of a number followed by one of the units ("ps, ns, us").
std::string quantity_pattern(const std::string& units);

}  // namespace weft
