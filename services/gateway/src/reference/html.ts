/** HTML that is safe to insert. Only {@link html} and {@link ownHtml} make it. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

/** Template tag for HTML. Inserted text is escaped; inserted {@link Html} is not. */
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

/** Returns a block of code that scrolls sideways by itself. The keyboard can reach it, so that it can be scrolled without a mouse. */
export const codeBlock = (source: string): Html => html`<pre tabindex="0"><code>${source}</code></pre>`;

/** Returns a value as a block of indented JSON. */
export const jsonBlock = (value: unknown): Html => codeBlock(JSON.stringify(value, null, 2));
