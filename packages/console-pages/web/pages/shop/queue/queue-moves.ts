import type { Entry } from '../operations.ts';

export type Move = 'call' | 'recall' | 'assign' | 'complete' | 'no-show' | 'convert';

export interface MoveButton {
  readonly move: Move;
  readonly label: string;
}

const call: MoveButton = { move: 'call', label: 'Call' };
const recall: MoveButton = { move: 'recall', label: 'Take call back' };
const assign: MoveButton = { move: 'assign', label: 'Assign chair' };
const complete: MoveButton = { move: 'complete', label: 'Complete' };
const noShow: MoveButton = { move: 'no-show', label: 'No-show' };
const convert: MoveButton = { move: 'convert', label: 'Book for later' };

/** The moves that the queue allows in each status: the likely one first. */
const movesOf: Readonly<Partial<Record<Entry['status'], readonly MoveButton[]>>> = {
  waiting: [call, assign, convert],
  called: [assign, noShow, recall, convert],
  assigned: [complete, noShow],
};

/** What staff can do to an entry. The service decides again. */
export const allowedMoves = ({ status }: Pick<Entry, 'status'>): readonly MoveButton[] => movesOf[status] ?? [];

/** The columns of the queue board. */
export const queueColumns = ['waiting', 'called', 'assigned'] as const;
export type QueueColumn = (typeof queueColumns)[number];

/** Entries by column: those that wait by their place, those that were called by the time they are held until, others as they were listed. */
export function queueByColumn(entries: readonly Entry[]): Readonly<Record<QueueColumn, readonly Entry[]>> {
  const of = (column: QueueColumn) => entries.filter(({ status }) => status === column);
  return {
    waiting: of('waiting').toSorted((a, b) => (a.queue_position ?? 0) - (b.queue_position ?? 0)),
    called: of('called').toSorted((a, b) => (a.hold_until ?? '').localeCompare(b.hold_until ?? '')),
    assigned: of('assigned'),
  };
}

/** What a party is called on the board. A customer who is signed in has a card; a guest has the name they gave. */
export const partyName = ({ guest_name, customer_id }: Pick<Entry, 'guest_name' | 'customer_id'>): string =>
  guest_name ?? (customer_id ? 'Customer' : 'Guest');

/** An expected wait in words. */
export const waitText = (minutes: number): string => (minutes === 0 ? 'no wait' : `about ${minutes} min`);

/** How many people wait, and the longest expected wait of them in minutes. */
export function queueFigures(entries: readonly Entry[]): { readonly people: number; readonly longest: number } {
  const waiting = entries.filter(({ status }) => status === 'waiting');
  return {
    people: waiting.reduce((sum, { party_size }) => sum + party_size, 0),
    longest: Math.max(0, ...waiting.map(({ expected_wait_min }) => expected_wait_min ?? 0)),
  };
}
