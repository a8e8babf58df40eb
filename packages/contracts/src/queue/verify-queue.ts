import type { QueueChainRow } from './shapes.ts';

export interface QueueLook {
  readonly rows: readonly QueueChainRow[];
  readonly entry_ref: string;
  readonly queue_position: number | null;
  readonly waiting: readonly { readonly entry_ref: string; readonly place: string; readonly before_chain?: boolean | undefined }[];
  readonly head: { readonly number: number; readonly hash: string } | null;
}

export interface KeptHead {
  readonly number: number;
  readonly hash: string;
}

export interface QueueFault {
  readonly number: number | null;
  readonly why: string;
}

/**
 * Verifies a queue by its chain of changes: that each row follows the one before, that a kept end is still in it, that no one joined before
 * others or moved without a change, and that the shown position follows from the rule. A fault is at a row of the chain, or at null. It
 * needs Web Crypto, which a browser has on pages of https alone.
 */
export async function verifyQueue(look: QueueLook, kept: readonly KeptHead[] = []): Promise<QueueFault[]> {
  const { rows, entry_ref, queue_position, waiting: shown, head } = look;
  const faults: QueueFault[] = [...(await brokenLinks(rows, kept)), ...cutEnds(rows, head, kept)];
  const places = new Map<string, QueueChainRow>();
  for (const row of rows) {
    const before = places.get(row.entry_ref);
    const why = before ? faultOfMove(before, row) : faultOfJoin([...places.values()], row);
    if (why !== null) faults.push({ number: row.number, why });
    places.set(row.entry_ref, row);
  }
  if (isCutShort(look)) return faults;
  faults.push(...faultsOfPlaces(places, shown));
  for (const one of shown)
    if (!places.has(one.entry_ref) && !mayHaveJoinedBefore(one, look))
      faults.push({ number: null, why: 'the queue has one who waits and never joined' });
  const position = positionByRule(look);
  if (position !== queue_position && places.has(entry_ref))
    faults.push({ number: null, why: `the queue shows position ${queue_position ?? 'none'}, and the rule gives ${position ?? 'none'}` });
  return faults;
}

/** The position of the own place, from 1, by the order of joining that the rows give. Null when it does not wait by them. */
export function positionByRule({ rows, entry_ref, waiting: shown }: QueueLook): number | null {
  const places = new Map(rows.map((row) => [row.entry_ref, row]));
  const known = [...places.values()].filter(({ status }) => status === 'waiting');
  const unknown = shown.filter((one) => !places.has(one.entry_ref));
  const waiting = [...known, ...unknown].sort((a, b) => (a.place < b.place ? -1 : 1));
  const index = waiting.findIndex((row) => row.entry_ref === entry_ref);
  return index < 0 ? null : index + 1;
}

export function joinLooks<Look extends QueueLook>(first: Look, ...further: readonly Look[]): Look {
  return { ...(further.at(-1) ?? first), rows: [first, ...further].flatMap(({ rows }) => rows) };
}

async function brokenLinks(rows: readonly QueueChainRow[], kept: readonly KeptHead[]): Promise<QueueFault[]> {
  const [first] = rows;
  if (!first) return [];
  const before = first.number === 1 ? [{ number: 0, hash: '0'.repeat(64) }] : kept.filter(({ number }) => number === first.number - 1);
  for (const { hash } of before) {
    if ((await hashOfRow(hash, first)) === first.hash) continue;
    const why = first.number === 1 ? 'this row is not as it was written' : 'this row does not follow the end that you were shown before it';
    return [{ number: first.number, why }];
  }
  let last: QueueChainRow | null = null;
  for (const row of rows) {
    if (last && row.number !== last.number + 1) return [{ number: last.number + 1, why: 'this row is missing' }];
    if (last && (await hashOfRow(last.hash, row)) !== row.hash) return [{ number: row.number, why: 'this row is not as it was written' }];
    last = row;
  }
  return [];
}

/** The hash of a row after the one whose hash is `before`, both in hex. */
export async function hashOfRow(
  before: string,
  { number, entry_ref, kind, status, at, place }: Omit<QueueChainRow, 'hash'>,
): Promise<string> {
  const bytes = (before.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
  const text = new TextEncoder().encode([number, entry_ref, kind, status, at, place].join(' '));
  const hash = await crypto.subtle.digest('SHA-256', new Uint8Array([...bytes, ...text]));
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** True when rows at the end of the chain are still to be read. */
export const isCutShort = ({ rows, head }: Pick<QueueLook, 'rows' | 'head'>): boolean =>
  (head?.number ?? 0) > (rows.at(-1)?.number ?? Infinity);

function cutEnds(rows: readonly QueueChainRow[], head: KeptHead | null, kept: readonly KeptHead[]): QueueFault[] {
  const last = rows.at(-1);
  const faults: QueueFault[] = [];
  if (last && head && isCutShort({ rows, head }))
    faults.push({
      number: last.number + 1,
      why: `rows ${last.number + 1} to ${head.number} are not here: read them with after=${last.number}`,
    });
  else if (last && (head?.number !== last.number || head.hash !== last.hash))
    faults.push({ number: last.number, why: 'the queue shows another end than this row' });
  const ends = [...rows, ...(last || !head ? [] : [head])];
  for (const { number, hash } of kept) {
    const row = ends.find((one) => one.number === number);
    const why = row ? whyAnother(row, hash) : whyNotHere(number, ends);
    if (why !== null) faults.push({ number, why });
  }
  return faults;
}

const whyAnother = (row: KeptHead, hash: string): string | null =>
  row.hash === hash ? null : 'you were shown another end here: rows were written anew';

function whyNotHere(number: number, ends: readonly KeptHead[]): string | null {
  if ((ends.at(-1)?.number ?? 0) < number) return 'you were shown this row: the end was cut';
  return (ends[0]?.number ?? 0) - 1 > number ? `the rows begin after the end that you were shown: read them with after=${number}` : null;
}

/** Only before a chain's first row, number 1, could an entry join without a row, and the queue must mark such an entry. */
function mayHaveJoinedBefore({ place, before_chain }: QueueLook['waiting'][number], { rows: [first], head }: QueueLook): boolean {
  if (!head || first?.number === 1) return before_chain === true;
  return !first || microseconds(place) <= Math.max(microseconds(first.at), microseconds(first.place)) + mostAside;
}

function faultsOfPlaces(places: ReadonlyMap<string, QueueChainRow>, shown: QueueLook['waiting']): QueueFault[] {
  const has = new Map(shown.map(({ entry_ref, place }) => [entry_ref, place]));
  return [...places.values()].flatMap(({ entry_ref, status, place, number }): QueueFault[] => {
    const now = has.get(entry_ref);
    if (status !== 'waiting')
      return now === undefined ? [] : [{ number, why: `after this one is ${status}, and the queue has it waiting` }];
    if (now === undefined) return [{ number, why: 'after this one waits, and the queue does not have it' }];
    return now === place ? [] : [{ number, why: `this one was moved to ${now} without a change; the rule gives ${place}` }];
  });
}

function faultOfJoin(places: readonly QueueChainRow[], row: QueueChainRow): string | null {
  if (row.kind !== 'joined') return null;
  const passed = places.filter(({ status, place }) => (status === 'waiting' || status === 'called') && place > row.place);
  return passed.length === 0 ? null : `this one joined before ${passed.length} who were there already`;
}

function faultOfMove(before: QueueChainRow, row: QueueChainRow): string | null {
  const isKept =
    row.kind === 'reopened'
      ? row.place >= before.place && microseconds(row.place) - microseconds(before.place) <= mostAside
      : row.place === before.place;
  return isKept ? null : `this one was moved from ${before.place} to ${row.place}`;
}

const mostAside = 1_000;

const microseconds = (instant: string): number => Date.parse(`${instant.slice(0, 19)}Z`) * 1_000 + Number(instant.slice(20, 26));
