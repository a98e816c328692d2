#include "cli/failure.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/terminal.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

Json errors_json(const InputError& error) {
  Json errors = Json::array();
  for (const Diagnostic& d : error.list()) {
    errors.push_back({{"severity", d.severity == Severity::error ? "error" : "warning"},
                      {"file", d.where.file},
                      {"line", d.where.line},
                      {"column", d.where.column},
                      {"message", d.message}});
  }
  return errors;
}

Json failure_json(const char* kind, Json errors) {
  return {{"ok", false}, {"failure", kind}, {"errors", std::move(errors)}};
}

void print_error(bool json, const char* kind, Json errors, const std::string& text) {
  say(stderr, "{}\n", text);
  if (json) say_json(failure_json(kind, std::move(errors)));
}

}  // namespace

std::string refusal_json(const InputError& error) {
  return failure_json("bad input", errors_json(error)).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void print_usage_error(const std::string& message) {
  const Json errors = Json::array({{{"severity", "error"}, {"file", "command line"}, {"message", message}}});
  say_json(failure_json("bad input", errors));
}

int report_exception(bool json) {
  try {
    throw;
  } catch (const InputError& e) {
    print_error(json, "bad input", errors_json(e), e.what());
    return kBadInput;
  } catch (const std::bad_alloc&) {
    const std::string text = "error: not enough memory";
    print_error(json, "run failed", Json::array({{{"message", text}}}), text);
    return kRunFailed;
  } catch (const std::exception& e) {
    const std::string text = fmt::format("error: {}", e.what());
    print_error(json, "run failed", Json::array({{{"message", e.what()}}}), text);
    return kRunFailed;
  }
}

}  // namespace weft::cli
