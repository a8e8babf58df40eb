import { type DeadLetterSummary, listDeadLetters, type ServiceName } from '@corner/contracts';
import type { Platform } from './call-service.ts';

export interface FoundDeadLetter extends DeadLetterSummary {
  readonly service: ServiceName;
}

export interface DeadLetterFilter {
  readonly service?: ServiceName;
  readonly type?: string;
  readonly eventId?: string;
  readonly settled?: boolean;
}

/** Finds all matching dead letters, oldest first, and the services that did not reply. With `settled`, retried and discarded ones too. */
export async function findDeadLetters(
  { services, call, whyNot }: Platform,
  { service, type, eventId, settled = false }: DeadLetterFilter,
): Promise<{
  readonly deadLetters: readonly FoundDeadLetter[];
  readonly unreachable: readonly { readonly service: ServiceName; readonly error: string }[];
}> {
  const deadLetters: FoundDeadLetter[] = [];
  const unreachable: { service: ServiceName; error: string }[] = [];
  const read = async (name: ServiceName) => {
    for (let after: { dead_lettered_at: string; event_id: string } | undefined, more = true; more; ) {
      const page = await call(listDeadLetters(name), { type, event_id: eventId, settled, after });
      deadLetters.push(...page.dead_letters.map((deadLetter) => ({ service: name, ...deadLetter })));
      const last = page.dead_letters.at(-1);
      more = page.more && last !== undefined;
      after = last && { dead_lettered_at: last.dead_lettered_at, event_id: last.event_id };
    }
  };
  await Promise.all(
    (service ? [service] : services).map((name) =>
      read(name).catch((error: unknown) => {
        unreachable.push({ service: name, error: whyNot(error) });
      }),
    ),
  );
  deadLetters.sort((a, b) =>
    a.dead_lettered_at < b.dead_lettered_at ? -1 : a.dead_lettered_at > b.dead_lettered_at ? 1 : a.event_id < b.event_id ? -1 : 1,
  );
  return { deadLetters, unreachable };
}
