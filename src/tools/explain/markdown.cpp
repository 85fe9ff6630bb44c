// SPDX-License-Identifier: Apache-2.0
//
// Reads a page line by line and breaks paragraphs and tables to the terminal's width.
#include "tools/explain/explain.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "report/columns.hpp"

namespace warpfiber::tools::explain {
namespace {

using Cells = std::vector<std::string>;

constexpr std::size_t kGap = 2;        // between the columns of a table
constexpr std::size_t kNarrowest = 8;  // a column that has more to say

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// "[text](target)" at this place, or nothing: an array index in prose is no link.
struct Link {
  std::string_view text;
  std::string_view target;
  std::size_t end = 0;  // 0: there is none
};

Link link_at(std::string_view text, std::size_t at) {
  const std::size_t middle = text.find("](", at);
  if (text[at] != '[' || middle == std::string_view::npos) return {};
  const std::size_t end = text.find(')', middle);
  if (end == std::string_view::npos || text.substr(at + 1, middle - at - 1).find('[') != std::string_view::npos)
    return {};
  return {text.substr(at + 1, middle - at - 1), text.substr(middle + 2, end - middle - 2), end + 1};
}

/// The length of the list mark that the line begins with, "- " or "12. ", blanks before it included; 0: it has none.
std::size_t mark_of(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return 0;
  const std::string_view rest = line.substr(begin);
  if (rest.starts_with("- ") || rest.starts_with("* ")) return begin + 2;
  std::size_t digits = 0;
  while (digits < rest.size() && std::isdigit(static_cast<unsigned char>(rest[digits])) != 0) ++digits;
  return digits != 0 && rest.substr(digits).starts_with(". ") ? begin + digits + 2 : 0;
}

bool is_fence(std::string_view line) {
  return trimmed(line).starts_with("```");
}

bool is_row(std::string_view line) {
  return trimmed(line).starts_with("|");
}

/// Bars in code spans are text, as bars behind a backslash are.
Cells cells_of(std::string_view row) {
  row = trimmed(row);
  row.remove_prefix(1);
  if (row.ends_with('|')) row.remove_suffix(1);
  Cells cells(1);
  bool in_code = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == '\\' && i + 1 < row.size() && row[i + 1] == '|') {
      cells.back() += row[++i];
    } else if (row[i] == '|' && !in_code) {
      cells.emplace_back();
    } else {
      if (row[i] == '`') in_code = !in_code;
      cells.back() += row[i];
    }
  }
  for (std::string& cell : cells) cell = without_markup(trimmed(cell));
  return cells;
}

bool is_rule(std::string_view row) {
  return trimmed(row).find_first_not_of("|-: ") == std::string_view::npos;
}

/// A table while the widths of its columns are sought.
class Layout {
 public:
  explicit Layout(const std::vector<Cells>& rows) {
    for (const Cells& row : rows) {
      lengths_.emplace_back();
      widths_.resize(std::max(widths_.size(), row.size()));
      words_.resize(widths_.size());
      for (std::size_t i = 0; i < row.size(); ++i) {
        lengths_.back().push_back(report::columns(row[i]));
        widths_[i] = std::max(widths_[i], lengths_.back().back());
        for (const std::string& word : report::wrapped(row[i], 1))
          words_[i] = std::max(words_[i], report::columns(word));
      }
    }
  }

  /// As wide as what is in them. Until a row fits, that column becomes narrower which adds the fewest lines to the
  /// table. Words are never cut up, so a table of long words may be wider.
  std::vector<std::size_t> fitted(std::size_t width) {
    while (!widths_.empty() && total() > width) {
      const std::size_t none = widths_.size();
      std::size_t best = none;
      for (std::size_t i = 0; i < widths_.size(); ++i) {
        if (widths_[i] <= std::max(words_[i], kNarrowest)) continue;
        const bool is_better = best == none || height_with(i) < height_with(best) ||
                               (height_with(i) == height_with(best) && widths_[i] > widths_[best]);
        if (is_better) best = i;
      }
      if (best == none) break;
      --widths_[best];
    }
    return widths_;
  }

 private:
  std::size_t total() const { return std::accumulate(widths_.begin(), widths_.end(), kGap * (widths_.size() - 1)); }

  /// About how many lines the table takes where this column is narrower by one.
  std::size_t height_with(std::size_t narrower) const {
    std::size_t lines = 0;
    for (const std::vector<std::size_t>& row : lengths_) {
      std::size_t height = 1;
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::size_t width = std::max<std::size_t>(widths_[i] - (i == narrower ? 1 : 0), 1);
        height = std::max(height, (row[i] + width - 1) / width);
      }
      lines += height;
    }
    return lines;
  }

  std::vector<std::vector<std::size_t>> lengths_;  // of each row's cells
  std::vector<std::size_t> widths_;
  std::vector<std::size_t> words_;  // the longest word of each column
};

std::string row_text(const Cells& row, const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> lines;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    lines.push_back(report::wrapped(row[i], widths[i]));
    height = std::max(height, lines.back().size());
  }
  std::string text;
  for (std::size_t at = 0; at < height; ++at) {
    std::string line;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string part = at < lines[i].size() ? lines[i][at] : std::string();
      line += report::padded(part, widths[i]) + std::string(kGap, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string table_text(const std::vector<std::string>& lines, std::size_t width) {
  std::vector<Cells> rows;
  for (const std::string& line : lines) {
    if (!is_rule(line)) rows.push_back(cells_of(line));
  }
  const std::vector<std::size_t> widths = Layout(rows).fitted(width);
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    text += row_text(rows[i], widths);
    if (i != 0) continue;
    for (const std::size_t column : widths) text += std::string(column, '-') + std::string(kGap, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  return text;
}

class Page {
 public:
  Page(std::size_t width, const report::Paint& paint) : width_(width), paint_(paint) {}

  void take(const std::string& line) {
    if (is_fence(line)) {
      end_block();
      in_code_ = !in_code_;
      return;
    }
    if (in_code_) {
      text_ += line.empty() ? "\n" : "    " + line + "\n";
      is_open_ = true;
      return;
    }
    if (line.empty()) return end_block();
    if (line.starts_with('#')) return take_heading(line);
    if (is_row(line) != (!block_.empty() && is_row(block_.front())) || mark_of(line) != 0) end_lines();
    block_.push_back(line);
  }

  std::string text() {
    end_block();
    while (text_.ends_with("\n\n")) text_.pop_back();
    return text_;
  }

 private:
  void take_heading(std::string_view line) {
    end_block();
    const std::size_t level = line.find_first_not_of('#');
    const std::string heading = without_markup(trimmed(line.substr(level)));
    text_ += paint_(heading, report::ink::kStrong) + "\n" +
             std::string(report::columns(heading), level == 1 ? '=' : '-') + "\n\n";
  }

  /// A table, or a paragraph, which may be an item of a list.
  void end_lines() {
    const std::vector<std::string> lines = std::exchange(block_, {});
    if (lines.empty()) return;
    is_open_ = true;
    if (is_row(lines.front())) {
      text_ += table_text(lines, width_);
      return;
    }
    const std::size_t mark = mark_of(lines.front());
    std::string words = lines.front().substr(mark);
    for (std::size_t i = 1; i < lines.size(); ++i) words.append(" ").append(trimmed(lines[i]));
    const std::size_t indent = mark != 0 ? mark : std::min(lines.front().find_first_not_of(' '), width_ / 2);
    std::string before = mark != 0 ? lines.front().substr(0, mark) : std::string(indent, ' ');
    for (const std::string& line : report::wrapped(without_markup(trimmed(words)), width_ - indent)) {
      text_ += std::exchange(before, std::string(indent, ' ')) + line + "\n";
    }
  }

  void end_block() {
    end_lines();
    if (std::exchange(is_open_, false)) text_ += "\n";
  }

  std::size_t width_;
  const report::Paint& paint_;
  std::string text_;
  std::vector<std::string> block_;  // lines that belong together
  bool in_code_ = false;
  bool is_open_ = false;  // something was written since the last empty line
};

}  // namespace

std::string without_markup(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t code = text[i] == '`' ? text.find('`', i + 1) : std::string_view::npos;
    const Link link = link_at(text, i);
    if (code != std::string_view::npos) {
      plain += text.substr(i + 1, code - i - 1);
      i = code + 1;
    } else if (link.end != 0) {
      plain += without_markup(link.text);
      if (link.target.starts_with("http")) plain.append(" (").append(link.target).append(")");
      i = link.end;
    } else if (text[i] == '\\' && i + 1 < text.size() && std::ispunct(static_cast<unsigned char>(text[i + 1])) != 0) {
      plain += text[i + 1];
      i += 2;
    } else {
      // A star that stands alone is a product.
      const bool is_product = i + 1 < text.size() && text[i + 1] == ' ' && (i == 0 || text[i - 1] == ' ');
      if (text[i] != '*' || is_product) plain += text[i];
      ++i;
    }
  }
  return plain;
}

std::string plain_text(std::string_view markdown, std::size_t width, const report::Paint& paint) {
  Page page(width, paint);
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    std::string line(markdown.substr(0, end));
    line.erase(line.find_last_not_of(" \r") + 1);
    page.take(line);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
  }
  return page.text();
}

std::vector<std::string> linked_files(std::string_view markdown) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    if (markdown[i] != '[') continue;
    const Link link = link_at(markdown, i);
    const std::string file(link.target.substr(0, link.target.find('#')));
    if (!file.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
  }
  return files;
}

}  // namespace warpfiber::tools::explain
