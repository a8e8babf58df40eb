import type { Webhook, WebhookResponse } from '@corner/chassis';
import type { Context } from '../context.ts';
import { orderOfReceipt } from '../order/crypto.ts';
import { findReceipts, type ReceiptRow } from './tables.ts';
import { writeCreditNotePage, writeInvoicePage, writeUnknownPage } from './texts/pages.ts';

export const showReceipt: Webhook<Context> = {
  method: 'GET',
  path: '/receipts/{token}',
  run: ({ params }, context) => respond(params.token, context, writeInvoicePage),
};

export const showCreditNote: Webhook<Context> = {
  method: 'GET',
  path: '/receipts/{token}/credit-notes/{number}',
  run: ({ params }, context) =>
    respond(params.token, context, (receipt, token) => writeCreditNotePage(receipt, token, Number(params.number))),
};

/** Does not reveal whether a token is invalid or its order is unpaid. */
async function respond(
  token = '',
  { database, receiptLinks }: Context,
  write: (receipt: ReceiptRow, token: string) => string | null,
): Promise<WebhookResponse> {
  const orderId = orderOfReceipt(receiptLinks.secret, token);
  const [receipt] = orderId ? await findReceipts(database, [orderId], { isForPage: true }) : [];
  const html = receipt && write(receipt, token);
  return {
    status: html ? 200 : 404,
    // Only the customer's own browser may cache it, and must revalidate: a refund changes the page.
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, no-cache' },
    body: Buffer.from(html || writeUnknownPage()),
  };
}
