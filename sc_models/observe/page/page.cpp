// The page of a report: skeleton, style, data and scripts in one file.

#include <string_view>

#include "base/text.h"
#include "observe/page/page_assets.h"
#include "observe/page/page_data.h"
#include "observe/report.h"

namespace weft {
namespace {

// In a script element nothing may look like the end of it; "<" occurs in strings only.
std::string in_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

PageData& page_of(ReportData& report) {
  if (!report.page) report.page = std::make_shared<PageData>();
  return *report.page;
}

std::string report_html(const ReportData& report) {
  const std::string title = xml_text(report.title.empty() ? report.config_file : report.title);
  std::string out;
  std::string_view rest = page_assets::skeleton();
  // The skeleton names what belongs where: @@name@@.
  while (true) {
    const std::size_t at = rest.find("@@");
    out += rest.substr(0, at);
    if (at == std::string_view::npos) return out;
    const std::size_t end = rest.find("@@", at + 2);
    const std::string_view name = rest.substr(at + 2, end - at - 2);
    if (name == "title") out += title;
    if (name == "style") out += page_assets::style();
    if (name == "data") out += in_script(page_json(report));
    if (name == "charts") out += page_assets::charts();
    if (name == "script") out += page_assets::script();
    rest.remove_prefix(end + 2);
  }
}

}  // namespace weft
