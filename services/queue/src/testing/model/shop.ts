import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { erasedEvent, inTurn } from '@corner/testkit';
import { endOverdue } from '../../entry-points.ts';
import type { Running } from '../running.ts';
import { type ApiResponse, customerSnapshot, openSalon, type Salon } from '../salon.ts';
import type { Round, Step, StepOf } from './steps.ts';

/** What responses said about an entry and must not contradict later. */
interface KnownEntry {
  readonly entryId: string;
  readonly customerId: string | null;
  readonly quoted: number;
  readonly range: string;
  ended: string | null;
  /** Whether staff were asked to undo its end: then a response of the same moment may still show the end. */
  reopened: boolean;
}

interface Quote {
  readonly wait_min: number | null;
  readonly wait_range: { readonly from_min: number; readonly to_min: number } | null;
}

interface StoreReply {
  readonly services: readonly Quote[];
  readonly chairs: readonly Quote[];
}

export interface Shop {
  readonly salon: Salon;
  readonly known: readonly KnownEntry[];
  readonly noShowsByStaff: number;
  readonly erased: string | null;
  readonly violations: readonly string[];
  take(round: Round): Promise<void>;
  tokenOf(entry: KnownEntry): Promise<string | null>;
}

const endings = ['completed', 'left', 'no_show', 'converted_to_appointment'];

export async function openShop(running: Running): Promise<Shop> {
  running.clock.set('2026-05-01T09:00:00Z');
  const salon = await openSalon(running, 3);
  await salon.pastQuotes(Array.from({ length: 20 }, (_, n) => n * 3 - 25));
  const customers = Array.from({ length: 4 }, () => randomUUID());
  const known: KnownEntry[] = [];
  const violations: string[] = [];
  let noShowsByStaff = 0;
  const leaver = customers[3] as string;
  let erased: string | null = null;
  const signedIn = (id: string) => running.issuer.token({ typ: 'customer', sub: id });
  const tokenOf = async ({ customerId }: KnownEntry) => (customerId === null ? null : await signedIn(customerId));
  const entryAt = (back: number): KnownEntry | undefined => known.at(-1 - (back % Math.max(1, known.length)));
  const chairAt = (index: number | null) => (index === null ? {} : { unit_id: salon.chairs[index] as string });
  const expectOneOf = (what: string, { status, body }: ApiResponse, ...allowed: readonly string[]) => {
    const result = status === 200 ? '200' : String(body.error?.code);
    if (!allowed.includes(result)) violations.push(`${what}: ${status} ${result}`);
    return status === 200;
  };
  const recordStatus = (entry: KnownEntry, status: string) => {
    if (entry.reopened) return;
    if (entry.ended !== null && entry.ended !== status) violations.push(`${entry.ended} became ${status}`);
    if (endings.includes(status)) entry.ended = status;
  };

  const join = async ({ caller, party, service, chair }: Omit<StepOf<'join'>, 'do' | 'callers'>) => {
    const customerId = customers[caller] ?? null;
    const response = await salon.join(
      {
        party_size: party,
        ...(service ? { service_id: salon[service] } : {}),
        ...(chair === null ? {} : { preferred_unit_id: salon.chairs[chair] }),
      },
      customerId === null ? null : await signedIn(customerId),
    );
    const refusals = ['NO_CAPACITY_TODAY', 'WALK_INS_NOT_ACCEPTED', ...(customerId === erased ? ['UNAUTHENTICATED'] : [])];
    if (!expectOneOf('join', response, '200', ...refusals)) return null;
    const { entry_id: entryId, reused, expected_wait_min: quoted, wait_range: range } = response.body;
    if (!reused) known.push({ entryId, customerId, quoted, range: JSON.stringify(range), ended: null, reopened: false });
    // When one customer joins twice at the same time, the response with `reused` may come first.
    else if (customerId === null) violations.push('a guest got an entry back');
    return reused ? null : { wait_min: quoted, wait_range: range };
  };
  /**
   * Reads the queue and joins at one instant, while no other request runs: the quote must equal what was read. A chair shows the wait for
   * the first service that it offers, a cut.
   */
  const joinAsRead = async (step: StepOf<'joinAsRead'>) => {
    const { services, chairs } = (await salon.before()).body as StoreReply;
    const quoted = await join(step);
    if (quoted === null || (step.chair !== null && step.service === 'beard')) return;
    const { wait_min, wait_range } = (step.chair === null ? services[step.service === 'beard' ? 1 : 0] : chairs[step.chair]) as Quote;
    if (!isDeepStrictEqual({ wait_min, wait_range }, quoted))
      violations.push(`read ${JSON.stringify({ wait_min, wait_range })}, quoted ${JSON.stringify(quoted)}`);
  };
  const add = async ({ party, chair }: StepOf<'add'>) => {
    const response = await salon.add({ party_size: party, ...(chair === null ? {} : { chair_id: salon.chairs[chair] }) });
    if (!expectOneOf('add', response, '200', 'NO_CAPACITY_TODAY')) return;
    const { entry_id: entryId, quoted_wait_min: quoted, wait_range: range } = response.body.entry;
    known.push({ entryId, customerId: null, quoted, range: JSON.stringify(range), ended: null, reopened: false });
  };
  const switchWalkIns = async ({ open, minutes }: StepOf<'switchWalkIns'>) => {
    const until = new Date(running.clock.now().getTime() + minutes * 60_000).toISOString();
    expectOneOf('switch', await salon.switchWalkIns({ open, until }), '200');
  };
  const leave = async ({ entry: back, byOther }: StepOf<'leave'>) => {
    const entry = entryAt(back);
    if (!entry) return;
    const response = await salon.leave(entry.entryId, byOther ? await signedIn(randomUUID()) : await tokenOf(entry));
    if (expectOneOf('leave', response, byOther ? 'QUEUE_ENTRY_NOT_FOUND' : '200')) recordStatus(entry, response.body.status);
  };
  const look = async ({ entry: back }: StepOf<'look'>) => {
    const entry = entryAt(back);
    if (!entry) return;
    const { body } = await salon.status({ entry_id: entry.entryId }, await tokenOf(entry));
    if (body.entry === null) return void violations.push('an owner does not see their entry');
    recordStatus(entry, body.entry.status);
    if (body.entry.quoted_wait_min !== entry.quoted)
      violations.push(`${entry.quoted} minutes were quoted, now ${body.entry.quoted_wait_min}`);
    const range = JSON.stringify(body.entry.wait_range);
    if (range !== entry.range) violations.push(`a spread of ${entry.range} was quoted, now ${range}`);
  };
  const move = async ({ entry: back, move: name, chair }: StepOf<'move'>) => {
    const entry = entryAt(back);
    if (!entry) return;
    const response = await salon.move(name, entry.entryId, name === 'assign' ? chairAt(chair) : {});
    if (name === 'reopen') {
      entry.reopened = true;
      entry.ended = null;
    }
    const refusals = name === 'assign' || name === 'reopen' ? ['INVALID_TRANSITION', 'NO_CAPACITY_TODAY'] : ['INVALID_TRANSITION'];
    if (!expectOneOf(name, response, '200', ...refusals)) return;
    if (name === 'no-show') noShowsByStaff += 1;
    recordStatus(entry, response.body.entry.status);
  };
  const book = async ({ chair, from, minutes }: StepOf<'book'>) => {
    const start = running.clock.now().getTime() + from * 60_000;
    await salon.book(new Date(start).toISOString(), new Date(start + minutes * 60_000).toISOString(), {
      unit_id: salon.chairs[chair] as string,
    });
  };
  const consume = inTurn(running.consume);
  const erase = async () => {
    erased = leaver;
    await consume(erasedEvent(leaver));
  };
  const takeStep = (step: Exclude<Step, { do: 'joinAsRead' }>): Promise<unknown> => {
    if (step.do === 'join') return join(step);
    if (step.do === 'add') return add(step);
    if (step.do === 'switchWalkIns') return switchWalkIns(step);
    if (step.do === 'log') return salon.log();
    if (step.do === 'leave') return leave(step);
    if (step.do === 'look') return look(step);
    if (step.do === 'list') return salon.list();
    if (step.do === 'move') return move(step);
    if (step.do === 'book') return book(step);
    if (step.do === 'erase') return erase();
    if (step.do === 'profile') return consume(customerSnapshot(leaver, step.version));
    return endOverdue(running.service.context);
  };
  return {
    salon,
    known,
    violations,
    get erased() {
      return erased;
    },
    get noShowsByStaff() {
      return noShowsByStaff;
    },
    tokenOf,
    async take({ steps, minutes }) {
      const atOnce = steps.filter((step) => step.do !== 'joinAsRead');
      await Promise.all(atOnce.flatMap((step) => Array.from({ length: 'callers' in step ? step.callers : 1 }, () => takeStep(step))));
      for (const step of steps) if (step.do === 'joinAsRead') await joinAsRead(step);
      running.clock.advance({ minutes });
    },
  };
}
