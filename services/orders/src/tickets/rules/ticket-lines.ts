import type { Language } from '@corner/contracts';
import { harmless, wrap } from './printable.ts';

export interface TicketOrder {
  readonly order_number: string;
  readonly collection_code: string | null;
  readonly table_number: string | null;
  readonly customer_name: string | null;
  readonly business_status: string | null;
  readonly revised_ready_at: string | null;
  readonly requested_collection_at: string | null;
  readonly paid_at: string | null;
  readonly prep_minutes: number;
  readonly lines: readonly {
    readonly name: string;
    readonly quantity: number;
    readonly choices: readonly { readonly name: string }[];
    readonly note: string | null;
  }[];
}

export interface TicketPrint {
  readonly kind: 'order' | 'cancelled';
  readonly copy: number;
  readonly language: Language;
  readonly timeZone: string;
  readonly now: Date;
  readonly columns: number;
}

/** A line of a ticket. A large one has half the columns. */
export interface TicketLine {
  readonly text: string;
  readonly size: 'normal' | 'large';
}

const words = {
  en: { locale: 'en-GB', cancelled: 'CANCELLED', copy: 'COPY', code: 'Code', table: 'Table', due: 'Due', paid: 'PAID' },
  fr: { locale: 'fr', cancelled: 'ANNULÉE', copy: 'COPIE', code: 'Code', table: 'Table', due: 'Pour', paid: 'PAYÉE' },
} as const satisfies Record<Language, Record<string, string>>;

/**
 * Returns the lines of a ticket, none longer than the paper. Text that the kitchen must read from a distance is large. A ticket has no
 * sums and no tip: the order is paid.
 */
export function ticketLines(order: TicketOrder, print: TicketPrint): readonly TicketLine[] {
  const { kind, copy, columns } = print;
  const word = words[print.language];
  const large = (text: string) => sized('large', text, Math.floor(columns / 2));
  const normal = (text: string) => sized('normal', text, columns);
  const rule = { text: '-'.repeat(columns), size: 'normal' } as const;
  const isCancelled = kind === 'cancelled' || order.business_status === 'cancelled';
  return [
    ...(isCancelled ? large(`*** ${word.cancelled} ***`) : []),
    ...(copy > 0 ? large(`${word.copy} ${copy}`) : []),
    ...large(order.order_number),
    ...(order.table_number === null ? [] : large(`${word.table} ${order.table_number}`)),
    ...(order.collection_code === null ? [] : large(`${word.code} ${order.collection_code}`)),
    ...normal(dueLine(order, print)),
    rule,
    ...order.lines.flatMap((line) => itemLines(line, columns)),
    rule,
    ...normal(order.customer_name ?? ''),
    ...normal(word.paid),
  ];
}

const sized = (size: TicketLine['size'], text: string, columns: number): readonly TicketLine[] =>
  wrap(harmless(text), columns).map((line) => ({ text: line, size }));

/** Choices, notes and further lines of a long text stand below the item's name. */
function itemLines({ quantity, name, choices, note }: TicketOrder['lines'][number], columns: number): readonly TicketLine[] {
  const count = `${String(quantity).padStart(2)} x `;
  const below = ' '.repeat(count.length);
  const marked = (mark: string, text: string): readonly string[] =>
    wrap(harmless(text), columns - below.length - mark.length).map((line, n) => below + (n === 0 ? mark : ' '.repeat(mark.length)) + line);
  const [first = '', ...rest] = wrap(harmless(name), columns - count.length);
  return [
    count + first,
    ...rest.map((line) => below + line),
    ...choices.flatMap((choice) => marked('+ ', choice.name)),
    ...(note === null ? [] : marked('! ', note)),
  ].map((text) => ({ text, size: 'normal' }));
}

/** The time at the store by which the order is to be ready, with the day when that is not today. */
function dueLine(order: TicketOrder, { language, timeZone, now }: TicketPrint): string {
  const named = order.revised_ready_at ?? order.requested_collection_at;
  const due = named
    ? Temporal.Instant.from(named)
    : order.paid_at && Temporal.Instant.from(order.paid_at).add({ minutes: order.prep_minutes });
  if (!due) return '';
  const at = due.toZonedDateTimeISO(timeZone);
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const day = at.toPlainDate().equals(today)
    ? ''
    : ` ${at.toLocaleString(words[language].locale, { weekday: 'short', day: 'numeric', month: 'short' })}`;
  return `${words[language].due}${day} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`;
}
