#include "algorithms/optweb/semantics/sparse_memory.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/random.h"

namespace weft::optweb {

SparseMemory::SparseMemory(std::uint64_t size, std::uint64_t seed, std::uint32_t node) : size_(size) {
  RandomStream stream(seed, "memory");
  pattern_ = stream() ^ (std::uint64_t{node} + 1) * 0x9e3779b97f4a7c15ULL;
}

void SparseMemory::check(std::uint64_t address, std::uint64_t bytes) const {
  if (address > size_ || bytes > size_ - address) throw std::out_of_range("access beyond the end of a memory");
}

// Word w of the memory holds a mix of the pattern and w (the finalizer of SplitMix64, a bijection for each pattern).
void SparseMemory::fill(std::uint64_t pattern, std::uint64_t number, Bytes& bytes) {
  std::uint64_t word = number * (kPage / 8);
  for (std::uint64_t i = 0; i < kPage; i += 8) {
    std::uint64_t z = pattern + word++ * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    std::memcpy(bytes.data() + i, &z, 8);
  }
}

SparseMemory::Page::Page(const Page& other)
    : pattern(other.pattern),
      number(other.number),
      bytes(other.bytes ? std::make_unique<Bytes>(*other.bytes) : nullptr),
      changed(other.changed),
      pinned(other.pinned) {}

const SparseMemory::Bytes& SparseMemory::Page::content() {
  if (!bytes) {
    bytes = std::make_unique_for_overwrite<Bytes>();
    fill(pattern, number, *bytes);
  }
  return *bytes;
}

SparseMemory::Bytes& SparseMemory::Page::written() {
  content();
  changed = true;
  return *bytes;
}

bool SparseMemory::same(const Page& a, const Page& b) {
  return &a == &b || (!a.changed && !b.changed && a.pattern == b.pattern && a.number == b.number);
}

const SparseMemory::PagePointer& SparseMemory::page(std::uint64_t number) const {
  PagePointer& p = pages_[number];
  if (!p) p = std::make_shared<Page>(pattern_, number);
  return p;
}

SparseMemory::Page& SparseMemory::own_page(std::uint64_t number) {
  page(number);
  PagePointer& p = pages_[number];
  if (p.use_count() > 1) p = std::make_shared<Page>(*p);
  return *p;
}

void SparseMemory::read(std::uint64_t address, std::span<std::byte> out) const {
  check(address, out.size());
  for (std::uint64_t done = 0; done < out.size();) {
    const std::uint64_t offset = (address + done) % kPage;
    const std::uint64_t part = std::min<std::uint64_t>(kPage - offset, out.size() - done);
    std::memcpy(out.data() + done, page((address + done) / kPage)->content().data() + offset, part);
    done += part;
  }
}

void SparseMemory::write(std::uint64_t address, std::span<const std::byte> data) {
  check(address, data.size());
  for (std::uint64_t done = 0; done < data.size();) {
    const std::uint64_t offset = (address + done) % kPage;
    const std::uint64_t part = std::min<std::uint64_t>(kPage - offset, data.size() - done);
    std::memcpy(own_page((address + done) / kPage).written().data() + offset, data.data() + done, part);
    done += part;
  }
}

void SparseMemory::copy(const SparseMemory& source, std::uint64_t from, std::uint64_t to, std::uint64_t bytes,
                        const std::function<bool()>& stop) {
  check(to, bytes);
  source.check(from, bytes);
  for (std::uint64_t done = 0; done < bytes && !(stop && stop());) {
    const std::uint64_t a = (from + done) % kPage;
    const std::uint64_t b = (to + done) % kPage;
    const std::uint64_t part = std::min({kPage - a, kPage - b, bytes - done});
    const PagePointer shared = source.page((from + done) / kPage);  // holds it while pages are added
    const std::uint64_t number = (to + done) / kPage;
    const auto there = pages_.find(number);
    const bool in_place = there != pages_.end() && there->second && there->second->pinned;
    if (part == kPage && !shared->pinned && !in_place) {
      pages_[number] = shared;
    } else {
      std::memcpy(own_page(number).written().data() + b, shared->content().data() + a, part);
    }
    done += part;
  }
}

// Number of parts, then each: where it begins, how long it is, whether a page of a pattern follows or bytes.
void SparseMemory::save(std::uint64_t address, std::uint64_t bytes, std::vector<std::byte>& to) const {
  check(address, bytes);
  const auto put = [&](const void* from, std::size_t size) {
    const auto* const first = static_cast<const std::byte*>(from);
    to.insert(to.end(), first, first + size);
  };
  const std::uint64_t parts = bytes == 0 ? 0 : (address + bytes - 1) / kPage - address / kPage + 1;
  put(&parts, sizeof parts);
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t at = address + done;
    const std::uint64_t part = std::min(kPage - at % kPage, bytes - done);
    const PagePointer& here = page(at / kPage);
    const std::uint64_t head[] = {at, part, here->changed ? 1U : 0U};
    put(head, sizeof head);
    if (here->changed) {
      put(here->content().data() + at % kPage, part);
    } else {
      const std::uint64_t of[] = {here->pattern, here->number};
      put(of, sizeof of);
    }
    done += part;
  }
}

std::size_t SparseMemory::load(std::span<const std::byte> saved) {
  std::size_t taken = 0;
  const auto take = [&](std::size_t size) {
    if (saved.size() - taken < size) throw std::out_of_range("the saved part of a memory is too short");
    taken += size;
    return saved.subspan(taken - size, size);
  };
  const auto get = [&](void* to, std::size_t size) { std::memcpy(to, take(size).data(), size); };
  std::uint64_t parts = 0;
  get(&parts, sizeof parts);
  for (; parts > 0; --parts) {
    std::uint64_t head[3];
    get(head, sizeof head);
    const auto [at, size, changed] = head;
    if (changed != 0) {
      write(at, take(size));
      continue;
    }
    std::uint64_t of[2];
    get(of, sizeof of);
    check(at, size);
    pages_[at / kPage] = std::make_shared<Page>(of[0], of[1]);
  }
  return taken;
}

std::span<std::byte> SparseMemory::pin(std::uint64_t address) {
  check(address, 1);
  Page& page = own_page(address / kPage);
  page.pinned = true;
  return page.written();
}

std::uint64_t SparseMemory::stored() const {
  std::uint64_t out = 0;
  for (const auto& [number, page] : pages_) out += page->bytes ? kPage : 0;
  return out;
}

std::vector<std::uint64_t> SparseMemory::page_numbers() const {
  std::vector<std::uint64_t> numbers;
  numbers.reserve(pages_.size());
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::optional<std::uint64_t> SparseMemory::first_difference(const SparseMemory& a, const SparseMemory& b) {
  std::vector<std::uint64_t> numbers = a.page_numbers();
  const std::vector<std::uint64_t> more = b.page_numbers();
  numbers.insert(numbers.end(), more.begin(), more.end());
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const std::uint64_t number : numbers) {
    // What one of them has not touched is not added to it.
    const auto page_of = [&](const SparseMemory& m) {
      const auto found = m.pages_.find(number);
      return found != m.pages_.end() ? found->second : std::make_shared<Page>(m.pattern_, number);
    };
    const PagePointer p = page_of(a);
    const PagePointer q = page_of(b);
    if (same(*p, *q)) continue;
    const Bytes& x = p->content();
    const Bytes& y = q->content();
    if (std::memcmp(x.data(), y.data(), kPage) == 0) continue;
    const auto at = static_cast<std::uint64_t>(std::mismatch(x.begin(), x.end(), y.begin()).first - x.begin());
    return number * kPage + at;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> SparseMemory::first_difference(const SparseMemory& a, std::uint64_t a_from,
                                                            const SparseMemory& b, std::uint64_t b_from,
                                                            std::uint64_t bytes) {
  std::vector<std::byte> x(std::min(bytes, kPage));
  std::vector<std::byte> y(x.size());
  a.check(a_from, bytes);
  b.check(b_from, bytes);
  std::uint64_t n = 0;
  for (std::uint64_t done = 0; done < bytes; done += n) {
    const std::uint64_t from = a_from + done;
    const std::uint64_t to = b_from + done;
    n = std::min({kPage - from % kPage, kPage - to % kPage, bytes - done});
    if (from % kPage == to % kPage && same(*a.page(from / kPage), *b.page(to / kPage))) continue;
    const auto part = std::span(x).first(n);
    a.read(from, part);
    b.read(to, std::span(y).first(n));
    const auto differs = std::mismatch(part.begin(), part.end(), y.begin()).first;
    if (const auto at = static_cast<std::uint64_t>(differs - part.begin()); at < n) return done + at;
  }
  return std::nullopt;
}

}  // namespace weft::optweb
