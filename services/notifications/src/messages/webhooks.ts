import { measure, type Webhook, type WebhookRequest, type WebhookResponse } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { readUnsubscription, type Unsubscription } from '../crypto.ts';
import { readAddressLink } from './crypto.ts';
import { readChoice } from './rules/texts.ts';
import { takeText } from './sagas/take-text.ts';
import { selectLanguage, selectSubscriber } from './tables/directory.ts';
import { confirmAddress, refuseAddress } from './tables/mail-limits.ts';
import { en } from './texts/en.ts';
import { writeAddressPage, writeUnsubscribePage } from './texts/unsubscribe-page.ts';
import { languages } from './texts/write-text.ts';
import { stopByLink } from './transactions/update-preferences.ts';

const path = '/unsubscribe/{token}';

/**
 * A GET changes nothing, because programs that scan mail follow links. A POST comes from the page's button or a mail program's own button
 * (RFC 8058); a repeat changes nothing.
 */
export const askToUnsubscribe: Webhook<Context> = {
  method: 'GET',
  path,
  run: (request, context) => respond('ask', request, context),
};

export const unsubscribe: Webhook<Context> = {
  method: 'POST',
  path,
  run: (request, context) =>
    respond('done', request, context, (unsubscription) => context.database.transaction((tx) => stopByLink(tx, unsubscription))),
};

async function respond(
  state: 'ask' | 'done',
  { params: { token = '' } }: WebhookRequest,
  { database, unsubscribeLinks }: Context,
  stop: (unsubscription: Unsubscription) => Promise<boolean> = async () => true,
): Promise<WebhookResponse> {
  const unsubscription = readUnsubscription(token, unsubscribeLinks?.secrets ?? []);
  const subscriber = unsubscription && (await selectSubscriber(database, unsubscription));
  const invalid = () => page(404, writeUnsubscribePage(en, { state: 'invalid', toggle: 'marketingEnabled', storeName: null }));
  if (!subscriber || (subscriber.switched_on[unsubscription.toggle] ?? 0) > unsubscription.consent) return invalid();
  if (!(await stop(unsubscription))) return invalid();
  const { store_name: storeName, language } = subscriber;
  return page(200, writeUnsubscribePage(languages[language], { state, toggle: unsubscription.toggle, storeName }));
}

const ofAddress = '/unsubscribe/mail/{token}';

/** `keep` confirms the address for its customer; `stop` refuses unrequested mail to it. GET and POST as above. */
export const askAboutAddress: Webhook<Context> = {
  method: 'GET',
  path: ofAddress,
  run: (request, context) => respondAboutAddress('ask', request, context),
};

export const decideAboutAddress: Webhook<Context> = {
  method: 'POST',
  path: ofAddress,
  run: (request, context) => respondAboutAddress('done', request, context),
};

async function respondAboutAddress(
  state: 'ask' | 'done',
  { params: { token = '' } }: WebhookRequest,
  { database, unsubscribeLinks, now }: Context,
): Promise<WebhookResponse> {
  const link = readAddressLink(token, unsubscribeLinks?.secrets ?? []);
  const invalid = () => page(404, writeUnsubscribePage(en, { state: 'invalid', toggle: 'marketingEnabled', storeName: null }));
  if (!link) return invalid();
  const { does, customerId, address } = link;
  if (state === 'done' && does === 'stop') await refuseAddress(database, address, now());
  if (state === 'done' && does === 'keep' && !(await confirmAddress(database, customerId, address, now()))) return invalid();
  const language = customerId === '' ? null : await selectLanguage(database, customerId);
  return page(200, writeAddressPage(languages[language ?? 'en'], does, state));
}

const page = (status: number, html: string): WebhookResponse => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
  body: Buffer.from(html),
});

/**
 * Receives the texts that people send. A word such as STOP or START is recorded with the moment at which Twilio received it, so that their
 * order of arrival does not matter. While that is not known STOP counts at once; START is left to the job that reads Twilio's list, as is
 * every text whose request fails, since Twilio does not repeat it. Twilio sends no reply of ours.
 */
export const receiveText: Webhook<Context> = {
  path: '/webhooks/twilio',
  async run({ body, header }, context) {
    const { sms } = context.channels;
    if (!sms) throw new Problem('ROUTE_NOT_FOUND');
    const received = sms.readText(body, header('x-twilio-signature'));
    if (!received) return noReply;
    const choice = readChoice(received.text);
    const at = choice && (await sms.receivedAt(received.id));
    if (choice?.accepted && !at) return noReply;
    const isTaken = await takeText({ ...received, at: at ?? context.now() }, context);
    measure('corner.texts.received', 1, { 'corner.outcome': isTaken ? 'ok' : 'refused' });
    return noReply;
  },
};

const noReply: WebhookResponse = { status: 200, headers: { 'Content-Type': 'text/xml' }, body: Buffer.from('<Response/>') };
