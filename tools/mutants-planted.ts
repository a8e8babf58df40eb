/** A fault to plant, and who must notice. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly plant: string;
  /** jest patterns. */
  readonly tests: readonly string[];
}

const chassis = 'packages/chassis/src';

export const mutants: readonly Mutant[] = [
  {
    name: 'an event is acknowledged before its effects are committed',
    file: `${chassis}/lanes.ts`,
    find: 'await using _ = keepAlive([...batch, ...queue]);',
    plant: "for (const { message } of batch) said(message, 'ack');\n  await using _ = keepAlive([...batch, ...queue]);",
    tests: ['chassis/src/listen.test'],
  },
  {
    name: 'the inbox is written outside the transaction of the effects',
    file: `${chassis}/inbox.ts`,
    find: 'const fresh = await recordHeard(tx, batch);',
    plant: 'const fresh = await options.database.transaction((own) => recordHeard(own, batch));',
    tests: ['chassis/src/listen.test'],
  },
  {
    name: 'the relay reads by a cursor over ids',
    file: `${chassis}/relay-ticks.ts`,
    find: `        select * from outbox where transaction_id >= $1::xid8
        union all
        select * from outbox where transaction_id = any($2::xid8[])`,
    plant: `        select * from outbox where ($1::xid8 is null or $2::xid8[] is null or true)
          and id > coalesce((select max(p.id) from outbox p, relay_state s where pg_visible_in_snapshot(p.transaction_id, s.snapshot)), 0)`,
    tests: ['chassis/src/relay.test'],
  },
  {
    name: 'the relay takes an acknowledgement for the last word',
    file: `${chassis}/relay-amnesia.ts`,
    find: 'return message?.header?.get(',
    plant: 'return true || message?.header?.get(',
    tests: ['chassis/src/relay.test'],
  },
];
