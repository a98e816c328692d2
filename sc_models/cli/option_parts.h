#pragma once
// Options that several commands have, and words that an option takes.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "base/words.h"
#include "cli/arguments.h"

namespace weft::cli {

/// Words of an option, put together only when they are needed.
using Words = std::function<std::vector<std::string>()>;

/// Words that the completion of shells offers; others are taken too.
CLI::Option* suggest(CLI::Option* option, std::vector<std::string> words);
/// Only these words, which the completion of shells knows too.
CLI::Option* choose(CLI::Option* option, const Words& words);
CLI::Option* choose(CLI::Option* option, std::vector<std::string> words);

/// Words that an option takes; none: any text.
std::vector<std::string> choices_of(const CLI::Option& option);

/// Examples below the help of a command.
void examples(CLI::App& command, const std::vector<std::string>& lines);
/// A check of an option: its text must not be empty.
std::string not_empty(const std::string& text);

CLI::Option* add_out(CLI::App& command, OutArguments& out, const char* meaning);
void add_json(CLI::App& command, bool& json);
void add_set_and_json(CLI::App& command, std::vector<std::string>& set, const std::string& example, bool& json);
void add_config(CLI::App& command, RunArguments& arguments);

template <class Entry>
std::string name_of(const Entry& entry) {
  return std::string(entry.name);
}
template <class Record>
std::string name_of(const Record* record) {
  return std::string(record->name);
}

/// Names of the entries of a table.
template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> out;
  for (const auto& entry : list) out.push_back(name_of(entry));
  return out;
}

/// Words of an enumeration.
template <HasWords E>
std::vector<std::string> words_of() {
  return {kWords<E>.begin(), kWords<E>.end()};
}

/// `words` before others.
inline std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& others) {
  words.insert(words.end(), others.begin(), others.end());
  return words;
}

}  // namespace weft::cli
