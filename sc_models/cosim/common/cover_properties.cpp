#include "cosim/common/cover_properties.h"

#include <sys/mman.h>
#include <unistd.h>
#include <verilated.h>
#include <verilated_cov.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

namespace weft {
namespace {

// What Verilator's runtime knows of its points leaves it only by a file of lines `C '<key>' <count>`. A key is made of
// pairs \1<field>\2<value>.
std::string points_of(VerilatedContext& context) {
  const int file = ::memfd_create("cover properties", MFD_CLOEXEC);
  if (file < 0) throw std::system_error(errno, std::generic_category(), "cover properties of the RTL");
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  context.coveragep()->forcePerInstance(true);
  context.coveragep()->write(path.c_str());
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  ::close(file);
  return std::move(text).str();
}

std::map<std::string_view, std::string_view> fields_of(std::string_view key) {
  std::map<std::string_view, std::string_view> out;
  while (!key.empty()) {
    key.remove_prefix(1);
    const std::string_view field = key.substr(0, key.find('\1'));
    if (const std::size_t middle = field.find('\2'); middle != field.npos) {
      out[field.substr(0, middle)] = field.substr(middle + 1);
    }
    key.remove_prefix(field.size());
  }
  return out;
}

std::optional<CoverProperty> property_of(const std::string& line) {
  const std::size_t begin = line.find('\'');
  const std::size_t end = line.rfind('\'');
  if (!line.starts_with("C '") || end <= begin) return std::nullopt;
  auto fields = fields_of(std::string_view(line).substr(begin + 1, end - begin - 1));
  if (!fields["page"].starts_with("v_user")) return std::nullopt;
  // "<top module's name>.<module>.<instances and blocks>.<label>": the first has no dots.
  std::string_view path = fields["h"];
  CoverProperty out{std::string(path.substr(0, path.find('.'))), std::string(fields["o"]),
                    line.substr(end + 1) != " 0"};
  for (int names = 0; names < 2; ++names) path.remove_prefix(std::min(path.find('.'), path.size() - 1) + 1);
  if (path.ends_with(out.name)) path.remove_suffix(std::min(out.name.size() + 1, path.size()));
  if (!path.empty()) out.name = std::string(path) + "." + out.name;
  return out;
}

}  // namespace

std::vector<CoverProperty> cover_properties(VerilatedContext& context) {
  std::vector<CoverProperty> out;
  std::istringstream lines(points_of(context));
  for (std::string line; std::getline(lines, line);) {
    if (auto property = property_of(line)) out.push_back(*std::move(property));
  }
  return out;
}

}  // namespace weft
