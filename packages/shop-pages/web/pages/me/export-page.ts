import type { directory, ReplyOf } from '@corner/contracts';

type Export = ReplyOf<typeof directory.exportMe>;

export function exportPage({ exported_at, sections }: Export, title: string): string {
  const parts = sections.map(
    ({ service, of, rows }) =>
      `<h2>${escaped(`${service}: ${of}`)}</h2>\n${rows.map((row) => `<table>${linesOf(row)}</table>`).join('\n')}`,
  );
  const style =
    'body{font:14px sans-serif;margin:2em}table{border-collapse:collapse;margin:0 0 1em}td,th{border:1px solid #ccc;padding:2px 6px;text-align:left;vertical-align:top}';
  return `<!doctype html>\n<meta charset="utf-8"><title>${escaped(title)}</title><style>${style}</style>\n<h1>${escaped(title)}</h1><p>${escaped(exported_at)}</p>\n${parts.join('\n')}\n`;
}

const linesOf = (row: Readonly<Record<string, unknown>>): string =>
  Object.entries(row)
    .map(([name, value]) => `<tr><th>${escaped(name)}</th><td>${cellOf(value)}</td></tr>`)
    .join('');

function cellOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(cellOf).join('<br>');
  if (typeof value === 'object' && value !== null) return `<table>${linesOf(value as Record<string, unknown>)}</table>`;
  return escaped(String(value ?? ''));
}

const signs: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => signs[sign] ?? sign);
