/**
 * Hours after an order's first due time in which it is still printed. A printer that was off over night must not begin the day with
 * yesterday's orders, while one without paper for a whole shift should catch up. A copy has the same hours from its request.
 */
export const printHours = 6;

/** Hours in which an unprinted ticket is counted, and in which a returning printer finds orders that it missed. */
export const countedHours = 24;

/** A ticket is given up after a printer has refused its data this often. A printer without paper or with an open cover refuses none. */
export const mostFailures = 5;

/** Seconds without a poll after which a printer is away. Printers poll every few seconds, and may pause while they print. */
const awaySeconds = 60;

/** Star's status codes for the staff, by the longest matching prefix. Codes that begin with 2 are those of a working printer. */
const meanings: readonly (readonly [code: string, detail: string])[] = [
  ['211', 'The paper is low.'],
  ['210', 'The paper is low.'],
  ['230', 'The printer wants to be cleaned.'],
  ['231', 'A part of the printer wants to be replaced.'],
  ['410', 'The printer is out of paper.'],
  ['411', 'The paper is jammed.'],
  ['41', 'The printer has a problem with its paper.'],
  ['42', 'The cover of the printer is open.'],
  ['4', 'The printer cannot print.'],
  ['51', 'The printer cannot read its tickets.'],
  ['52', 'The printer cannot download its tickets.'],
  ['5', 'The printer cannot use its tickets.'],
];

/**
 * Returns the digits of a status as a printer sends it, URL encoded and with a description: `410` of `410%20Paper%20Empty`. Null for no
 * code.
 */
export const codeOf = (status: string): string | null => /^\s*(\d{3,4})(?!\d)/.exec(status)?.[1] ?? null;

export const isReady = (code: string): boolean => code.startsWith('2') && !code.startsWith('22');

/** How a print job ended. `OK` is how older printers write 200. */
export function outcomeOf(code: string): { readonly printed: boolean; readonly counts: boolean; readonly code: string } {
  const digits = codeOf(code);
  const printed = digits?.startsWith('2') ?? /^\s*ok\b/i.test(code);
  // Codes of the printer itself, such as paper, do not count against the ticket.
  return { printed, counts: !printed && !digits?.startsWith('4'), code: digits ?? (printed ? '200' : '500') };
}

export interface SeenPrinter {
  readonly last_seen_at: string | null;
  readonly status_code: string | null;
  /** The code of the newest refused ticket that waits, or was given up within the last day. */
  readonly failed_code: string | null;
}

export function printerState(
  { last_seen_at, status_code, failed_code }: SeenPrinter,
  now: Date,
): { readonly status: 'online' | 'away' | 'error'; readonly detail: string | null } {
  if (last_seen_at === null) return { status: 'away', detail: 'The printer has not asked for a ticket yet.' };
  if (now.getTime() - Date.parse(last_seen_at) >= awaySeconds * 1000) return { status: 'away', detail: meaningOf(status_code) };
  const works = status_code === null || status_code.startsWith('2');
  return { status: works ? 'online' : 'error', detail: meaningOf(status_code) ?? meaningOf(failed_code) };
}

const meaningOf = (code: string | null): string | null => (code && meanings.find(([begin]) => code.startsWith(begin))?.[1]) || null;
