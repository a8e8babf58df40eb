import type { MailPart } from '../rules/mail.ts';

/** Characters of a line with an amount at its end. */
const width = 48;

/** Writes a mail as plain text. The title is the subject, so it is not repeated. */
export const renderPlain = (parts: readonly MailPart[]): string => `${parts.map(renderPart).join('\n').trim()}\n`;

function renderPart(part: MailPart): string {
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
      // RFC 3676: what follows this line is the signature.
      return `\n-- \n${part.text}`;
    case 'link':
      return `${part.text}: ${part.url}`;
    default:
      return part satisfies never;
  }
}
