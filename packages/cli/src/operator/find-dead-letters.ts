import { type DeadLetterSummary, listDeadLetters, type ServiceName, services } from '@corner/contracts';
import { Failure } from '../failure.ts';
import type { Services } from './reach-services.ts';

/** A dead letter, and whose. */
export interface Found extends DeadLetterSummary {
  readonly service: ServiceName;
}

export interface Wanted {
  readonly service?: ServiceName;
  readonly type?: string;
  readonly eventId?: string;
  /** With those that were retried or discarded. */
  readonly settled?: boolean;
}

/** All dead letters that match, oldest first, and the services that did not answer. */
export async function findDeadLetters(
  platform: Services,
  { service, type, eventId, settled = false }: Wanted,
): Promise<{
  readonly deadLetters: readonly Found[];
  readonly silent: readonly { readonly service: ServiceName; readonly why: string }[];
}> {
  const deadLetters: Found[] = [];
  const silent: { service: ServiceName; why: string }[] = [];
  const read = async (name: ServiceName) => {
    for (let after: { dead_lettered_at: string; event_id: string } | undefined, more = true; more; ) {
      const page = await platform.call(listDeadLetters(name), { type, event_id: eventId, settled, after });
      deadLetters.push(...page.dead_letters.map((deadLetter) => ({ service: name, ...deadLetter })));
      const last = page.dead_letters.at(-1);
      more = page.more && last !== undefined;
      after = last && { dead_lettered_at: last.dead_lettered_at, event_id: last.event_id };
    }
  };
  await Promise.all(
    (service ? [service] : services).map((name) =>
      read(name).catch((error: unknown) => {
        silent.push({ service: name, why: error instanceof Failure ? error.why : String(error) });
      }),
    ),
  );
  deadLetters.sort((a, b) =>
    a.dead_lettered_at < b.dead_lettered_at ? -1 : a.dead_lettered_at > b.dead_lettered_at ? 1 : a.event_id < b.event_id ? -1 : 1,
  );
  return { deadLetters, silent };
}
