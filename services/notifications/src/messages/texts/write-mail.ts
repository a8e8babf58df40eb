import type { Receipt } from '@corner/contracts';
import type { Mail, MailPart } from '../rules/mail.ts';
import { type Template, type TemplateData, toggleOf } from '../rules/template-data.ts';
import { en } from './en.ts';
import { renderHtml, renderPlain } from './render-mail.ts';
import type { Format, MailTexts, PartialTexts, Subject } from './text.ts';
import { createFormat, type TextContext, writeText } from './write-text.ts';

/**
 * `receipt`: null for mail that is neither a receipt nor a credit note. `vatNumber` is printed on a receipt; null for a store without one.
 * `keepUrl` confirms an address that the customer typed; null in any other mail. `stopUrl` refuses unrequested mail to the address; null
 * where links cannot be signed. `settingsUrl` is the console's; null for mail to a customer and without an address of the console.
 * `acceptUrl`: null for any mail but an invitation.
 */
export interface MailContent<T extends Template = Template> {
  readonly template: T;
  readonly data: TemplateData[T];
  readonly receipt: Receipt | null;
  readonly vatNumber: string | null;
  readonly unsubscribeUrl: string | null;
  readonly keepUrl: string | null;
  readonly stopUrl: string | null;
  readonly settingsUrl: string | null;
  readonly acceptUrl: string | null;
}
type Refund = Receipt['refunds'][number];

export function writeMail<T extends Template>(
  language: PartialTexts,
  { template, data, receipt, vatNumber, unsubscribeUrl, keepUrl, stopUrl, settingsUrl, acceptUrl }: MailContent<T>,
  context: TextContext,
): Pick<Mail, 'subject' | 'text' | 'html' | 'language'> {
  const { title, body } = writeText(language, template, data, context);
  const { locale, unknownStore, mail } = language.mail ? { ...language, mail: language.mail } : en;
  const format = createFormat(locale, unknownStore, context);
  const subject = template.split('.')[0] as Subject;
  const toggle = toggleOf(template);
  const parts: MailPart[] = [
    { kind: 'paragraph', text: body },
    ...linkTo(acceptUrl, mail.accept),
    ...(receipt ? purchaseParts(receipt, 'refund_id' in data ? data.refund_id : null, { labels: mail.receipt, format, vatNumber }) : []),
    { kind: 'note', text: mail.reasons[subject](format.store) },
    ...linkTo(settingsUrl, mail.settings),
    ...(toggle ? linkTo(unsubscribeUrl, mail.stop(mail.topics[toggle], format.store)) : []),
    ...(keepUrl === null ? [] : [{ kind: 'note', text: mail.address.firstMail } as const]),
    ...linkTo(keepUrl, mail.address.keep),
    ...linkTo(stopUrl, mail.address.stop),
  ];
  return { subject: title, text: renderPlain(parts), html: renderHtml(locale, title, parts), language: locale };
}

type Labels = MailTexts['receipt'];
interface Words {
  readonly labels: Labels;
  readonly format: Format;
  readonly vatNumber: string | null;
}

const fact = (label: string, value: string | null): MailPart[] => (value === null ? [] : [{ kind: 'fact', label, value }]);
const linkTo = (url: string | null, text: string): MailPart[] => (url === null ? [] : [{ kind: 'link', text, url }]);

/** Empty for a refund that the receipt does not have, because it has failed meanwhile. */
function purchaseParts(receipt: Receipt, refundId: string | null, words: Words): MailPart[] {
  if (refundId === null) return receiptParts(receipt, words);
  const refund = receipt.refunds.find(({ refund_id }) => refund_id === refundId);
  return refund ? creditNoteParts(receipt, refund, words) : [];
}

function receiptParts(receipt: Receipt, words: Words): MailPart[] {
  const { labels, format } = words;
  const { order_number, paid_at, table_number, collections } = receipt;
  return [
    ...fact(labels.order, order_number),
    ...fact(labels.paidAt, format.dateTime(paid_at)),
    ...fact(labels.table, table_number),
    ...collections.flatMap(({ order_number: leg, collection_code, collect_at }) => [
      // The legs of a mixed order are collected apart, so each names its own number.
      ...fact(leg === order_number ? labels.code : `${labels.code} (${leg})`, collection_code),
      ...fact(leg === order_number ? labels.collectAt : `${labels.collectAt} (${leg})`, collect_at && format.dateTime(collect_at)),
    ]),
    { kind: 'amounts', rows: amountRows(receipt, labels, format) },
    ...vatParts(receipt.vat, receipt.currency, words),
    ...linkTo(receipt.receipt_url, labels.openReceipt),
  ];
}

function creditNoteParts(receipt: Receipt, refund: Refund, words: Words): MailPart[] {
  const { labels, format } = words;
  const { number, refunded_at, lines, amount_pence, tip_pence, vat, url } = refund;
  const row = (label: string, pence: number, isTotal = false) => ({ label, amount: format.money(pence, receipt.currency), isTotal });
  const priced = amount_pence - tip_pence;
  const items = lines.map(({ name, quantity, sum_pence }) => row(`${quantity} × ${name}`, sum_pence));
  return [
    ...fact(labels.creditNote, number),
    ...fact(labels.order, receipt.order_number),
    ...fact(labels.paidAt, format.dateTime(receipt.paid_at)),
    ...fact(labels.refunded, format.dateTime(refunded_at)),
    {
      kind: 'amounts',
      rows: [
        ...(items.length > 0 || priced === 0 ? items : [row(labels.partOfPrice, priced)]),
        ...(tip_pence > 0 ? [row(labels.tip, tip_pence)] : []),
        row(labels.refunded, amount_pence, true),
      ],
    },
    ...vatParts(vat, receipt.currency, words),
    ...linkTo(url, labels.openCreditNote),
  ];
}

function amountRows({ currency, ...receipt }: Receipt, labels: Labels, { money }: Format) {
  const { lines, subtotal_pence, discount_pence, tip_pence, total_pence } = receipt;
  const row = (label: string, pence: number, isTotal = false) => ({ label, amount: money(pence, currency), isTotal });
  return [
    ...lines.map(({ name, quantity, sum_pence }) => row(`${quantity} × ${name}`, sum_pence)),
    ...(discount_pence + tip_pence > 0 ? [row(labels.subtotal, subtotal_pence)] : []),
    ...(discount_pence > 0 ? [row(labels.discount, -discount_pence)] : []),
    ...(tip_pence > 0 ? [row(labels.tip, tip_pence)] : []),
    row(labels.total, total_pence, true),
  ];
}

/** Empty for a store without a VAT number, and where no item has a rate. */
function vatParts(vat: Receipt['vat'], currency: string, { vatNumber, labels, format: { money, percent } }: Words): MailPart[] {
  if (vatNumber === null || vat.every(({ rate_bps }) => rate_bps === null)) return [];
  const rows = vat.map(({ rate_bps, net_pence, vat_pence, gross_pence }) => [
    rate_bps === null ? labels.noRate : percent(rate_bps),
    ...[net_pence, vat_pence, gross_pence].map((pence) => money(pence, currency)),
  ]);
  return [...fact(labels.vatNumber, vatNumber), { kind: 'table', head: [labels.rate, labels.net, labels.vat, labels.gross], rows }];
}
