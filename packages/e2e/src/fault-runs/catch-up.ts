import { setTimeout as pause } from 'node:timers/promises';
import { type RequiredService, requiredServices } from '@corner/contracts';
import { consumersOfProducer } from '@corner/simulation';
import pg from 'pg';

/**
 * Seconds until each consumer has processed all committed events, and until each consumer of orders has processed its first new one. Null
 * where that took longer than the limit.
 */
export interface CatchUp {
  readonly processedSeconds: number | null;
  readonly newEventSeconds: number | null;
}

const lookMs = 50;

export async function measureCatchUp(databaseUrl: string, withinMs: number): Promise<CatchUp> {
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1000;
  await using database = reconnecting(databaseUrl);
  const result: { -readonly [Name in keyof CatchUp]: CatchUp[Name] } = { processedSeconds: null, newEventSeconds: null };
  let marks: Marks | null = null;
  do {
    const look = async (client: pg.Client) => {
      marks ??= await readMarks(client);
      if (result.processedSeconds === null) {
        marks = { ...marks, waiting: await stillWaiting(client, marks.waiting) };
        if (marks.waiting.length === 0) result.processedSeconds = elapsed();
      }
      if (result.newEventSeconds === null && (await newEventProcessed(client, marks.lastOrder))) result.newEventSeconds = elapsed();
    };
    await database.query(look).catch(() => {});
    if (result.processedSeconds !== null && result.newEventSeconds !== null) break;
    await pause(lookMs);
  } while (performance.now() - began < withinMs);
  return result;
}

interface Marks {
  readonly lastOrder: string;
  readonly waiting: readonly Waiting[];
}

interface Waiting {
  readonly consumer: RequiredService;
  readonly eventIds: readonly string[];
}

async function readMarks(client: pg.Client): Promise<Marks> {
  const { rows } = await client.query<{ id: string }>('select coalesce(max(id), 0) as id from orders.outbox');
  const waiting: Waiting[] = [];
  for (const producer of requiredServices) {
    for (const consumer of consumersOfProducer(producer)) {
      const lacking = await client.query<{ event_id: string }>(
        `select o.event_id from ${producer}.outbox o where not exists (select from ${consumer}.inbox i where i.event_id = o.event_id)`,
      );
      waiting.push({ consumer, eventIds: lacking.rows.map(({ event_id }) => event_id) });
    }
  }
  return { lastOrder: rows[0]?.id ?? '0', waiting };
}

async function stillWaiting(client: pg.Client, all: readonly Waiting[]): Promise<Waiting[]> {
  const left: Waiting[] = [];
  for (const { consumer, eventIds } of all) {
    const { rows } = await client.query<{ id: string }>(
      `select id from unnest($1::uuid[]) as waiting(id) where not exists (select from ${consumer}.inbox i where i.event_id = waiting.id)`,
      [eventIds],
    );
    if (rows.length > 0) left.push({ consumer, eventIds: rows.map(({ id }) => id) });
  }
  return left;
}

async function newEventProcessed(client: pg.Client, lastOrder: string): Promise<boolean> {
  for (const consumer of consumersOfProducer('orders')) {
    const { rowCount } = await client.query(
      `select from orders.outbox o join ${consumer}.inbox i on i.event_id = o.event_id where o.id > $1 limit 1`,
      [lastOrder],
    );
    if (rowCount === 0) return false;
  }
  return true;
}

function reconnecting(databaseUrl: string) {
  let current: pg.Client | null = null;
  const end = async () => {
    const client = current;
    current = null;
    await client?.end().catch(() => {});
  };
  return {
    async query(work: (client: pg.Client) => Promise<void>) {
      try {
        if (!current) {
          const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2_000 });
          client.on('error', () => {});
          await client.connect();
          current = client;
        }
        await work(current);
      } catch (error) {
        await end();
        throw error;
      }
    },
    [Symbol.asyncDispose]: end,
  };
}
