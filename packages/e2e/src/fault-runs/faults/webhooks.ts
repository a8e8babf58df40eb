import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { callApi } from '../../testing/call-api.ts';
import type { Fault } from '../fault.ts';
import { moveOrders } from '../receivers/move-orders.ts';
import type { Receivers, RunWebhook } from '../receivers/receivers.ts';
import { ownerTokenOf } from '../receivers/webhooks-agree.ts';
import type { Stage } from '../stage.ts';
import { type Killable, killOnce } from './processes.ts';

/** Seconds between kills in a long run: after a kill, another sender waits up to a minute before it sends the webhook. */
const longestPauseSeconds = 40;

export const webhooks: readonly Fault[] = [
  {
    name: 'kill around webhooks',
    about:
      'staff move orders to and fro; notifications, NATS, Postgres and the two receivers of webhooks are killed with kill -9 in turn, each away for up to two seconds, until each receiver has --events events; of a thousand events, the receivers refuse two, and confirm two others not',
    on: 'receivers',
    async prepare(stage) {
      const receivers = receiversOf(stage);
      if (receivers.webhooks.length === 0) await receivers.add(await createWebhooks(stage, receivers));
    },
    async apply(stage, random, { events, note }) {
      const { system } = stage;
      const receivers = receiversOf(stage);
      const victims: readonly Killable[] = [system.services.notifications, ...receivers.all, system.nats, system.postgres];
      const before = await countEvents(stage);
      const moved = new AbortController();
      const moving = moveOrders(stage, moved.signal);
      let kills = 0;
      for (let count = 0; count < events || kills < victims.length; kills += 1) {
        const victim = victims[kills % victims.length];
        if (victim) await killOnce(victim, random);
        await pause(random() * (kills < victims.length ? 1 : longestPauseSeconds) * 1000);
        count = await countEvents(stage).then(
          (all) => all - before,
          () => count,
        );
        if (kills >= victims.length - 1) note(`${count} events after ${kills + 1} kills`);
      }
      moved.abort();
      await moving;
    },
  },
];

function receiversOf({ receivers }: Stage): Receivers {
  if (!receivers) throw new Error('the system has no receivers');
  return receivers;
}

async function createWebhooks(stage: Stage, { all }: Receivers): Promise<RunWebhook[]> {
  const token = await ownerTokenOf(stage);
  const wanted = stage.directory.stores.flatMap(({ id }) => all.map((receiver) => ({ storeId: id, receiver })));
  return await Promise.all(
    wanted.map(async ({ storeId, receiver }) => {
      const body = { url: receiver.url, description: receiver.way };
      const { webhook, secret } = await callApi(stage.system, 'POST', `/notifications/stores/${storeId}/webhooks`, token, body);
      return { id: webhook.id, storeId, secret, receiver };
    }),
  );
}

async function countEvents({ system, receivers }: Stage): Promise<number> {
  const client = new pg.Client({ connectionString: system.databaseUrl });
  client.on('error', () => {}); // Killing Postgres ends the connection; an unhandled error would end the process.
  await client.connect();
  try {
    const { rows } = await client.query<{ sum: string }>('select coalesce(sum(last_number), 0) as sum from notifications.webhook');
    return Number(rows[0]?.sum) / (receivers?.all.length ?? 1);
  } finally {
    await client.end();
  }
}
