import { type DeadLetterView, listDeadLetters, type ServiceName, services } from '@corner/contracts';
import { Failure } from '../failure.ts';
import type { Services } from './reach-services.ts';

/** A dead letter, and whose. */
export interface Found extends DeadLetterView {
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
export async function findLetters(
  platform: Services,
  { service, type, eventId, settled = false }: Wanted,
): Promise<{ readonly letters: readonly Found[]; readonly silent: readonly { readonly service: ServiceName; readonly why: string }[] }> {
  const letters: Found[] = [];
  const silent: { service: ServiceName; why: string }[] = [];
  const read = async (name: ServiceName) => {
    for (let after: { died_at: string; event_id: string } | undefined, more = true; more; ) {
      const page = await platform.ask(listDeadLetters(name), { type, event_id: eventId, settled, after });
      letters.push(...page.letters.map((letter) => ({ service: name, ...letter })));
      const last = page.letters.at(-1);
      more = page.more && last !== undefined;
      after = last && { died_at: last.died_at, event_id: last.event_id };
    }
  };
  await Promise.all(
    (service ? [service] : services).map((name) =>
      read(name).catch((error: unknown) => {
        silent.push({ service: name, why: error instanceof Failure ? error.why : String(error) });
      }),
    ),
  );
  letters.sort((a, b) => (a.died_at < b.died_at ? -1 : a.died_at > b.died_at ? 1 : a.event_id < b.event_id ? -1 : 1));
  return { letters, silent };
}
