import { escapeHtml, formatMoney } from '@corner/contracts';
import { type AcceptedRefund, creditNoteNumber, type SoldLine, type VatSum } from '../rules.ts';
import { type Labels, labels } from './labels.ts';

/**
 * A paid order with its refunds, as its pages show it. Instants are ISO 8601, countries ISO 3166-1. `paid_with` is empty for the
 * provider's payment.
 */
export interface ShownReceipt {
  readonly id: string;
  readonly order_number: string;
  readonly paid_at: string;
  readonly currency: string;
  readonly table_number: string | null;
  readonly subtotal_pence: number;
  readonly discount_pence: number;
  readonly tip_pence: number;
  readonly total_pence: number;
  readonly paid_with: readonly ('cash' | 'external_card' | 'none')[];
  readonly lines: readonly (SoldLine & { readonly name: string })[];
  readonly refunds: readonly ShownRefund[];
  readonly seller_name: string;
  readonly legal_name: string | null;
  readonly address: {
    readonly lines: readonly string[];
    readonly postcode: string;
    readonly city: string;
    readonly country: string;
  } | null;
  readonly vat_number: string | null;
  readonly time_zone: string;
  readonly language: keyof typeof labels;
}

interface ShownRefund extends AcceptedRefund {
  readonly credit_note: number | null;
  readonly lines: readonly (AcceptedRefund['lines'][number] & { readonly name: string; readonly quantity: number })[];
}

interface Text {
  readonly receipt: ShownReceipt;
  readonly labels: Labels;
  money(pence: number): string;
  dateTime(instant: string): string;
}

export function textOf(receipt: ShownReceipt): Text {
  const words = labels[receipt.language];
  const format = new Intl.DateTimeFormat(words.locale, {
    timeZone: receipt.time_zone,
    dateStyle: 'long',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  return {
    receipt,
    labels: words,
    money: (pence) => formatMoney(pence, receipt.currency, words.locale),
    dateTime: (instant) => format.format(new Date(instant)),
  };
}

export const titleOf = ({ vat_number, order_number }: ShownReceipt, words: Labels): string =>
  `${vat_number === null ? words.receipt : words.invoice} ${order_number}`;

type Fact = readonly [label: string, html: string];

/** Writes labels with their values, which must be HTML. */
export const factList = (facts: readonly Fact[]): string =>
  `<dl>\n${facts.map(([label, html]) => `<div><dt>${label}</dt><dd>${html}</dd></div>`).join('\n')}\n</dl>`;

interface ItemRow {
  readonly label: string;
  readonly note: string | null;
  readonly rate: number | null | undefined;
  readonly pence: number;
}

export function itemTable(
  { receipt, labels: words, money }: Text,
  rows: readonly ItemRow[],
  sums: readonly (readonly [label: string, pence: number])[],
): string {
  const rated = receipt.vat_number !== null && rows.some(({ rate }) => typeof rate === 'number');
  const rate = (html: string) => (rated ? `<td>${html}</td>` : '');
  const body = rows.map(
    ({ label, note, rate: bps, pence }) =>
      `<tr><th scope="row">${escapeHtml(label)}${note === null ? '' : `<br>${escapeHtml(note)}`}</th>` +
      `${rate(typeof bps === 'number' ? percent(bps, words) : '–')}<td>${money(pence)}</td></tr>`,
  );
  const foot = sums.map(([label, pence]) => `<tr><th scope="row"${rated ? ' colspan="2"' : ''}>${label}</th><td>${money(pence)}</td></tr>`);
  const head = [words.item, ...(rated ? [words.rate] : []), words.amount].map((label) => `<th scope="col">${label}</th>`).join('');
  return `<table>
<caption>${words.items}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
<tfoot>
${foot.join('\n')}
</tfoot>
</table>`;
}

/** Writes the sums of each VAT rate; empty for a seller that is not registered, and when no item has a rate. */
export function vatTable({ receipt, labels: words, money }: Text, vat: readonly VatSum[], tipPence: number): string {
  if (receipt.vat_number === null || vat.every(({ rate_bps }) => rate_bps === null)) return '';
  const head = [words.rate, words.net, words.vat, words.gross].map((label) => `<th scope="col">${label}</th>`).join('');
  const rows = vat.map(
    ({ rate_bps, net_pence, vat_pence, gross_pence }) =>
      `<tr><th scope="row" class="rate">${rate_bps === null ? words.noRate : percent(rate_bps, words)}</th>` +
      `${[net_pence, vat_pence, gross_pence].map((pence) => `<td>${money(pence)}</td>`).join('')}</tr>`,
  );
  return `<table>
<caption>${words.vatByRate}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>${tipPence > 0 ? `\n<p>${words.tipHasNoVat}</p>` : ''}`;
}

const percent = (bps: number, { locale }: Labels): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000);

/** Writes the refunds of an invoice with links to their credit notes; empty when there is none. */
export function refundList({ receipt, labels: words, money, dateTime }: Text, refunds: readonly ShownRefund[], token: string): string {
  if (refunds.length === 0) return '';
  const rows = refunds.map(({ credit_note, accepted_at, failed_at, amount_pence }) => {
    const note = credit_note === null ? '' : `${words.creditNote} ${escapeHtml(creditNoteNumber(receipt, credit_note))}`;
    const link = credit_note === null ? '' : `<a href="/receipts/${token}/credit-notes/${credit_note}">${note}</a>, `;
    return `<li>${link}${escapeHtml(dateTime(accepted_at))} – ${money(amount_pence)}${failed_at === null ? '' : ` (${words.failed})`}</li>`;
  });
  return `<h2>${words.creditNotes}</h2>\n<ul>\n${rows.join('\n')}\n</ul>`;
}

export function page({ receipt, labels: words }: Text, title: string, parts: readonly string[]): string {
  const { seller_name, legal_name, vat_number } = receipt;
  const seller = [
    ...(legal_name === null || legal_name === seller_name ? [] : [legal_name]),
    ...addressLines(receipt, words),
    ...(vat_number === null ? [] : [`${words.vatNumber} ${vat_number}`]),
  ];
  const body = [
    `<h1>${escapeHtml(title)}</h1>`,
    `<address><strong>${escapeHtml(seller_name)}</strong>${seller.map((line) => `<br>\n${escapeHtml(line)}`).join('')}</address>`,
    ...parts.filter(Boolean),
  ];
  return document(words.locale, `${title} – ${seller_name}`, body.join('\n'));
}

/** The British and the Irish write the postcode under the city. */
function addressLines({ address }: ShownReceipt, { locale }: Labels): readonly string[] {
  if (address === null) return [];
  const { lines, postcode, city, country } = address;
  const place = ['GB', 'IE'].includes(country) ? [city, postcode] : [`${postcode} ${city}`];
  return [...lines, ...place, new Intl.DisplayNames(locale, { type: 'region' }).of(country) ?? country];
}

const style = `
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 40rem; padding: 1.5rem 1rem; font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.2; margin: 0 0 1rem; }
h2, caption { font-size: 1rem; font-weight: 600; text-align: start; margin: 0; }
address { font-style: normal; margin: 0 0 1rem; }
dl { margin: 0 0 1.5rem; }
dl div { display: flex; gap: 1rem; }
dt { flex: 0 0 6rem; }
dd { margin: 0; font-weight: 600; }
table { border-collapse: collapse; margin: 0 0 1.5rem; width: 100%; break-inside: avoid; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem 0; vertical-align: top; font-weight: 400; text-align: start; }
td, th + th { padding-inline-start: .5rem; text-align: end; }
td, .rate { white-space: nowrap; }
thead th { border-bottom: 1px solid; }
tfoot tr:first-child > * { border-top: 1px solid; }
tfoot tr:last-child > * { font-weight: 600; }
ul { margin: .25rem 0 0; padding: 0; list-style: none; }
a { color: inherit; }
li a { display: inline-block; padding: .25rem 0; }
.void { border: 2px solid; padding: .5rem .75rem; font-weight: 600; }
@media (width < 24rem) { table { font-size: .875rem; } }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 11pt; }
  a { text-decoration: none; }
}
`;

/** Writes an HTML document: inline styles, no script, and nothing loaded from elsewhere. */
export const document = (language: string, title: string, body: string): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
