import { createLog, startService } from '@corner/chassis';
import { simulatePrinter } from '@corner/sandbox/printers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readOrdersConfig } from '../config.ts';
import { ordersService } from '../service.ts';
import { customer, worker } from '../testing/callers.ts';
import { type OpenStore, type Running, startRunning } from '../testing/running.ts';
import { printHours } from './rules/printing.ts';
import { addKitchenPrinter, confirmRaw, pollRaw, printAll, takeRaw, ticketsOf } from './testing/kitchen.ts';

let running: Running;
beforeAll(async () => {
  running = await startRunning();
});
afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

async function kitchenOf(options: Parameters<Running['openStore']>[0] = {}) {
  const store = await running.openStore(options);
  const kitchen = await addKitchenPrinter(running, store);
  return { store, kitchen, staff: worker(running, store) };
}
const pay = async (store: OpenStore, request: Record<string, unknown> = {}): Promise<string> =>
  (await customer(running).paid(store, request)).order_id;
const cancel = (store: OpenStore, orderId: string) =>
  worker(running, store).call('PATCH', `/api/v1/orders/${orderId}/status`, { store_id: store.id, status: 'cancelled' });

describe('a paid order', () => {
  test('is printed once by each printer of the store, and by no other store’s', async () => {
    const { store, kitchen } = await kitchenOf();
    const bar = await addKitchenPrinter(running, store);
    const elsewhere = await kitchenOf();
    await pay(store);
    for (const printer of [kitchen, bar]) {
      expect(await printAll(printer)).toEqual([expect.stringMatching(/^S1-\d+\n[\s\S]* 1 x Flat white\n 1 x Croissant\n[\s\S]*PAID$/)]);
      expect(await printAll(printer)).toEqual([]);
    }
    expect(await printAll(elsewhere.kitchen)).toEqual([]);
  });

  test('costs nothing more when it is paid: its ticket is made when the printer asks', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    expect(await ticketsOf(running, kitchen.id)).toEqual([]);
    expect(await kitchen.listed()).toMatchObject({ tickets_waiting: 1 });
    await printAll(kitchen);
    expect(await kitchen.listed()).toMatchObject({ tickets_waiting: 0, tickets_not_printed: 0 });
  });

  test('that was accepted before the printer was added, that is not paid or not accepted is not printed', async () => {
    const store = await running.openStore({ auto_accept: false });
    await pay(store);
    running.clock.advance({ seconds: 1 });
    const kitchen = await addKitchenPrinter(running, store);
    await customer(running).create(store);
    const waiting = await pay(store, { collection_mode: 'now' });
    expect(await printAll(kitchen)).toEqual([]);
    await worker(running, store).advance(waiting, 'accepted');
    expect(await printAll(kitchen)).toHaveLength(1);
  });

  test('with legs is printed part by part, each with its own code', async () => {
    const { store, kitchen } = await kitchenOf();
    const groups = [
      { role: 'now', items: [{ menu_item_id: 'flat-white', quantity: 1 }] },
      { role: 'collect', collection_mode: 'now', items: [{ menu_item_id: 'croissant', quantity: 2 }] },
    ];
    await pay(store, { items: [], fulfilment_groups: groups });
    const [first = '', second = '', ...more] = await printAll(kitchen);
    expect([first.includes('Flat white'), first.includes('Croissant'), first.includes('Code')]).toEqual([true, false, false]);
    expect([second.includes('Flat white'), second.includes(' 2 x Croissant'), second.includes('Code ')]).toEqual([false, true, true]);
    expect(more).toEqual([]);
  });

  test('that was handed over or cancelled before the printer asked is not printed', async () => {
    const { store, kitchen, staff } = await kitchenOf();
    const [handed, cancelled] = [await pay(store), await pay(store)];
    await staff.call('PATCH', `/api/v1/orders/${handed}/status`, { store_id: store.id, status: 'fulfilled' });
    await cancel(store, cancelled);
    expect(await printAll(kitchen)).toEqual([]);
  });

  test('that is cancelled after it was printed is printed as cancelled, once', async () => {
    const { store, kitchen } = await kitchenOf();
    const [orderId, other] = [await pay(store), await pay(store)];
    await printAll(kitchen);
    await cancel(store, orderId);
    expect(await printAll(kitchen)).toEqual([expect.stringMatching(/^\*\*\* CANCELLED \*\*\*\nS1-/)]);
    expect(await printAll(kitchen)).toEqual([]);
    await worker(running, store).call('PATCH', `/api/v1/orders/${other}/status`, { store_id: store.id, status: 'fulfilled' });
    expect(await printAll(kitchen)).toEqual([]);
  });
});

describe('a print job', () => {
  test('follows the protocol: it is offered with its forms and a token, taken by type, and confirmed', async () => {
    const { store, kitchen } = await kitchenOf();
    expect((await pollRaw(kitchen.url)).body).toEqual({ jobReady: false });
    await pay(store);
    const { body } = await pollRaw(kitchen.url, { statusCode: '200%20OK', clientAction: null, printingInProgress: false });
    expect(body).toEqual({
      jobReady: true,
      mediaTypes: ['application/vnd.star.starprntcore', 'application/vnd.star.line', 'text/plain'],
      jobToken: expect.any(String),
      deleteMethod: 'DELETE',
    });
    const taken = await takeRaw(kitchen.url, body.jobToken);
    expect([taken.status, taken.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const text = await taken.text();
    expect(await (await takeRaw(kitchen.url, body.jobToken)).text()).toBe(text);
    expect((await takeRaw(kitchen.url, body.jobToken, 'image/png')).status).toBe(415);
    expect((await takeRaw(kitchen.url, 'another')).status).toBe(404);
    expect((await confirmRaw(kitchen.url, body.jobToken)).status).toBe(200);
    expect((await takeRaw(kitchen.url, body.jobToken)).status).toBe(404);
    expect((await pollRaw(kitchen.url)).body).toEqual({ jobReady: false });
  });

  test('is confirmed by a GET with `delete` too, and `OK` means 200', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    const { body } = await pollRaw(kitchen.url);
    const query = new URLSearchParams({ mac: '00:11:62:00:00:02', code: 'OK', token: body.jobToken });
    expect((await fetch(`${kitchen.url}?${query}&delete`)).status).toBe(200);
    expect(await ticketsOf(running, kitchen.id)).toMatchObject([{ printed: true }]);
  });

  test('that a process offered and died is offered again by the next one, under the same token, and ends once', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    const offered = await (async () => {
      const config = readOrdersConfig({ ...running.environment });
      await using dying = await startService(ordersService(config), config, {
        keys: running.issuer.keys,
        log: createLog('orders', 'error'),
        now: running.clock.now,
        timersHeld: true,
      });
      const url = dying.url + new URL(kitchen.url).pathname;
      const { body } = await pollRaw(url);
      expect((await takeRaw(url, body.jobToken)).status).toBe(200);
      return body;
    })();
    expect((await pollRaw(kitchen.url)).body).toEqual(offered);
    expect((await takeRaw(kitchen.url, offered.jobToken)).status).toBe(200);
    expect((await confirmRaw(kitchen.url, offered.jobToken)).status).toBe(200);
    expect((await pollRaw(kitchen.url)).body).toEqual({ jobReady: false });
  });

  test('whose confirmation was lost is printed again under the same token: paper cannot be asked what is on it', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    kitchen.device.loseConfirmation();
    const [first, again] = await printAll(kitchen);
    expect(again).toBe(first);
    const tokens = kitchen.device.printed.map(({ jobToken }) => jobToken);
    expect(new Set(tokens).size).toBe(1);
    expect(await ticketsOf(running, kitchen.id)).toMatchObject([{ printed: true, failures: 0 }]);
  });

  test('that is confirmed late, twice or with an error afterwards stays as it ended', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    await printAll(kitchen);
    const [{ jobToken } = { jobToken: '' }] = kitchen.device.printed;
    const before = await ticketsOf(running, kitchen.id);
    await pay(store);
    for (const code of ['200 OK', '511 Media decoding error']) expect(await kitchen.device.confirmAgain(jobToken, code)).toBe(200);
    expect(await ticketsOf(running, kitchen.id)).toEqual(before);
    expect(await printAll(kitchen)).toHaveLength(1);
  });

  test('is one for two polls at once, and another for another order after it', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    await pay(store);
    const polls = await Promise.all([1, 2, 3, 4].map(() => pollRaw(kitchen.url)));
    const tokens = new Set(polls.map(({ body }) => body.jobToken));
    expect(tokens.size).toBe(1);
    const [token = ''] = tokens;
    await Promise.all([confirmRaw(kitchen.url, token), confirmRaw(kitchen.url, token)]);
    expect((await pollRaw(kitchen.url)).body.jobToken).not.toBe(token);
    expect((await ticketsOf(running, kitchen.id)).map(({ printed }) => printed)).toEqual([true, false]);
  });
});

describe('a job that failed', () => {
  test('for its data is offered again, after the others and as plain text, five times at most, and is shown', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    const picky = simulatePrinter({ url: kitchen.url, mediaTypes: ['image/png'] });
    expect(await picky.poll()).toEqual({ jobReady: true, code: '510 Incompatible media type' });
    expect((await pollRaw(kitchen.url)).body).toMatchObject({ mediaTypes: ['text/plain'] });
    expect(await kitchen.listed()).toMatchObject({ detail: 'The printer cannot read its tickets.', tickets_waiting: 1 });
    await pay(store);
    expect((await picky.poll())?.code).toBe('510 Incompatible media type');
    for (let turns = 0; (await picky.poll())?.jobReady; turns += 1) expect(turns).toBeLessThan(10);
    expect((await ticketsOf(running, kitchen.id)).map(({ failures }) => failures)).toEqual([5, 5]);
    expect(await kitchen.listed()).toMatchObject({ tickets_waiting: 0, tickets_not_printed: 2 });
  });

  test('for want of paper is offered again under another token, however often, and nothing is offered meanwhile', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    const tokens = new Set<string>();
    for (let turn = 0; turn < 7; turn += 1) {
      const { body } = await pollRaw(kitchen.url);
      tokens.add(body.jobToken);
      await confirmRaw(kitchen.url, body.jobToken, '410 Paper Empty');
    }
    expect(tokens.size).toBe(7);
    kitchen.device.status('410 Paper Empty');
    expect(await kitchen.device.poll()).toEqual({ jobReady: false });
    kitchen.device.status('200 OK');
    expect(await printAll(kitchen)).toHaveLength(1);
  });
});

describe('a printer that was away', () => {
  test('prints what came meanwhile, the first first, and nothing that was due too long ago, which it counts', async () => {
    const { store, kitchen } = await kitchenOf();
    await printAll(kitchen);
    kitchen.device.away(true);
    expect(await kitchen.device.poll()).toBeNull();
    await pay(store, { collection_mode: 'now' });
    running.clock.advance({ hours: printHours, minutes: 30 });
    const late = [await pay(store, { collection_mode: 'now' }), await pay(store, { collection_mode: 'now' })];
    expect(await kitchen.listed()).toMatchObject({ status: 'away', tickets_waiting: 2, tickets_not_printed: 1 });
    kitchen.device.away(false);
    const printed = await printAll(kitchen);
    const numbers = await Promise.all(late.map(async (id) => (await worker(running, store).get(id)).body.order.order_number));
    expect(printed.map((text) => text.split('\n', 1)[0])).toEqual(numbers);
    expect(await kitchen.listed()).toMatchObject({ status: 'online', tickets_waiting: 0, tickets_not_printed: 1 });
    running.clock.advance({ hours: 24 });
    expect(await kitchen.listed()).toMatchObject({ tickets_not_printed: 0 });
  });
});

describe('an address of a printer', () => {
  test('that no printer has is the 404 of a path that does not exist', async () => {
    const url = `${running.service.url}/printers/${'a'.repeat(43)}`;
    const replies = [await pollRaw(url), await pollRaw(`${running.service.url}/printer`)];
    const [unknown, nowhere] = replies.map(({ status, body }) => [status, body.error.code, body.error.message]);
    expect(unknown).toEqual(nowhere);
    expect((await takeRaw(url, 'a')).status).toBe(404);
    expect((await confirmRaw(url, 'a')).status).toBe(404);
  });

  test.each(['', 'null', '{"statusCode": 200}', '[', '{"printingInProgress": "yes"}'])('refuses the status %p', async (body) => {
    const { kitchen } = await kitchenOf();
    expect((await pollRaw(kitchen.url, body)).status).toBe(400);
  });

  test.each([{}, { statusCode: '200%20OK', printingInProgress: true }, { statusCode: '420%20Cover%20open' }, { statusCode: '%' }])(
    'offers nothing to a printer that says %p',
    async (body) => {
      const { store, kitchen } = await kitchenOf();
      await pay(store);
      expect((await pollRaw(kitchen.url, body)).body).toEqual({ jobReady: false });
    },
  );

  test('refuses a confirmation without a code', async () => {
    const { kitchen } = await kitchenOf();
    expect((await fetch(`${kitchen.url}?token=a`, { method: 'DELETE' })).status).toBe(400);
  });

  test('is in no line of the log and in no recorded refusal', async () => {
    const { store, kitchen } = await kitchenOf();
    await pay(store);
    await printAll(kitchen);
    await pollRaw(kitchen.url, '[');
    await confirmRaw(kitchen.url, 'a', '520 Timeout');
    const token = kitchen.url.split('/').at(-1) ?? '';
    expect(token).toHaveLength(43);
    const lines = running.lines.map((line) => JSON.stringify(line));
    expect(lines.some((line) => line.includes('POST /printers/{token}'))).toBe(true);
    expect(lines.filter((line) => line.includes(token))).toEqual([]);
  });
});
