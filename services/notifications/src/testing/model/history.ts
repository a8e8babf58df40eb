import { randomUUID } from 'node:crypto';
import { directoryCustomer, queueCalled } from '@corner/contracts';
import { envelopeOf, erasedEvent, erasureBy, inTurn, until } from '@corner/testkit';
import { sql } from 'slonik';
import { z } from 'zod';
import { writeCampaigns } from '../../campaigns/entry-points.ts';
import { erasing } from '../../customers/entry-points.ts';
import { deliverDueMessages } from '../../messages/sagas/deliver-due-messages.ts';
import { customerSeenEvent, queueEvents } from '../../messages/testing/events.ts';
import { baseUrl, type WalletTestbed } from '../../wallet/testing/testbed.ts';
import { arrivalsOf } from './arrivals.ts';
import { leftOfErased, violationsInRows } from './invariants.ts';
import { occasionOf } from './occasions.ts';
import { type Person, people, type Round, type Step, type StepOf } from './steps.ts';
import { type Cause, type Customer, causeIn, type History } from './world.ts';

export async function openHistory(testbed: WalletTestbed) {
  const { running, sandbox, clock } = testbed;
  const { context, url } = running.service;
  const { storeId } = await testbed.guest();
  sandbox.inbox.empty();
  sandbox.controls.clearFaults();
  sandbox.controls.receiveTexts({ url: `${url}/webhooks/twilio`, address: `${baseUrl}/webhooks/twilio` });
  const customers = Object.fromEntries(people.map((name) => [name, customerOf(name)])) as Record<Person, Customer>;
  const causes = new Map<number, Cause>();
  let erased: History['erased'] = 'no';
  const history: History = { testbed, storeId, customers, causes, get erased() { return erased; } }; // biome-ignore format: one line
  const arrivals = arrivalsOf(history);
  const wrong: string[] = [];
  const consume = inTurn(running.consume);

  const request = async (claims: Parameters<typeof running.issuer.token>[0], method: string, path: string, body?: object) => {
    const token = await running.issuer.token(claims);
    const response = await fetch(`${url}/api/v1/notifications/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each operation has a body of its own
    return { status: response.status, body: (await response.json()) as any };
  };
  const send = (who: Person, method: string, path: string, body?: object) =>
    request({ typ: 'customer', sub: customers[who].id }, method, path, body);
  const asManager = (path: string, body: object) =>
    request({ typ: 'merchant', stores: [{ id: storeId, role: 'manager' }] }, 'POST', `stores/${storeId}/${path}`, body);
  const change = async (who: Person, path: string, body: object): Promise<boolean> => {
    const { status, body: reply } = await send(who, 'POST', path, body);
    const result = status === 200 ? '200' : String(reply.error?.code);
    const refused = who !== 'zed' || erased === 'no' ? [] : ['UNAUTHENTICATED'];
    if (![...(who === 'zed' && erased === 'before' ? [] : ['200']), ...refused].includes(result))
      wrong.push(`${path} of ${who}, erased ${erased}: ${status} ${result}`);
    return status === 200;
  };
  const snapshot = (who: Person, version: number, hasPhone: boolean) => {
    const { id, mark, email, phone, number } = customers[who];
    const push_devices = hasPhone ? [{ id: phone, platform: 'android' as const }] : [];
    const data = { id, version, name: mark, email, phone: number, push_devices };
    return consume(envelopeOf(directoryCustomer, data, { aggregateId: id, sequence: version, customerId: id }));
  };
  const guestOf = (who: Person) => ({ ...customers[who], customerId: customers[who].id, storeId });
  const shownTo = (who: Person) => ({ text: `May we write to ${customers[who].mark}?`, locale: 'en' });

  type Actions = { readonly [K in Step['do']]: (step: StepOf<K>) => Promise<unknown> };
  const actions: Actions = {
    async prefer({ who, toggle, on }) {
      if (await change(who, 'preferences', { storeId, [toggle]: on })) arrivals.switched(who, toggle, on);
    },
    async marketing({ who, by, yes }) {
      const shown = shownTo(who);
      const isChanged =
        by === 'question'
          ? await change(who, 'marketing-opt-in', { store_id: storeId, accepted: yes, shown })
          : await change(who, 'preferences', { storeId, marketingEnabled: yes, shown });
      if (isChanged) arrivals.switched(who, 'marketingEnabled', yes);
    },
    async link({ who, app }) {
      const token = arrivals.apps[app] as string;
      arrivals.mayReach(token, who);
      await change(who, 'devices', { platform: 'android', token, name: `An app of ${customers[who].mark}` });
    },
    async unlink({ who }) {
      const { devices } = (await send(who, 'GET', 'devices')).body;
      if (devices?.[0]) await send(who, 'DELETE', `devices/${devices[0].device_id}`);
    },
    async addPass({ who }) {
      await send(who, 'GET', `wallet/passes?store_id=${storeId}`);
      const { id, mark } = customers[who];
      const [pass] = await running.service.database.any(sql.type(z.object({ serial: z.string(), auth_token: z.string() }))`
        select serial, auth_token from pass where customer_id = ${id} order by serial limit 1`);
      if (!pass) return;
      const path = `devices/watch-${mark}/registrations/pass.com.example.corner/${pass.serial}`;
      await fetch(`${url}/api/v1/notifications/wallet/apple/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `ApplePass ${pass.auth_token}` },
        body: JSON.stringify({ pushToken: `push${mark}` }),
      });
    },
    async event({ who, about, late }) {
      const n = causes.size + 1;
      const cause = { ...occasionOf(about, guestOf(who), { n, sequence: late ? 1 : n, now: clock.now() }), who };
      causes.set(n, cause);
      if (cause.envelope) await running.consume(cause.envelope);
    },
    async turn({ who }) {
      const until = new Date(clock.now().getTime() + 600_000).toISOString();
      await running.consume(queueEvents(guestOf(who))(queueCalled, 1, until));
    },
    async text({ who, word }) {
      const { status } = await sandbox.controls.text({ from: customers[who].number, text: word });
      if (status !== 200) wrong.push(`the text ${word} of ${who}: ${status}`);
      if (word !== 'Yes') arrivals.texted(who, word === 'START');
    },
    async write({ who }) {
      const [n, cause] = [causes.size + 1, { envelope: null, eventId: null, who, toggles: ['messagesMuted'] } as const];
      causes.set(n, cause);
      const { status, body } = await asManager('messages', { customer_id: customers[who].id, text: `Words #${n}` });
      if (status === 200) causes.set(n, { ...cause, eventId: body.message.id });
      else if (who !== 'zed' || erased === 'no') wrong.push(`what staff wrote to ${who}: ${status} ${body.error?.code}`);
    },
    async campaign() {
      const n = causes.size + 1;
      causes.set(n, { envelope: null, eventId: null, who: null, toggles: ['messagesMuted', 'marketingEnabled'] });
      const { body } = await asManager('campaigns', { audience: { kind: 'everyone' }, title: `News #${n}`, body: 'Come in.' });
      const { status } = await asManager(`campaigns/${body.campaign?.id}/send`, {});
      if (status !== 200) wrong.push(`a campaign: ${status}`);
    },
    async eventAgain({ back }) {
      const events = [...causes.values()].flatMap(({ envelope }) => envelope ?? []);
      const event = events.at(-1 - (back % Math.max(1, events.length)));
      if (event) await running.consume(event);
    },
    async unsubscribe({ who }) {
      const link = sandbox.inbox.to(customers[who].email).findLast(({ headers }) => headers['list-unsubscribe']);
      const path = /<https?:\/\/[^/]+(\/unsubscribe\/[^>]+)>/.exec(link?.headers['list-unsubscribe'] ?? '')?.[1];
      if (!path) return;
      const { status } = await fetch(`${url}${path}`, { method: 'POST' });
      const toggle = causes.get((link && causeIn(link)) ?? 0)?.toggles.at(-1);
      if (status === 200 && toggle) arrivals.switched(who, toggle, toggle === 'messagesMuted');
      else if (status !== 404 && !(who === 'zed' && erased === 'now')) wrong.push(`unsubscribe of ${who}: ${status}`);
    },
    async fail({ who, at, how }) {
      const to = at === 'smtp' ? customers[who].email : customers[who].phone;
      sandbox.controls.fail({ at, how, to });
      if (how === 'hang_up_after') arrivals.mayRepeat(who);
    },
    snapshot: ({ who, version, hasPhone }) => snapshot(who, version, hasPhone),
    async erase({ sequence }) {
      if (erased === 'no') erased = 'now';
      await consume(erasedEvent(customers.zed.id, sequence));
    },
    finishErasures: () => erasing.job.run(context),
  };

  const settle = () =>
    until(
      async () => {
        await writeCampaigns(context);
        await Promise.all([deliverDueMessages(context), deliverDueMessages(context, 'campaigns')]);
        return await running.service.database.oneFirst(sql.type(z.object({ settled: z.boolean() }))`
          select not exists (select from topic where lease_token is not null or due_at <= ${clock.now().toISOString()}) as settled`);
      },
      { describe: 'no topic is leased or due' },
    );
  const atRest = async () => {
    await settle();
    await arrivals.judge(wrong);
    wrong.push(...(await violationsInRows(history, arrivals)), ...(await leftOfErased(history, 'now')));
    if (erased === 'now') erased = 'before';
  };

  for (const who of people) {
    await snapshot(who, 1, who !== 'bea');
    await running.consume(customerSeenEvent(customers[who].id, storeId, clock.now().toISOString()));
  }
  return {
    wrong,
    async take({ steps, seconds }: Round): Promise<void> {
      await Promise.all(
        steps.flatMap((step) =>
          Array.from({ length: 'callers' in step ? step.callers : 1 }, () => (actions[step.do] as (step: Step) => Promise<unknown>)(step)),
        ),
      );
      await atRest();
      await testbed.advance(seconds);
      await atRest();
    },
    async end(): Promise<void> {
      for (let times = 0; times < 3; times += 1) {
        await testbed.advance(50_000);
        await atRest();
      }
      if (erased === 'no') return;
      await erasing.job.run(context);
      const erasure = await erasureBy(running, 'notifications', customers.zed.id);
      wrong.push(...(erasure?.isDone ? [] : ['the erasure is not finished after a day']), ...(await leftOfErased(history, 'for good')));
    },
  };
}

const customerOf = (name: Person): Customer => {
  const id = randomUUID();
  const mark = `${name}${id.slice(0, 8)}`;
  const number = `+4477${String(Number.parseInt(id.slice(0, 8), 16))
    .padStart(10, '0')
    .slice(-8)}`;
  return { id, mark, email: `${mark}@example.com`, phone: `phone-${mark}`, number };
};
