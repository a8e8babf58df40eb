// Every page loads this: the search over all pages, the address of this system in the samples, and the buttons that copy code.
const field = document.getElementById('search');
const list = document.getElementById('found');
let entries;

for (const code of document.querySelectorAll('pre code'))
  if (code.textContent.includes('http://localhost:4000'))
    code.textContent = code.textContent.replaceAll('http://localhost:4000', location.origin);

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('pre').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  block.append(button);
}

const load = () => (entries ??= fetch('/docs/search.json').then((response) => response.json()));

/** Returns how well an entry fits the words: 0 not at all; more when a word is in its title, and most when the title begins with it. */
function rank({ title, summary, group }, words) {
  const inTitle = title.toLowerCase();
  const anywhere = `${inTitle} ${summary} ${group}`.toLowerCase();
  if (!words.every((word) => anywhere.includes(word))) return 0;
  return 1 + words.reduce((sum, word) => sum + (inTitle.startsWith(word) ? 3 : inTitle.includes(word) ? 2 : 0), 0);
}

/** Returns the entry of the list for a search result. */
function show({ title, summary, group, href }) {
  const link = document.createElement('a');
  link.href = href;
  const name = document.createElement('b');
  name.textContent = title;
  const about = document.createElement('small');
  about.textContent = `${group} · ${summary}`;
  link.append(name, ' ', about);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

async function search() {
  const text = field.value;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const ranked = (await load()).map((entry) => ({ entry, rank: rank(entry, words) })).filter((one) => words.length > 0 && one.rank > 0);
  if (field.value !== text) return;
  const best = ranked.toSorted((one, other) => other.rank - one.rank).slice(0, 12);
  const nothing = document.createElement('li');
  nothing.textContent = 'Nothing found.';
  list.replaceChildren(...(best.length > 0 ? best.map(({ entry }) => show(entry)) : [nothing]));
  list.hidden = words.length === 0;
}

field.addEventListener('focus', load, { once: true });
field.addEventListener('input', search);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName)) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape') list.hidden = true;
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('search')) list.hidden = true;
});

// The language that a reader opens stays the open one on other pages.
for (const sample of document.querySelectorAll('details[data-language]')) {
  if (sessionStorage.getItem('language') === sample.dataset.language) sample.open = true;
  sample.addEventListener('toggle', () => sample.open && sessionStorage.setItem('language', sample.dataset.language));
}
