import { derivedUuid, type Operation } from '@corner/chassis';
import { type ConsentWay, type notifications, Problem, type RequestOf, type ShownText } from '@corner/contracts';
import type { Context } from '../context.ts';
import { isPointOfCurve } from '../crypto.ts';
import { maxMarketingAsks } from './rules/preferences.ts';
import { isAtPushService } from './rules/push-services.ts';
import { deleteDevice, selectDevices, upsertDevice } from './tables/devices.ts';
import { readMarketingState, listPreferences as selectList } from './tables/preferences.ts';
import { listWritten } from './tables/written.ts';
import { type Answering, recordMarketingAnswer, updatePreferences } from './transactions/update-preferences.ts';
import { writeMessage as write } from './transactions/write-message.ts';

export const answerMarketingOptIn: Operation<typeof notifications.answerMarketingOptIn, Context> = async (
  { caller, body: { store_id: storeId, accepted, shown } },
  { database },
) => {
  await database.transaction((tx) => recordMarketingAnswer(tx, { customerId: caller.id, storeId }, accepted, answering('question', shown)));
  return { ok: true };
};

export const readMarketingAsk: Operation<typeof notifications.readMarketingAsk, Context> = async (
  { caller, query: { store_id: storeId } },
  { database },
) => {
  const { decided, storeIsKnown } = await readMarketingState(database, { customerId: caller.id, storeId }, maxMarketingAsks);
  if (!storeIsKnown) throw new Problem('STORE_NOT_FOUND');
  return { ask: !decided };
};

export const listPreferences: Operation<typeof notifications.listPreferences, Context> = async ({ caller }, { database }) => ({
  preferences: [...(await selectList(database, caller.id))],
});

export const upsertPreferences: Operation<typeof notifications.upsertPreferences, Context> = async (
  { caller, body: { storeId, shown, ...changes } },
  { database },
) => {
  await database.transaction((tx) => updatePreferences(tx, { customerId: caller.id, storeId }, changes, answering('preferences', shown)));
  return { storeId, updated: true };
};

/** An app that does not send `shown` is not known to have shown anything. */
const answering = (way: ConsentWay, shown: ShownText | undefined): Answering => (shown ? { way, shown } : { way: 'api', shown: null });

export const linkDevice: Operation<typeof notifications.linkDevice, Context> = async ({ caller, body }, context) => {
  const { platform, name = null } = body;
  const to = body.platform === 'web' ? addressOfBrowser(body.subscription, context) : { address: body.token, keys: null };
  const [id, now] = [context.newId(), context.now()];
  return { device_id: await upsertDevice(context.database, { id, customerId: caller.id, platform, ...to, name, now }) };
};

type Subscription = Extract<RequestOf<typeof notifications.linkDevice>['body'], { platform: 'web' }>['subscription'];

function addressOfBrowser({ endpoint, keys }: Subscription, { webPush }: Context) {
  const refuse = (field: string, fault: string) => {
    throw new Problem('VALIDATION_FAILED', { message: `body.${field}: ${fault}.` });
  };
  if (!webPush) return refuse('platform', 'Web Push is not set up here, so readWebPushKey returns null');
  if (!isAtPushService(endpoint, webPush.services)) refuse('subscription.endpoint', 'must be an https address of a known push service');
  if (!isPointOfCurve(keys.p256dh)) refuse('subscription.keys.p256dh', 'must be a public key of P-256');
  return { address: endpoint, keys };
}

export const listDevices: Operation<typeof notifications.listDevices, Context> = async ({ caller }, { database }) => ({
  devices: [...(await selectDevices(database, caller.id))],
});

export const unlinkDevice: Operation<typeof notifications.unlinkDevice, Context> = async ({ caller, params }, { database }) => {
  await deleteDevice(database, caller.id, params.device_id);
  return { device_id: params.device_id };
};

export const readWebPushKey: Operation<typeof notifications.readWebPushKey, Context> = async (_request, { webPush }) => ({
  public_key: webPush?.publicKey ?? null,
});

/** The customer must have dealt with the store. A repeat after a crash finds the message by its Idempotency-Key. */
export const writeMessage: Operation<typeof notifications.writeMessage, Context> = async (
  { params, body, caller, idempotencyKey },
  { database, newId, messageSignal },
) => {
  const id = idempotencyKey === undefined ? newId() : derivedUuid(`message.write:${caller.id}:${idempotencyKey}`);
  const by = { id: caller.id, name: caller.name };
  const text = { id, storeId: params.store_id, customerId: body.customer_id, text: body.text, by };
  return { message: await database.transaction((tx) => write(tx, text, messageSignal)) };
};

export const listMessagesOfStore: Operation<typeof notifications.listMessagesOfStore, Context> = async (
  { params, query },
  { database },
) => {
  const found = await listWritten(database, { storeId: params.store_id, customerId: query.customer_id ?? null, limit: query.limit });
  if (!found) throw new Problem('STORE_NOT_FOUND');
  return found;
};
