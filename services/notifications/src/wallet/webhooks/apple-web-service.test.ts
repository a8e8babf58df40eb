import { randomUUID } from 'node:crypto';
import { voucherRedeemed } from '@corner/contracts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'slonik';
import { z } from 'zod';
import { openPass, passOf } from '../testing/open-pass.ts';
import { aPhone, baseUrl, type Guest, type Phones, startPhones } from '../testing/testbed.ts';

let phones: Phones;

beforeAll(async () => {
  phones = await startPhones();
});
afterAll(async () => {
  await phones[Symbol.asyncDispose]();
});

const type = 'pass.com.example.corner';
/** Milliseconds a machine that is busy with other things may take. */

/** A guest’s pass as a phone has it once it was added, and the phone’s requests as Apple documents them. */
async function added(guest: Guest, kind = 'stamp_card') {
  const { apple_url, serial } = (await guest.passes()).find((pass) => pass.kind === kind);
  const bundle = await phones.call('GET', apple_url);
  const { authenticationToken, webServiceURL } = passOf(openPass(Buffer.from(await bundle.arrayBuffer()), phones.folder));
  const phone = aPhone();
  const root = `${webServiceURL}/v1`;
  const proof = { Authorization: `ApplePass ${authenticationToken}` };
  const registration = `${root}/devices/${phone.deviceId}/registrations/${type}`;
  return {
    ...phone,
    serial: serial as string,
    proof,
    pass: `${root}/passes/${type}/${serial}`,
    registration: `${registration}/${serial}`,
    register: (headers: Record<string, string> = proof, { deviceId, pushToken } = phone) =>
      phones.call('POST', `${root}/devices/${deviceId}/registrations/${type}/${serial}`, headers, { pushToken }),
    unregister: (headers: Record<string, string> = proof) => phones.call('DELETE', `${registration}/${serial}`, headers),
    changed: async (since?: string) => {
      const answer = await phones.call('GET', `${registration}${since === undefined ? '' : `?passesUpdatedSince=${since}`}`);
      return answer.status === 200 ? ((await answer.json()) as { serialNumbers: string[]; lastUpdated: string }) : answer.status;
    },
    fetch: (headers: Record<string, string> = {}) => phones.call('GET', `${root}/passes/${type}/${serial}`, { ...proof, ...headers }),
  };
}

const pushesTo = (token: string) => phones.messages.inbox.to(token);
/** Resolves when each of these phones has been pushed so often. */
const pushed = (count: number, ...all: readonly { readonly pushToken: string }[]) =>
  phones.messages.inbox.until(() => all.every(({ pushToken }) => pushesTo(pushToken).length >= count));

test('a phone adds a pass, is told of a change, asks what changed, fetches it, and is told that it has it', async () => {
  const guest = await phones.guest();
  const phone = await added(guest);
  expect((await phone.register()).status).toBe(201);
  expect((await phone.register()).status).toBe(200);
  // Whatever changed between the download and now is not lost: a new phone is told to look.
  await phones.pass(2);
  await pushed(1, phone);
  const first = await phone.changed();
  expect(first).toMatchObject({ serialNumbers: [phone.serial] });
  const tag = (first as { lastUpdated: string }).lastUpdated;
  expect(await phone.changed(tag)).toBe(204);

  await phones.publish(guest.stamp(1, 1));
  await phones.pass(2);
  await pushed(2, phone);
  const [, push] = pushesTo(phone.pushToken);
  expect(push).toMatchObject({ channel: 'wallet', title: type, text: '', data: {}, headers: { 'apns-topic': type } });
  const second = await phone.changed(tag);
  expect(second).toMatchObject({ serialNumbers: [phone.serial] });

  const fetched = await phone.fetch();
  expect(fetched.status).toBe(200);
  expect(fetched.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
  expect(fetched.headers.get('cache-control')).toBe('private, no-cache');
  expect(passOf(openPass(Buffer.from(await fetched.arrayBuffer()), phones.folder)).storeCard.primaryFields[0].value).toBe('1 of 4');
  const lastModified = fetched.headers.get('last-modified') ?? '';
  const again = await phone.fetch({ 'If-Modified-Since': lastModified });
  expect([again.status, await again.text(), again.headers.get('last-modified')]).toEqual([304, '', lastModified]);

  await phones.publish(guest.stamp(2, 2));
  expect((await phone.fetch({ 'If-Modified-Since': lastModified })).status).toBe(200);
  expect((await phone.unregister()).status).toBe(200);
  expect(await phone.changed()).toBe(204);
  await phones.pass(2);
  await phones.pass(2);
  expect(pushesTo(phone.pushToken)).toHaveLength(2);
});

test('editions that follow each other within one second are told apart', async () => {
  const guest = await phones.guest();
  const phone = await added(guest);
  const dates: string[] = [];
  for (const count of [1, 2, 3]) {
    await phones.publish(guest.stamp(count, count));
    const fetched = await phone.fetch(dates.length > 0 ? { 'If-Modified-Since': dates.at(-1) ?? '' } : {});
    expect(passOf(openPass(Buffer.from(await fetched.arrayBuffer()), phones.folder)).storeCard.primaryFields[0].value).toBe(
      `${count} of 4`,
    );
    dates.push(fetched.headers.get('last-modified') ?? '');
    // HTTP knows no date of modification that is still to come.
    expect(Date.parse(dates.at(-1) ?? '')).toBeLessThanOrEqual(phones.clock.now().getTime());
  }
  phones.clock.advance({ seconds: 5 });
  const settled = await phone.fetch({ 'If-Modified-Since': dates.at(-1) ?? '' });
  expect(settled.status).toBe(200);
  expect((await phone.fetch({ 'If-Modified-Since': settled.headers.get('last-modified') ?? '' })).status).toBe(304);
});

describe('a phone that does not prove it has the pass', () => {
  const proofs = {
    'no proof': {},
    'a made-up token': { Authorization: `ApplePass ${'x'.repeat(43)}` },
    'a shorter token': { Authorization: 'ApplePass x' },
    'a bearer token': { Authorization: 'Bearer x' },
  };

  test.each(Object.entries(proofs))('is answered 401 with %s, whatever it asks', async (_, headers) => {
    const phone = await added(await phones.guest());
    const asked = [phone.register(headers), phone.unregister(headers), phones.call('GET', phone.pass, headers)];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(await phone.changed()).toBe(204);
  });

  test('cannot tell a pass that is not there from one that is', async () => {
    const phone = await added(await phones.guest());
    const responses = [phone.pass, ...[randomUUID(), 'no-serial'].map((serial) => phone.pass.replace(phone.serial, serial))].map(
      async (address) => {
        const answer = await phones.call('GET', address, proofs['a made-up token']);
        return [answer.status, await answer.text(), [...answer.headers.keys()].filter((name) => !name.startsWith('ratelimit'))];
      },
    );
    const [known, ...unknown] = await Promise.all(responses);
    expect(known?.[0]).toBe(401);
    for (const answer of unknown) expect(answer).toEqual(known);
  });

  test('is not let to one pass by the token of another, nor by another type of pass', async () => {
    const [one, other] = [await added(await phones.guest()), await added(await phones.guest())];
    expect((await phones.call('GET', one.pass, other.proof)).status).toBe(401);
    expect((await phones.call('GET', one.pass.replace(type, 'pass.com.example.other'), one.proof)).status).toBe(401);
  });
});

test('what phones complain of is counted, and stands in no log', async () => {
  const answer = await phones.call('POST', `${baseUrl}/api/v1/notifications/wallet/apple/v1/log`, {}, { logs: ['Ada’s pass', 'b'] });
  expect(answer.status).toBe(200);
  expect(phones.running.lines).toContainEqual(expect.objectContaining({ lines: 2, msg: 'a wallet reported trouble' }));
  expect(JSON.stringify(phones.running.lines)).not.toContain('Ada');
});

test('neither tokens nor phones stand in a log', async () => {
  const guest = await phones.guest();
  const phone = await added(guest);
  phones.messages.controls.fail({ at: 'apns', how: 'unavailable', to: phone.pushToken });
  await phone.register();
  await phones.pass(2);
  await phones.pass(3_600);
  await pushed(1, phone);
  const logged = JSON.stringify(phones.running.lines);
  expect(logged).toContain('a wallet could not be told');
  for (const secret of [phone.pushToken, phone.deviceId, phone.proof.Authorization.split(' ')[1] ?? '?'])
    expect(logged).not.toContain(secret);
});

describe('a download address', () => {
  test('lapses, and is good for nothing else', async () => {
    const [one, other] = [await phones.guest(), await phones.guest()];
    const address: string = (await one.passes())[0].apple_url;
    const others = (await other.passes())[0];
    const status = async (of: string) => (await phones.call('GET', of)).status;
    expect(await status(address.replace(/\/download\/[^?]+/, `/download/${others.serial}`))).toBe(404);
    expect(await status(address.replace(/expires=(\d)/, 'expires=9$1'))).toBe(404);
    expect(await status(address.replace(/signature=.+/, 'signature='))).toBe(404);
    expect(await status(address)).toBe(200);
    phones.clock.advance({ minutes: 15 });
    expect(await status(address)).toBe(404);
  });

  test('is shown for the caller’s own passes at a store that is known', async () => {
    const [one, other] = [await phones.guest(), await phones.guest()];
    const serials = [(await one.passes())[0].serial, (await one.passes())[0].serial, (await other.passes())[0].serial];
    expect(new Set(serials).size).toBe(2);
    const token = await phones.running.issuer.token({ typ: 'customer' });
    const unknown = `/api/v1/notifications/wallet/passes?store_id=${randomUUID()}`;
    const refused = await phones.call('GET', unknown, { Authorization: `Bearer ${token}` });
    expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([404, 'STORE_NOT_FOUND']);
  });

  test('asked for by many at once makes each pass once', async () => {
    const guest = await phones.guest();
    await phones.publish(guest.voucher(1, randomUUID()), guest.voucher(2, randomUUID()));
    const lists = await Promise.all(Array.from({ length: 10 }, () => guest.passes()));
    expect(new Set(lists.flat().map(({ serial }) => serial)).size).toBe(3);
    const count = await phones.running.service.database.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*) from pass where customer_id = ${guest.customerId}`);
    expect(count).toBe(3);
  });
});

test('a used voucher’s pass is void, and its phone was pushed once for all that happened in one burst', async () => {
  const guest = await phones.guest();
  const voucherId = randomUUID();
  await phones.publish(guest.stamp(1, 4), guest.voucher(2, voucherId));
  const [card, voucher] = [await added(guest), await added(guest, 'voucher')];
  for (const phone of [card, voucher]) await phone.register();
  await phones.pass(2);
  await pushed(1, card, voucher);

  await phones.publish(guest.stamp(3, 1), guest.stamp(4, 2), guest.voucher(5, voucherId, voucherRedeemed), guest.stamp(6, 3));
  await phones.pass(1.9);
  expect([card, voucher].map(({ pushToken }) => pushesTo(pushToken).length)).toEqual([1, 1]);
  await phones.pass(0.1);
  await pushed(2, card, voucher);
  await phones.pass(60);
  expect([card, voucher].map(({ pushToken }) => pushesTo(pushToken).length)).toEqual([2, 2]);
  const shown = async (phone: typeof card) => passOf(openPass(Buffer.from(await (await phone.fetch()).arrayBuffer()), phones.folder));
  expect(await shown(voucher)).toMatchObject({ voided: true });
  expect((await shown(card)).storeCard.primaryFields).toMatchObject([{ value: '3 of 4' }]);
});
