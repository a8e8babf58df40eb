import { CornerError, type CornerErrorCode } from '@corner/client';
import { expect, test } from '@jest/globals';
import { collectStamp, keepTap, lastTap, type Tap, type TapEnvironment } from './taps.ts';

const storeId = '0190a000-0000-7000-8000-000000000001';
const address = '?store=S1&key_version=2&picc_data=AB&cmac=CD';
const other = '?store=S1&key_version=2&picc_data=EF&cmac=01';

function phone() {
  const values = new Map<string, string>();
  const asked: { readonly path: string; readonly body: Record<string, unknown>; readonly key: string | undefined }[] = [];
  const replies: ('lost' | CornerErrorCode)[] = [];
  let stamps = 0;
  const stampOfCode = new Map<string, string>();
  const codeOf = (body: Record<string, unknown>) => (minuteIsOne ? 'STAMP-SAME' : `STAMP-${body.nfc_cmac}`);
  let minuteIsOne = false;
  const post = async (
    path: string,
    options: { readonly body: Record<string, unknown>; readonly params?: { readonly header?: Record<string, string> } },
  ) => {
    const { body, params } = options;
    asked.push({ path, body, key: params?.header?.['Idempotency-Key'] });
    const reply = replies.shift();
    if (reply && reply !== 'lost') throw new CornerError({ code: reply, status: 409, message: reply });
    const data = serve(path, body);
    if (reply === 'lost') throw new CornerError({ code: 'UNREACHABLE', status: 0, message: 'no reply' });
    return { data };
  };
  const serve = (path: string, body: Record<string, unknown>): object => {
    if (path.endsWith('/stamp-codes')) return { code: codeOf(body) };
    if (path.endsWith('/sync-offline')) return { results: [{ receipt_id: 'r', success: true, stamp_id: 'late', stamp_status: 'pending' }] };
    const before = stampOfCode.get(String(body.code));
    const stamp_id = before ?? `stamp-${++stamps}`;
    stampOfCode.set(String(body.code), stamp_id);
    return {
      stamp_id,
      store_id: storeId,
      store_code: 'S1',
      approval_reason: 'nfc_proof',
      current_stamps: stamps,
      goal: 5,
      counts_now: true,
      voucher_earned: false,
      already_redeemed: before !== undefined,
    };
  };
  const oneMinute = () => {
    minuteIsOne = true;
  };
  const env: TapEnvironment = {
    client: { POST: post as unknown as TapEnvironment['client']['POST'] },
    storage: {
      getItem: (name) => values.get(name) ?? null,
      setItem: (name, value) => void values.set(name, value),
      removeItem: (name) => void values.delete(name),
    },
    lock: (_name, run) => run(),
    now: () => 1_800_000_000_000,
  };
  const tapped = (search = address): Tap => {
    const tap = keepTap(search, env);
    if (!tap) throw new Error(`no tap is in ${search}`);
    return tap;
  };
  return { env, asked, replies, tapped, stamps: () => stamps, oneMinute };
}

test('a tap becomes one stamp; a reload and a second tab send nothing more', async () => {
  const { env, asked, tapped } = phone();
  const outcome = await collectStamp(tapped(), storeId, env);
  expect(outcome).toMatchObject({ kind: 'counts', stamp_id: 'stamp-1', store_code: 'S1', count: 1, goal: 5 });
  expect(asked.map(({ path }) => path.split('/').at(-1))).toEqual(['stamp-codes', 'redeem']);
  expect(asked[0]?.body).toMatchObject({ nfc_picc_data: 'AB', nfc_cmac: 'CD', nfc_key_version: '2' });
  expect(await collectStamp(tapped(), storeId, env)).toEqual(outcome);
  expect(lastTap(env)?.outcome).toEqual(outcome);
  expect(asked).toHaveLength(2);
});

test.each([[['lost']], [['UNREADABLE', 'lost']]] as const)('after lost replies (%j) the same requests give the one stamp', async (lost) => {
  const { env, asked, replies, tapped, stamps } = phone();
  replies.push(...lost);
  for (const _ of lost) await expect(collectStamp(tapped(), storeId, env)).rejects.toThrow(CornerError);
  expect(tapped().outcome).toBeNull();
  expect(await collectStamp(tapped(), storeId, env)).toMatchObject({ kind: 'counts', stamp_id: 'stamp-1' });
  expect(new Set(asked.map(({ key }) => key).filter(Boolean)).size).toBe(1);
  expect(stamps()).toBe(1);
});

test('another tap within a minute gets the same code, and says that it was too soon', async () => {
  const { env, tapped, oneMinute } = phone();
  oneMinute();
  await collectStamp(tapped(), storeId, env);
  expect(await collectStamp(tapped(other), storeId, env)).toMatchObject({ kind: 'too soon', stamp_id: 'stamp-1' });
});

test('a refusal is kept: the same tap is not sent again', async () => {
  const { env, asked, replies, tapped } = phone();
  replies.push('NFC_TAP_REPLAYED');
  expect(await collectStamp(tapped(), storeId, env)).toEqual({ kind: 'refused', code: 'NFC_TAP_REPLAYED' });
  expect(await collectStamp(tapped(), storeId, env)).toEqual({ kind: 'refused', code: 'NFC_TAP_REPLAYED' });
  expect(asked).toHaveLength(1);
});

test('a tap without a connection, whose counter others have passed meanwhile, is sent as a receipt for the shop to look at', async () => {
  const { env, asked, replies, tapped } = phone();
  replies.push('lost', 'NFC_TAP_REPLAYED');
  await expect(collectStamp(tapped(), storeId, env)).rejects.toThrow(CornerError);
  expect(await collectStamp(tapped(), storeId, env)).toMatchObject({ kind: 'waits', stamp_id: 'late', reason: 'late' });
  expect(asked.at(-1)?.body).toMatchObject({
    stamps: [{ store_code: storeId, nfc_cmac: 'CD', tap_timestamp: '2027-01-15T08:00:00.000Z' }],
  });
});

test('an address without a proof is no tap', () => {
  const { env } = phone();
  expect([keepTap('?store=S1', env), keepTap('?picc_data=AB', env), lastTap(env)]).toEqual([undefined, undefined, undefined]);
});
