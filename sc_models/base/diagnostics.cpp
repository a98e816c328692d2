#include "base/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"

namespace weft {
namespace {

std::string join(const std::vector<Diagnostic>& list) {
  std::string out;
  for (const Diagnostic& d : list) out += (out.empty() ? "" : "\n") + d.text();
  return out;
}

}  // namespace

std::string Location::text() const {
  if (line <= 0) return file;
  if (column <= 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

std::string Diagnostic::text() const {
  const char* kind = severity == Severity::error ? "error" : "warning";
  const std::string place = shown_message(where.text());
  return printable(place.empty() ? fmt::format("{}: {}", kind, message)
                                 : fmt::format("{}: {}: {}", place, kind, message));
}

void Diagnostics::error(const Location& where, std::string message) {
  list_.push_back({Severity::error, where, shown_message(std::move(message))});
  ++errors_;
}

void Diagnostics::warning(const Location& where, std::string message) {
  list_.push_back({Severity::warning, where, shown_message(std::move(message))});
}

void Diagnostics::sort() {
  std::map<std::string, std::size_t> order;
  for (const Diagnostic& d : list_) order.emplace(d.where.file, order.size());
  std::stable_sort(list_.begin(), list_.end(), [&](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(order.at(a.where.file), a.where.line, a.where.column) <
           std::tuple(order.at(b.where.file), b.where.line, b.where.column);
  });
}

void Diagnostics::throw_if_errors() const {
  if (!ok()) throw InputError(list_);
}

InputError::InputError(std::vector<Diagnostic> list)
    : std::runtime_error(join(shown_of(list))), all_(std::move(list)), list_(shown_of(all_)) {}

InputError::InputError(const Location& where, std::string message)
    : InputError(std::vector<Diagnostic>{{Severity::error, where, shown_message(std::move(message))}}) {}

bool give_up(Diagnostics& diagnostics, const Location& where) {
  if (diagnostics.errors() < kMostErrors) return false;
  diagnostics.error(where, fmt::format("reading ends here, after {} errors", diagnostics.errors()));
  return true;
}

}  // namespace weft
