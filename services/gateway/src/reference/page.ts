/** HTML that is safe to insert. Only {@link html} makes it. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[];

/** Template tag for HTML. Inserted text is escaped; inserted {@link Html} is not. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: texts.reduce((all, text, index) => all + render(parts[index - 1] ?? '') + text) };
}

/** Returns a whole page of the reference. */
export function page(title: string, body: Html, head: Html = html``): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Corner</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/pages.css">
${head}
</head>
<body>
<nav><a href="/docs">Operations</a> <a href="/docs/events">Events</a> <a href="/docs/errors">Errors</a></nav>
${body}
</body>
</html>
`.html;
}

function render(part: Part): string {
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return part.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return 'html' in part ? part.html : part.map((one) => one.html).join('\n');
}
