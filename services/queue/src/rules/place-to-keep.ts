import type { Status } from './moves.ts';

/**
 * Which of two active places of one person stays: the one that is further along, else the one that was taken first. When both are in a
 * chair, neither can be given up without freeing a chair that someone sits in.
 */
export function placeToKeep(own: Place, guest: Place): 'own' | 'guest' | 'both' {
  const [mine, theirs] = [progress.indexOf(own.status), progress.indexOf(guest.status)];
  if (own.status === 'assigned' && guest.status === 'assigned') return 'both';
  if (mine !== theirs) return mine > theirs ? 'own' : 'guest';
  return own.joined_at <= guest.joined_at ? 'own' : 'guest';
}

/** The statuses of an active entry, in the order in which it passes them. */
const progress: readonly Status[] = ['waiting', 'called', 'assigned'];

interface Place {
  readonly status: Status;
  /** ISO 8601 with microseconds. */
  readonly joined_at: string;
}
