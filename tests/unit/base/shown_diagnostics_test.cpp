// Display of many errors, of long values and of control characters.

#include "base/diagnostics.h"

#include "base/text.h"

namespace weft {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<Diagnostic> errors(const std::vector<std::string>& messages) {
  std::vector<Diagnostic> out;
  for (const std::string& m : messages) out.push_back({Severity::error, {"f", static_cast<int>(out.size()) + 1}, m});
  return out;
}

TEST(ShownDiagnostics, TwentyOfAKindAndACountOfTheRest) {
  std::vector<std::string> messages;
  for (int i = 0; i < 1000; ++i) messages.push_back(fmt::format("unknown key 'it''s {}'; did you mean 'a{}'?", i, i));
  messages.push_back("something else");
  const auto shown = shown_of(errors(messages));
  ASSERT_EQ(shown.size(), 21U);
  EXPECT_EQ(shown[18].message, messages[18]);
  EXPECT_EQ(shown[19].message, messages[19] + " (and 980 more of this kind)");
  EXPECT_EQ(shown[20].message, "something else");
}

TEST(ShownDiagnostics, WarningsTakeNoRoomFromErrors) {
  std::vector<Diagnostic> list;
  for (int i = 0; i < 300; ++i) {
    list.push_back({Severity::warning, {"f"}, "kind " + std::string(static_cast<std::size_t>(i), 'a')});
  }
  for (int i = 0; i < 300; ++i) {
    list.push_back({Severity::error, {"f"}, "kind " + std::string(static_cast<std::size_t>(i), 'b')});
  }
  const auto shown = shown_of(list);
  ASSERT_EQ(shown.size(), 402U);
  EXPECT_EQ(shown[200].message, "kind ");
  EXPECT_EQ(shown[200].severity, Severity::error);
  EXPECT_EQ(shown[400].message, "100 more are not shown");
  EXPECT_EQ(shown[401].message, "100 more are not shown");
}

TEST(ShownDiagnostics, TheSameAtTheSamePlaceIsSaidOnce) {
  std::vector<Diagnostic> list(1000, {Severity::error, {"f", 3, 5}, "no link between nodes 0 and 6"});
  list.push_back({Severity::warning, {"f", 3, 5}, "no link between nodes 0 and 6"});
  list.push_back({Severity::error, {"f", 3, 9}, "no link between nodes 0 and 6"});
  list.push_back(list.front());
  std::vector<std::string> texts;
  for (const Diagnostic& d : shown_of(list)) texts.push_back(d.text());
  EXPECT_THAT(
      texts, ElementsAre("f:3:5: error: no link between nodes 0 and 6", "f:3:5: warning: no link between nodes 0 and 6",
                         "f:3:9: error: no link between nodes 0 and 6"));
}

TEST(ShownDiagnostics, WhatHasBeenCutOnceMayBeCutAgain) {
  std::vector<std::string> messages(50, "same 'value'");
  std::vector<Diagnostic> list = shown_of(errors(messages));
  for (const Diagnostic& d : shown_of(errors(messages))) list.push_back(d);
  const auto shown = shown_of(list);
  EXPECT_LE(shown.size(), 22U);
}

TEST(ShownDiagnostics, LongValuesAreShortened) {
  const std::string value(10'000'000, 'x');
  const std::string message = shown_message("unknown key '" + value + "' in section 'a'; did you mean 'b'?");
  EXPECT_LT(message.size(), 250U);
  EXPECT_THAT(message, HasSubstr("xxx... (10000000 bytes) ...xxx"));
  EXPECT_THAT(message, EndsWith("' in section 'a'; did you mean 'b'?"));
  EXPECT_EQ(shown_message(message), message) << "passed on, it is not cut again";
  EXPECT_LE(shown_message(std::string(5000, '\'')).size(), 1100U);
  EXPECT_LE(shown_message("a " + value).size(), 1100U);
  EXPECT_EQ(shown_message("'short' and the user's"), "'short' and the user's");
}

TEST(ShownDiagnostics, ShorteningKeepsCharactersWhole) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xE2\x82\xAC";  // a euro sign
  for (std::size_t most = 20; most < 60; ++most) {
    EXPECT_THAT(printable(shortened(text, most)), Not(HasSubstr("\\x"))) << most;
  }
}

TEST(ShownDiagnostics, ControlCharactersDoNotReachTheTerminal) {
  constexpr std::string_view kText("got 'x\0y\x07\nz\xC2\x9B\xE2\x80\xAE\xFF'", 18);
  const InputError error({"a\x1b[2J.yaml", 1, 2}, std::string(kText));
  EXPECT_STREQ(error.what(), "a\\u001b[2J.yaml:1:2: error: got 'x\\u0000y\\u0007\\nz\\u009b\\u202e\\xff'");
}

TEST(ShownDiagnostics, ANulCutsNothingOff) {
  Diagnostics diagnostics;
  diagnostics.error({"f", 1, 1}, std::string("first '\0' here", 14));
  diagnostics.error({"f", 2, 1}, "second");
  try {
    diagnostics.throw_if_errors();
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("here\nf:2:1: error: second"));
  }
}

TEST(ShownDiagnostics, ReadingEndsAfterAThousandErrors) {
  Diagnostics diagnostics;
  int lines = 0;
  while (!give_up(diagnostics, {"f", ++lines})) diagnostics.error({"f", lines}, "wrong");
  EXPECT_EQ(lines, 1001);
  EXPECT_EQ(diagnostics.list().back().text(), "f:1001: error: reading ends here, after 1000 errors");
}

TEST(Text, SuggestionsAreBoundedAndFindTheNearest) {
  const std::vector<std::string> words{"slots", "switch", "slot_update"};
  EXPECT_EQ(closest("slotz", words), "slots");
  EXPECT_EQ(closest("solts", words), "slots");
  EXPECT_EQ(closest("swich", words), "switch");
  EXPECT_EQ(closest("xyzzy", words), std::nullopt);
  EXPECT_EQ(closest(std::string(10'000'000, 's'), words), std::nullopt);
  EXPECT_EQ(closest("slots", std::vector<std::string>{std::string(10'000'000, 's')}), std::nullopt);
}

TEST(Text, CellsThatASpreadsheetWouldRunAreMarkedAsText) {
  for (const std::string cell : {"=1+1", "+cmd", "-2+3", "@SUM(A1)", "--1", "-", "+", "=", "-1e", "-1.", "- 5"}) {
    const bool sign = cell == "-" || cell == "+";
    EXPECT_EQ(csv_field(cell), (sign ? "" : "'") + cell);
  }
  EXPECT_EQ(csv_field("\t=1"), "'\t=1");
  EXPECT_EQ(csv_field("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(csv_field("=HYPERLINK(\"x\",1)"), "\"'=HYPERLINK(\"\"x\"\",1)\"");
  for (const std::string number : {"-1", "+2", "-0.5", "-1e-9", "+1.25E+3", "3", "-12345678901234567890"}) {
    EXPECT_EQ(csv_field(number), number);
  }
  EXPECT_EQ(csv_field("a=b"), "a=b");
  EXPECT_EQ(csv_field(std::string("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(Text, EachPlaceIsReplacedOnce) {
  EXPECT_EQ(replaced("a\n  b\n  c", "\n  ", "; "), "a; b; c");
  EXPECT_EQ(replaced("aaa", "aa", "a"), "aa");  // what comes of it is not looked at again
  EXPECT_EQ(replaced("abab", "ab", ""), "");
  EXPECT_EQ(replaced("", "x", "y"), "");
  EXPECT_EQ(replaced("none", "x", "y"), "none");
}

TEST(Text, XmlHoldsOnlyCharactersItAllows) {
  EXPECT_EQ(xml_text(std::string("<a&\"b\">\x01\0\t\n", 12 - 1)), "&lt;a&amp;&quot;b&quot;&gt;\\u0001\\u0000\t\n");
  EXPECT_EQ(xml_text("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD"), "\\ufffe\\uffff\xEF\xBF\xBD");
  EXPECT_EQ(xml_text("\xED\xA0\x80"), "\\xed\\xa0\\x80") << "a surrogate is no character";
  EXPECT_EQ(xml_text("gr\xC3\xBC\xC3\x9F"), "gr\xC3\xBC\xC3\x9F");
}

}  // namespace
}  // namespace weft
