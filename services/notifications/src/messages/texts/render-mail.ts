import { escapeHtml } from '@corner/contracts';
import type { MailPart } from '../rules/mail.ts';

/** Inline styles, nothing loaded from elsewhere, no colours of its own, at most 320 pixels wide. */
export const renderHtml = (language: string, title: string, parts: readonly MailPart[]): string => `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body style="color-scheme: light dark; margin: 0 auto; max-width: 36em; padding: 16px; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere;">
<h1 style="font-size: 20px; line-height: 1.3; margin: 0 0 16px;">${escapeHtml(title)}</h1>
${parts.map(htmlPart).join('\n')}
</body>
</html>
`;

const rule = 'border-top: 1px solid #8888;';
const cell = 'padding: 4px 0; vertical-align: top;';
const amountCell = `${cell} padding-left: 12px; text-align: right; white-space: nowrap;`;

function htmlPart(part: MailPart): string {
  switch (part.kind) {
    case 'paragraph':
      return `<p style="margin: 0 0 16px;">${lines(part.text)}</p>`;
    case 'fact':
      return `<p style="margin: 0 0 4px;">${escapeHtml(part.label)}: <strong>${escapeHtml(part.value)}</strong></p>`;
    case 'amounts':
      return table(
        part.rows.map(({ label, amount, isTotal }) => {
          const weight = isTotal ? `${rule} font-weight: bold;` : '';
          return `<tr><td style="${cell} ${weight}">${escapeHtml(label)}</td><td style="${amountCell} ${weight}">${escapeHtml(amount)}</td></tr>`;
        }),
      );
    case 'table': {
      const row = (tag: 'th' | 'td') => (cells: readonly string[]) =>
        `<tr>${cells.map((text, n) => `<${tag} style="${n === 0 ? `${cell} text-align: left;` : amountCell} font-size: 13px;">${escapeHtml(text)}</${tag}>`).join('')}</tr>`;
      return table([row('th')(part.head), ...part.rows.map(row('td'))]);
    }
    case 'note':
      return `<p style="${rule} margin: 24px 0 8px; padding-top: 8px; font-size: 13px;">${lines(part.text)}</p>`;
    case 'link':
      return `<p style="margin: 0 0 8px; font-size: 13px;"><a href="${escapeHtml(part.url)}">${escapeHtml(part.text)}</a></p>`;
    default:
      return part satisfies never;
  }
}

const table = (rows: readonly string[]): string =>
  `<table style="border-collapse: collapse; margin: 16px 0; width: 100%;">\n${rows.join('\n')}\n</table>`;

const lines = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');

const width = 48;

/** The title is the subject, so plain text does not repeat it. */
export const renderPlain = (parts: readonly MailPart[]): string => `${parts.map(plainPart).join('\n').trim()}\n`;

function plainPart(part: MailPart): string {
  switch (part.kind) {
    case 'paragraph':
      return `${part.text}\n`;
    case 'fact':
      return `${part.label}: ${part.value}`;
    case 'amounts':
      return `\n${part.rows.map(({ label, amount }) => `${label.padEnd(width - amount.length - 2)}  ${amount}`).join('\n')}\n`;
    case 'table':
      return `${part.rows.map((row) => row.map((text, n) => `${part.head[n] ?? ''} ${text}`.trim()).join(', ')).join('\n')}\n`;
    case 'note':
      // RFC 3676: this line begins the signature.
      return `\n-- \n${part.text}`;
    case 'link':
      return `${part.text}: ${part.url}`;
    default:
      return part satisfies never;
  }
}
