import type { DataOf, queueCalled } from '@corner/contracts';
import { type News, silent } from './content.ts';

type Entry = DataOf<typeof queueCalled>;

const place = ({ entry_ref }: Entry) => `queue:${entry_ref}`;

/** It is their turn, for as long as the place is held. */
export function newsOfCalled(entry: Entry): News {
  const topic = place(entry);
  const { hold_until } = entry;
  if (!hold_until) return silent(topic);
  return {
    outdates: [topic],
    message: { template: 'queue.called', facts: { hold_until }, topic, way: 'push', waitSeconds: 0, expiresAt: hold_until },
  };
}

export const newsOfNoShow = (entry: Entry): News => ({
  outdates: [place(entry)],
  message: { template: 'queue.no_show', facts: {}, topic: place(entry), way: 'push', waitSeconds: 0, expiresAt: null },
});

/** Whatever else happens to a place in the queue is seen there; a call not told of yet is no longer true. */
export const newsOfMove = (entry: Entry): News => silent(place(entry));
