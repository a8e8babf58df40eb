import { randomUUID } from 'node:crypto';
import { dataSchemaOf, directoryCustomer, subjectOf } from '@corner/contracts';
import type { RunningSystem } from '@corner/sandbox/system';
import { jetstream } from '@nats-io/jetstream';
import pg from 'pg';
import type { Marks } from './marks.ts';
import { connectedTo } from './secrets-scenario.ts';

const subject = subjectOf('directory', directoryCustomer, undefined);

const customer = (data: object) => ({
  specversion: '1.0',
  id: randomUUID(),
  source: '/directory',
  type: directoryCustomer.type,
  dataschema: dataSchemaOf(directoryCustomer),
  subject: randomUUID(),
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  sequence: Date.now(),
  data: { version: Date.now(), id: randomUUID(), ...data },
});

export async function publishRefusedRows(system: RunningSystem, marks: Marks): Promise<string[]> {
  const [invalid, ...duplicates] = [randomUUID(), randomUUID(), randomUUID()];
  const database = new pg.Client({ connectionString: system.databaseUrl });
  await database.connect();
  await database.query(`alter table loyalty.customer add check (id <> '${invalid}' or name::uuid is not null)`);
  await database.query(`create unique index on loyalty.customer (name) where id in ('${duplicates.join("', '")}')`);
  await database.end();
  const shared = marks.plant('a name that two rows may not share');
  const events = [
    customer({ id: invalid, name: marks.plant('a name that is quoted as no value of its type') }),
    ...duplicates.map((id) => customer({ id, name: shared })),
  ];
  await using nats = await connectedTo(system);
  for (const event of events) await jetstream(nats.connection).publish(subject, JSON.stringify(event));
  return events.map(({ id }) => id);
}

export async function publishPoisonEvents(system: RunningSystem, marks: Marks): Promise<string[]> {
  await using nats = await connectedTo(system);
  const poison = [
    customer({
      name: { first: marks.plant('a poisoned name') },
      email: [marks.plant('a poisoned e-mail')],
      phone: 7,
      push_devices: [{ id: marks.plant('a poisoned device'), platform: marks.plant('a poisoned platform') }],
    }),
    customer({
      name: `${marks.plant('a name no database takes')}\0`,
      email: `${marks.plant('an e-mail no database takes')}\0@mail.example`,
      phone: `${marks.plant('a phone no database takes')}\0`,
    }),
    customer({
      name: marks.plant('a name of a version too high'),
      version: 9_007_199_254_740_991,
      memberships: [{ store_id: randomUUID(), status: marks.plant('a poisoned status'), current_period_end: '+275760-09-13T00:00:00Z' }],
    }),
  ];
  const js = jetstream(nats.connection);
  for (const event of poison) await js.publish(subject, JSON.stringify(event));
  await js.publish(subject, JSON.stringify({ id: randomUUID(), name: marks.plant('a name in no event') }));
  await js.publish(subject, `{"phone": "${marks.plant('a phone in half an event')}`);
  return poison.map(({ id }) => id);
}
