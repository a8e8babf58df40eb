import { parseJson, type Webhook, type WebhookRequest, type WebhookResponse } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { findOrder } from '../order/tables/orders.ts';
import { tokenHash } from './crypto.ts';
import { mediaTypeOf, offeredTypes, paperColumns, printData } from './rules/print-data.ts';
import { codeOf, outcomeOf } from './rules/printing.ts';
import { ticketLines } from './rules/ticket-lines.ts';
import { endJob, sendTicket } from './tables/tickets.ts';
import { poll } from './transactions.ts';

/** Star CloudPRNT, version HTTP: a printer polls one address, whose last segment is its secret. */
const path = '/printers/{token}';

/** A printer's status report. Any field may be absent or null; a status is URL encoded. */
const Poll = z.object({ statusCode: z.string().nullish(), printingInProgress: z.boolean().nullish() });

export const pollForTicket: Webhook<Context> = {
  path,
  async run(request, context) {
    const report = Poll.safeParse(parseJson(request.body));
    if (!report.success) throw new Problem('INVALID_JSON');
    const { statusCode, printingInProgress } = report.data;
    const asked = {
      hash: hashOf(request, context),
      code: codeOf(decoded(statusCode ?? '')),
      isPrinting: printingInProgress === true,
    };
    const answer = await context.database.transaction((tx) => poll(tx, asked));
    if (!answer) throw unknown();
    const { job } = answer;
    if (!job) return { status: 200, body: { jobReady: false } };
    const { job_token: jobToken, failed_code } = job;
    return { status: 200, body: { jobReady: true, mediaTypes: offeredTypes(failed_code), jobToken, deleteMethod: 'DELETE' } };
  },
};

/** Sends the offered ticket. With `delete` in the query the printer confirms, as it does on a network that blocks DELETE. */
export const takeTicket: Webhook<Context> = {
  method: 'GET',
  path,
  async run(request, context) {
    if (request.query.has('delete')) return await confirm(request, context);
    const type = mediaTypeOf(request.query.get('type'));
    if (!type) return { status: 415 };
    const ticket = await sendTicket(context.database, jobOf(request, context), context.now());
    const order = ticket && (await findOrder(context.database, ticket.store_id, ticket.order_id));
    if (!order) throw unknown();
    const printer = { printWidth: request.header('x-star-print-width'), codePages: request.header('x-star-accept-codepages') };
    const { kind, copy, language, time_zone: timeZone } = ticket;
    const lines = ticketLines(order, { kind, copy, language, timeZone, now: context.now(), columns: paperColumns(printer) });
    return {
      status: 200,
      headers: { 'Content-Type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type },
      body: Buffer.from(printData(lines, type, printer)),
    };
  },
};

export const confirmTicket: Webhook<Context> = { method: 'DELETE', path, run: (request, context) => confirm(request, context) };

async function confirm(request: WebhookRequest, context: Context): Promise<WebhookResponse> {
  const code = request.query.get('code');
  if (code === null) throw new Problem('VALIDATION_FAILED', { message: 'code: is required.' });
  const end = outcomeOf(code);
  if (!end.printed) context.log.warn({ code: end.code }, 'a printer could not print a ticket');
  if (!(await endJob(context.database, jobOf(request, context), end, context.now()))) throw unknown();
  return { status: 200 };
}

const hashOf = ({ params: { token = '' } }: WebhookRequest, { deviceSecret }: Context): string => tokenHash(deviceSecret, token);

const jobOf = (request: WebhookRequest, context: Context) => ({ hash: hashOf(request, context), token: request.query.get('token') ?? '' });

/** Does not reveal whether the printer or only its job is unknown. */
const unknown = (): Problem => new Problem('ROUTE_NOT_FOUND');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
