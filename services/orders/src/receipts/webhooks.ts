import type { Webhook, WebhookResponse } from '@corner/chassis';
import type { Context } from '../context.ts';
import { orderOfReceipt } from '../order/crypto.ts';
import { findReceipts, type ReceiptRow } from './tables.ts';
import { writeCreditNotePage, writeInvoicePage, writeUnknownPage } from './texts/pages.ts';

/** Shows the receipt of a paid order to the bearer of its token. */
export const showReceipt: Webhook<Context> = {
  method: 'GET',
  path: '/receipts/{token}',
  run: ({ params }, context) => respond(params.token, context, writeInvoicePage),
};

/** Shows a credit note of the order. */
export const showCreditNote: Webhook<Context> = {
  method: 'GET',
  path: '/receipts/{token}/credit-notes/{number}',
  run: ({ params }, context) =>
    respond(params.token, context, (receipt, token) => writeCreditNotePage(receipt, token, Number(params.number))),
};

/** Whether a token was never made, or its order is not paid, is not said. */
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
    // It may be shown again without asking only by the customer's own browser: a refund adds to it.
    headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'private, no-cache' },
    body: Buffer.from(html || writeUnknownPage()),
  };
}
