/** HTML that is safe to insert. Only {@link html} and {@link ownHtml} make it. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

/** Inserted text is escaped; inserted {@link Html} is not. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.reduce((all, text, index) => all + render(parts[index - 1] ?? '') + text) };
}

/** Takes HTML that was made from a file of this repository, never from a request. */
export const ownHtml = (text: string): Html => ({ html: text });

function render(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return 'html' in part ? part.html : part.map((one) => one.html).join('\n');
}

/** Backticks in the text mark code. */
export const prose = (text: string): Html => ({
  html: text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`).html)
    .join(''),
});

export const plain = (text: string): string => text.replaceAll('`', '');

export const codeBlock = (source: string): Html => html`<div class="code"><pre tabindex="0"><code>${source}</code></pre></div>`;

export const columns = (first: Html, beside: Html, rest: Html): Html =>
  html`<div class="columns"><div>${first}</div><div class="beside">${beside}</div><div>${rest}</div></div>`;

export const contents = (
  groups: readonly (readonly [name: string, anchors: readonly { readonly anchor: string; readonly title: string }[]])[],
): Html =>
  html`<nav class="contents" aria-label="On this page">${groups.map(
    ([name, anchors]) =>
      html`<h2>${name}</h2><ul>${anchors.map(({ anchor, title }) => html`<li><a href="#${anchor}">${title}</a></li>`)}</ul>`,
  )}</nav>`;

export const jsonBlock = (value: unknown): Html => codeBlock(JSON.stringify(value, null, 2));
