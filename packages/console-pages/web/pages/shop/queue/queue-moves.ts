import { plural } from '../../../logic/format.ts';
import { type Entry, type KeptWeek, type QueueLog, type WalkIns, walkInsSetting } from '../queue-operations.ts';

export type Move = 'confirm' | 'call' | 'recall' | 'assign' | 'complete' | 'no-show' | 'convert';

export interface MoveButton {
  readonly move: Move;
  readonly label: string;
}

const confirm: MoveButton = { move: 'confirm', label: 'Confirm' };
const call: MoveButton = { move: 'call', label: 'Call' };
const recall: MoveButton = { move: 'recall', label: 'Take call back' };
const assign: MoveButton = { move: 'assign', label: 'Assign' };
const complete: MoveButton = { move: 'complete', label: 'Complete' };
const noShow: MoveButton = { move: 'no-show', label: 'No-show' };
const convert: MoveButton = { move: 'convert', label: 'Take off the queue' };

const movesOf: Readonly<Partial<Record<Entry['status'], readonly MoveButton[]>>> = {
  waiting: [call, assign, convert],
  called: [assign, noShow, recall, convert],
  assigned: [complete, noShow],
};

/** Returns the most likely move first. The service decides. */
export const allowedMoves = ({ status, confirmed }: Pick<Entry, 'status' | 'confirmed'>): readonly MoveButton[] => {
  const moves = movesOf[status] ?? [];
  return status === 'waiting' && !confirmed ? [...moves, confirm] : moves;
};

/**
 * The chair that the party asked for, else the one that is expected to be free first. Null where the queue chooses: for several people, who
 * get a chair each, and where no chair is expected.
 */
export function chairFor(
  { party_size, preferred_unit_id, suggested_unit_id }: Pick<Entry, 'party_size' | 'preferred_unit_id' | 'suggested_unit_id'>,
  chairs: readonly { readonly id: string; readonly name: string }[],
) {
  const id = preferred_unit_id ?? suggested_unit_id;
  return (party_size === 1 && chairs.find((chair) => chair.id === id)) || null;
}

export const assignText = (chair: { readonly name: string } | null, party: string, people: number): string =>
  `Assign ${chair?.name ?? (people > 1 ? `${people} chairs` : 'a free chair')} to ${party}`;

/**
 * Returns why no walk-in can be added, with the name of the switch that is off; null when one can. Staff add walk-ins while those are
 * switched off for the day, paused or closed, but not where the settings take none.
 */
export const addingFault = ({ reason }: Pick<WalkIns, 'reason'>): string | null =>
  reason === 'store' ? `The switch “${walkInsSetting}” is off in Settings, Orders and queue, so no one can be added.` : null;

export function clearText(entries: readonly Pick<Entry, 'counted'>[]): string | null {
  const count = entries.filter(({ counted }) => !counted).length;
  if (count === 0) return null;
  return `${plural(count, 'party', 'parties')} joined without an account, more than two from one network, and no one here has confirmed them. They are guests on one Wi-Fi, or someone who fills the queue.`;
}

export const queueColumns = ['waiting', 'called', 'assigned'] as const;
export type QueueColumn = (typeof queueColumns)[number];

export function queueByColumn(entries: readonly Entry[]): Readonly<Record<QueueColumn, readonly Entry[]>> {
  const of = (column: QueueColumn) => entries.filter(({ status }) => status === column);
  return {
    waiting: of('waiting').toSorted((a, b) => (a.queue_position ?? 0) - (b.queue_position ?? 0)),
    called: of('called').toSorted((a, b) => (a.hold_until ?? '').localeCompare(b.hold_until ?? '')),
    assigned: of('assigned'),
  };
}

export const partyName = ({
  guest_name,
  customer_id,
  customer_name,
}: Pick<Entry, 'guest_name' | 'customer_id' | 'customer_name'>): string =>
  customer_name ?? guest_name ?? (customer_id ? 'Customer' : 'Guest');

const done: Readonly<Record<Move, string>> = {
  confirm: 'is confirmed',
  call: 'is called',
  recall: 'waits again',
  assign: 'has a chair',
  complete: 'is completed',
  'no-show': 'is marked as a no-show',
  convert: 'is off the queue',
};

export const doneText = (name: string, move: Move, chair?: string): string =>
  move === 'assign' && chair ? `${name} has ${chair}.` : `${name} ${done[move]}.`;

export const canReopen = (move: Move): boolean => move === 'complete' || move === 'no-show';

export const canComeBack = (log: QueueLog['entries'], now: number): QueueLog['entries'] =>
  log.filter(({ reopens_until }) => reopens_until !== null && Date.parse(reopens_until) > now);

export const waitText = (minutes: number): string => (minutes === 0 ? 'no wait' : `about ${minutes} min`);

export function queueFigures(entries: readonly Entry[]): { readonly people: number; readonly longest: number } {
  const waiting = entries.filter(({ status }) => status === 'waiting');
  return {
    people: waiting.reduce((sum, { party_size }) => sum + party_size, 0),
    longest: Math.max(0, ...waiting.map(({ expected_wait_min }) => expected_wait_min ?? 0)),
  };
}

export function walkInsText({ open, until, reason, by }: WalkIns, timeOf: (instant: string) => string): string {
  if (open) return 'Walk-ins can join.';
  const end = until ? ` until ${timeOf(until)}` : '';
  switch (reason) {
    case 'switch':
      return `Walk-ins are switched off${end}${by?.name ? ` by ${by.name}` : ''}.`;
    case 'pause':
      return `The store is paused${end}, so no walk-in can join.`;
    case 'closure':
      return `The store is closed${end}, so no walk-in can join.`;
    default:
      return `No walk-in can join: the switch “${walkInsSetting}” is off in Settings, Orders and queue.`;
  }
}

export function weekText({ quotes, offered, kept, left, late_median_min, late_p90_min }: KeptWeek): string {
  const parts = [`${plural(quotes, 'party', 'parties')} joined`];
  if (offered > 0) {
    parts.push(`${Math.round((100 * kept) / offered)} % kept`);
    parts.push(`half were ${lateText(late_median_min)} at most, nine of ten ${lateText(late_p90_min)}`);
  }
  if (left > 0) parts.push(`${left} left before a chair was offered`);
  return `${parts.join(', ')}.`;
}

export function readyWeekText({ quotes, kept, early, late }: Record<'quotes' | 'kept' | 'early' | 'late', number>): string {
  return `${plural(quotes, 'order', 'orders')} quoted, ${Math.round((100 * kept) / quotes)} % kept, ${early} early, ${late} late.`;
}

const lateText = (minutes: number | null): string =>
  minutes === null || minutes === 0 ? 'in time' : minutes > 0 ? `${minutes} min late` : `${-minutes} min early`;
