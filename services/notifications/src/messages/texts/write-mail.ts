import type { RpcOutput, readReceipt } from '@corner/contracts';
import type { Mail, MailPart } from '../rules/mail.ts';
import { type Template, type TemplateData, toggleOf } from '../rules/template-data.ts';
import { en } from './en.ts';
import { renderHtml, renderPlain } from './render-mail.ts';
import type { Format, MailTexts, PartialTexts, Subject } from './text.ts';
import { createFormat, type TextContext, writeText } from './write-text.ts';

export interface MailContent<T extends Template = Template> {
  readonly template: T;
  readonly data: TemplateData[T];
  /** The customer's purchase; null for mail that is no receipt. */
  readonly receipt: Receipt | null;
  /** Printed on a receipt; null for a store without one. */
  readonly vatNumber: string | null;
  readonly unsubscribeUrl: string | null;
}
export type Receipt = RpcOutput<typeof readReceipt>;

/** Writes a mail: the template's text, the receipt if there is one, why the person gets it, and how to stop it if that is possible. */
export function writeMail<T extends Template>(
  language: PartialTexts,
  { template, data, receipt, vatNumber, unsubscribeUrl }: MailContent<T>,
  context: TextContext,
): Pick<Mail, 'subject' | 'text' | 'html' | 'language'> {
  const { title, body } = writeText(language, template, data, context);
  const { locale, unknownStore, mail } = language.mail ? { ...language, mail: language.mail } : en;
  const format = createFormat(locale, unknownStore, context);
  const subject = template.split('.')[0] as Subject;
  const toggle = toggleOf[template];
  const parts: MailPart[] = [
    { kind: 'paragraph', text: body },
    ...(receipt ? receiptParts(receipt, vatNumber, mail.receipt, format) : []),
    { kind: 'note', text: mail.reasons[subject](format.store) },
    ...(toggle && unsubscribeUrl
      ? [{ kind: 'link' as const, text: mail.stop(mail.topics[toggle], format.store), url: unsubscribeUrl }]
      : []),
  ];
  return { subject: title, text: renderPlain(parts), html: renderHtml(locale, title, parts), language: locale };
}

type Labels = MailTexts['receipt'];

function receiptParts(receipt: Receipt, vatNumber: string | null, labels: Labels, format: Format): readonly MailPart[] {
  const { order_number, paid_at, table_number, collections, vat } = receipt;
  const fact = (label: string, value: string | null): MailPart[] => (value === null ? [] : [{ kind: 'fact', label, value }]);
  const showVat = vatNumber !== null && vat.some(({ rate_bps }) => rate_bps !== null);
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
    ...(showVat ? [...fact(labels.vatNumber, vatNumber), vatTable(receipt, labels, format)] : []),
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

const vatTable = ({ vat, currency }: Receipt, labels: Labels, { money, percent }: Format): MailPart => ({
  kind: 'table',
  head: [labels.rate, labels.net, labels.vat, labels.gross],
  rows: vat.map(({ rate_bps, net_pence, vat_pence, gross_pence }) => [
    rate_bps === null ? labels.noRate : percent(rate_bps),
    ...[net_pence, vat_pence, gross_pence].map((pence) => money(pence, currency)),
  ]),
});
