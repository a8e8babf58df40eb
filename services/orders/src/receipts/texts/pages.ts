import { escapeHtml } from '@corner/contracts';
import { creditNoteNumber, creditsOf, sumVat } from '../rules.ts';
import type { Labels } from './labels.ts';
import { document, factList, itemTable, page, refundList, type ShownReceipt, textOf, titleOf, vatTable } from './page-parts.ts';

/** Writes the invoice page of an order; for a seller without a VAT number, its receipt. `token` is in the URLs of its credit notes. */
export function writeInvoicePage(receipt: ShownReceipt, token: string): string {
  const text = textOf(receipt);
  const { labels: words, money, dateTime } = text;
  const { order_number, total_pence, tip_pence, discount_pence, subtotal_pence, table_number, lines, refunds } = receipt;
  const rows = lines.map(({ name, quantity, unit_price_pence, vat_rate_bps, vat_parts }) => ({
    label: `${quantity} × ${name}`,
    note: quantity > 1 ? words.each(money(unit_price_pence)) : null,
    rate: vat_parts ? undefined : vat_rate_bps,
    pence: quantity * unit_price_pence,
  }));
  const sums = [
    ...(discount_pence + tip_pence > 0 ? [[words.subtotal, subtotal_pence] as const] : []),
    ...(discount_pence > 0 ? [[words.discount, -discount_pence] as const] : []),
    ...(tip_pence > 0 ? [[words.tip, tip_pence] as const] : []),
    [words.total, total_pence] as const,
  ];
  const facts = [
    [words.number, escapeHtml(order_number)] as const,
    [words.date, escapeHtml(dateTime(receipt.paid_at))] as const,
    ...(table_number === null ? [] : [[words.table, escapeHtml(table_number)] as const]),
    [words.payment, paymentOf(receipt, words)] as const,
  ];
  return page(text, titleOf(receipt, text.labels), [
    factList(facts),
    itemTable(text, rows, sums),
    vatTable(text, sumVat(lines, discount_pence), tip_pence),
    refundList(text, refunds, token),
  ]);
}

function paymentOf({ total_pence, paid_with }: ShownReceipt, words: Labels): string {
  if (paid_with.length > 0) return paid_with.map((tender) => words.tenders[tender]).join(', ');
  return total_pence > 0 ? words.paidOnline : words.nothingToPay;
}

export function writeCreditNotePage(receipt: ShownReceipt, token: string, creditNote: number): string | null {
  const index = receipt.refunds.findIndex(({ credit_note }) => credit_note === creditNote);
  const [refund, credit] = [receipt.refunds[index], creditsOf(receipt, receipt.refunds)[index]];
  if (!refund || !credit) return null;
  const text = textOf(receipt);
  const { labels: words, dateTime } = text;
  const number = creditNoteNumber(receipt, creditNote);
  const priced = refund.amount_pence - credit.tip_pence;
  const rows =
    refund.lines.length > 0
      ? refund.lines.map(({ name, quantity, sum_pence, vat_rate_bps, vat_parts }) => ({
          label: `${quantity} × ${name}`,
          note: null,
          rate: vat_parts ? undefined : vat_rate_bps,
          pence: sum_pence,
        }))
      : priced > 0
        ? [{ label: words.partOfPrice, note: null, rate: undefined, pence: priced }]
        : [];
  const sums = [...(credit.tip_pence > 0 ? [[words.tip, credit.tip_pence] as const] : []), [words.refunded, refund.amount_pence] as const];
  const invoice = `<a href="/receipts/${token}">${escapeHtml(titleOf(receipt, words))}</a>`;
  return page(text, `${words.creditNote} ${number}`, [
    refund.failed_at === null ? '' : `<p class="void">${escapeHtml(words.isVoid(dateTime(refund.failed_at)))}</p>`,
    factList([
      [words.number, escapeHtml(number)],
      [words.date, escapeHtml(dateTime(refund.accepted_at))],
      [words.ofInvoice, `${invoice}, ${escapeHtml(dateTime(receipt.paid_at))}`],
    ]),
    itemTable(text, rows, sums),
    vatTable(text, credit.vat, credit.tip_pence),
  ]);
}

export function writeUnknownPage(): string {
  const title = 'There is no receipt at this address';
  return document('en-GB', title, `<h1>${title}</h1>\n<p>Open the link of your e-mail or of the app again, without a change.</p>`);
}
