import { outcomeOf } from '@corner/client';
import { newKey } from '@corner/page-kit/browser/attempts';
import { RequestFailed } from '../../logic/refusal.ts';
import { forgetDraft, keepDraft, readDraft } from '../../shell/drafts.ts';
import { renewSession } from '../../shell/queries.ts';
import { request } from '../../shell/request.ts';
import { sendTo } from '../shop/send.ts';
import { changedFields, directoryPath, listChanges } from '../shop/settings/index.ts';
import { codeFor, entriesFor, type OpeningForm, programmeOf, settingsOf } from './opening.ts';

export const steps = ['The shop', 'The menu', 'The reward', 'Open to customers'] as const;
export type Step = (typeof steps)[number];

/** Kept in the tab so that a shop is opened once: the request that was sent, and the store that it created. */
interface Begun {
  readonly key: string;
  readonly body: object;
  readonly storeId: string | null;
}

const name = '/open begun';
const stores = '/api/v1/directory/stores';

/**
 * Each step may be repeated: the store is created by one request, whose key and body are kept until its outcome is known; the other steps
 * read the saved state and send the differences.
 */
export async function openShop(person: string, form: OpeningForm, began: (step: Step) => void): Promise<string> {
  began('The shop');
  const storeId = await createOnce(person, form);
  await renewSession();
  await change<object>(storeId, 'store', '', (saved) => changedFields(saved, { ...settingsOf(form) }));
  began('The menu');
  await change<{ readonly items: readonly Item[] }>(storeId, 'menu', '/menu', ({ items }) => menuChanges(items, form));
  began('The reward');
  await change<object>(storeId, 'programme', '/programme', (saved) => changedFields(saved, programmeOf(form)));
  began('Open to customers');
  await change<object>(storeId, 'store', '', (saved) => changedFields(saved, { status: 'live' }));
  forgetDraft(person, name);
  return storeId;
}

const mostCodes = 20;

async function createOnce(person: string, form: OpeningForm): Promise<string> {
  let begun = readDraft<Begun>(person, name);
  for (let attempt = 0; attempt < mostCodes; attempt++) {
    begun ??= { key: newKey(), body: { ...settingsOf(form), code: codeFor(form.name, attempt) }, storeId: null };
    if (begun.storeId !== null) return begun.storeId;
    keepDraft(person, name, begun);
    try {
      const { store } = await request<{ store: { id: string } }>(stores, { method: 'POST', body: begun.body, key: begun.key });
      keepDraft(person, name, { ...begun, storeId: store.id });
      return store.id;
    } catch (error) {
      if (outcomeOf(error) === 'unknown') throw error;
      forgetDraft(person, name);
      if (!(error instanceof RequestFailed) || error.code !== 'STORE_CODE_TAKEN') throw error;
      begun = null;
    }
  }
  throw new RequestFailed(409, 'STORE_CODE_TAKEN', 'Many stores have this name. Add the street or the town to it.');
}

type Item = { readonly id: string };

function menuChanges(saved: readonly Item[], form: OpeningForm): object {
  const { upsert, remove, order } = listChanges<Item>(saved, entriesFor(form), 'id');
  return {
    ...(upsert.length > 0 ? { items: upsert } : {}),
    ...(remove.length > 0 ? { remove } : {}),
    ...(order ? { order } : {}),
  };
}

async function change<T>(storeId: string, kind: string, rest: string, changesOf: (saved: T) => object): Promise<void> {
  const path = directoryPath(storeId, rest);
  const { version, [kind]: saved } = await request<{ readonly version: number; readonly [kind: string]: unknown }>(path);
  const body = changesOf(saved as T);
  if (Object.keys(body).length > 0) await sendTo('PATCH', path, { of: path, body, match: version });
}
