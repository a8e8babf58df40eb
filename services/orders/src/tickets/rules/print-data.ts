import type { TicketLine } from './ticket-lines.ts';

/**
 * The formats of a ticket, best first. Star's own commands make text large; printers of both of its families read `starprntcore`, and
 * older ones of one family `line`. Every printer reads plain text. (Only Star's converter reads `text/vnd.star.markup`, no printer does.)
 */
export const mediaTypes = ['application/vnd.star.starprntcore', 'application/vnd.star.line', 'text/plain'] as const;
export type MediaType = (typeof mediaTypes)[number];

/** Returns the offered formats: only plain text after the printer could not read the ticket. */
export const offeredTypes = (failedCode: string | null): readonly MediaType[] =>
  failedCode?.startsWith('51') ? ['text/plain'] : mediaTypes;

/** Returns the requested format, ignoring parameters; the best when the printer names none. Null for an unknown format. */
export function mediaTypeOf(asked: string | null): MediaType | null {
  if (asked === null || asked.trim() === '') return mediaTypes[0];
  const [type = ''] = asked.toLowerCase().split(';', 1);
  return mediaTypes.find((known) => known === type.trim()) ?? null;
}

/** A printer's X-Star request headers; undefined on older printers. `printWidth` is in millimetres. */
export interface PrinterHeaders {
  readonly printWidth: string | undefined;
  readonly codePages: string | undefined;
}

/**
 * Returns a printer's characters per line: 48 on paper of 80 mm, of which it prints 72, and 32 on paper of 58 mm. Matrix printers have 42,
 * which fit on 80 mm too, for a printer that does not report its width.
 */
export function paperColumns({ printWidth }: PrinterHeaders): 48 | 42 | 32 {
  const millimetres = Number.parseFloat(printWidth ?? '');
  if (millimetres >= 71) return 48;
  return millimetres < 60 ? 32 : 42;
}

const readsUtf8 = ({ codePages }: PrinterHeaders): boolean => /\butf-?8\b/i.test(codePages ?? '');

export const printData = (lines: readonly TicketLine[], type: MediaType, printer: PrinterHeaders): Uint8Array =>
  type === 'text/plain' ? plainText(lines) : starCommands(lines, readsUtf8(printer));

/** Plain text has no large letters: large text stands between stars. */
const plainText = (lines: readonly TicketLine[]): Uint8Array =>
  new TextEncoder().encode(lines.map(({ text, size }) => (size === 'large' ? `* ${text} *\n` : `${text}\n`)).join(''));

/** Commands that Star's families share: StarPRNT Command Specifications, and Star Line Mode Command Specifications. */
const commands = {
  initialise: [0x1b, 0x40],
  utf8: [0x1b, 0x1d, 0x29, 0x55, 0x02, 0x00, 0x30, 0x01, 0x1b, 0x1d, 0x29, 0x55, 0x02, 0x00, 0x40, 0x00],
  windows1252: [0x1b, 0x1d, 0x74, 0x20],
  normal: [0x1b, 0x69, 0x00, 0x00],
  large: [0x1b, 0x69, 0x01, 0x01],
  feedAndCut: [0x1b, 0x64, 0x02],
} as const;

function starCommands(lines: readonly TicketLine[], utf8: boolean): Uint8Array {
  const encode = utf8 ? (text: string) => [...new TextEncoder().encode(text)] : windows1252;
  return Uint8Array.from([
    ...commands.initialise,
    ...(utf8 ? commands.utf8 : commands.windows1252),
    ...lines.flatMap(({ text, size }) => [...commands[size], ...encode(text), 0x0a]),
    ...commands.normal,
    ...commands.feedAndCut,
  ]);
}

/** The characters of code page 1252 from 0x80 on, which have other code points in Unicode; a space where it has none. */
const from0x80 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/**
 * Encodes a text without control characters. A character missing from the code page becomes a question mark, so that the kitchen notices.
 */
const windows1252 = (text: string): readonly number[] =>
  [...text].map((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code;
    const at = from0x80.indexOf(character);
    return at < 0 ? 0x3f : 0x80 + at;
  });
