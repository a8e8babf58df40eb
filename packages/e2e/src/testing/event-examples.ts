import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { events, streamOf } from '@corner/contracts';
import { connectNats, type RunningSystem } from '@corner/sandbox';
import { jetstreamManager } from '@nats-io/jetstream';

/** Events of a real run, by type. */
export type EventExamples = Readonly<Record<string, unknown>>;

const file = createRequire(import.meta.url).resolve('@corner/contracts/specs/event-examples.json');

/** Reads the first event of each type that the system's streams hold. */
export async function firstEvents({ natsUrl }: RunningSystem): Promise<EventExamples> {
  const connection = await connectNats(natsUrl, 'test');
  try {
    const { streams } = await jetstreamManager(connection);
    const found: Record<string, unknown> = {};
    for (const { type, version, producers } of events) {
      for (const producer of producers) {
        const next = { seq: 1, next_by_subj: `${producer}.${type}.v${version}.*` };
        const message = await streams.getMessage(streamOf(producer), next);
        if (message) found[type] ??= message.json();
      }
    }
    return found;
  } finally {
    await connection.close();
  }
}

/** Returns the types of events that were seen and have no documented example. With UPDATE_EXAMPLES=1 they get one first. */
export function withoutExample(seen: EventExamples): string[] {
  const documented: EventExamples = JSON.parse(readFileSync(file, 'utf8'));
  const missing = Object.keys(seen).filter((type) => !(type in documented));
  if (!process.env.UPDATE_EXAMPLES) return missing;
  const sorted = Object.entries({ ...seen, ...documented }).toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  return [];
}
