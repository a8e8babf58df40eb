import { randomUUID } from 'node:crypto';
import { endOverdue } from '../../jobs/end-overdue.ts';
import type { Running } from '../running.ts';
import { type ApiResponse, openSalon, type Salon } from '../salon.ts';
import type { Round, Step, StepOf } from './steps.ts';

/** What a caller was told of an entry, and may rely on from then on. */
export interface Known {
  readonly entryId: string;
  /** Null for a guest. */
  readonly customerId: string | null;
  readonly quoted: number;
  /** Once said to have ended so, it has. */
  ended: string | null;
}

/** A salon in which people do things, and what they were told. */
export interface Shop {
  readonly salon: Salon;
  readonly known: readonly Known[];
  /** Times the staff were told that somebody did not come. */
  readonly noShowsByStaff: number;
  /** What nobody should ever have been answered. */
  readonly wrong: readonly string[];
  take(round: Round): Promise<void>;
  /** The token of an entry's owner; null for a guest. */
  tokenOf(entry: Known): Promise<string | null>;
}

const endings = ['completed', 'left', 'no_show', 'converted_to_appointment'];

/** Opens a salon of three chairs at nine in the morning. */
export async function openShop(running: Running): Promise<Shop> {
  running.clock.set('2026-05-01T09:00:00Z');
  const salon = await openSalon(running, 3);
  const customers = Array.from({ length: 4 }, () => randomUUID());
  const known: Known[] = [];
  const wrong: string[] = [];
  let noShowsByStaff = 0;
  const signedIn = (id: string) => running.issuer.token({ typ: 'customer', sub: id });
  const tokenOf = async ({ customerId }: Known) => (customerId === null ? null : await signedIn(customerId));
  const named = (back: number): Known | undefined => known.at(-1 - (back % Math.max(1, known.length)));
  const chairAt = (index: number | null) => (index === null ? {} : { unit_id: salon.chairs[index] as string });
  const expectOneOf = (what: string, { status, body }: ApiResponse, ...allowed: readonly string[]) => {
    const said = status === 200 ? '200' : String(body.error?.code);
    if (!allowed.includes(said)) wrong.push(`${what}: ${status} ${said}`);
    return status === 200;
  };
  const note = (entry: Known, status: string) => {
    if (entry.ended !== null && entry.ended !== status) wrong.push(`${entry.ended} became ${status}`);
    if (endings.includes(status)) entry.ended = status;
  };

  const join = async ({ who, party, service, chair }: StepOf<'join'>) => {
    const customerId = customers[who] ?? null;
    const answer = await salon.join(
      {
        party_size: party,
        ...(service ? { service_id: salon[service] } : {}),
        ...(chair === null ? {} : { preferred_unit_id: salon.chairs[chair] }),
      },
      customerId === null ? null : await signedIn(customerId),
    );
    if (!expectOneOf('join', answer, '200', 'NO_CAPACITY_TODAY')) return;
    const { entry_id: entryId, reused, expected_wait_min: quoted } = answer.body;
    if (!reused) known.push({ entryId, customerId, quoted, ended: null });
    // Two phones at once: the one that was given the place back may be answered first.
    else if (customerId === null) wrong.push('a guest was given a place back');
  };
  const leave = async ({ entry: back, stranger }: StepOf<'leave'>) => {
    const entry = named(back);
    if (!entry) return;
    const answer = await salon.leave(entry.entryId, stranger ? await signedIn(randomUUID()) : await tokenOf(entry));
    if (expectOneOf('leave', answer, stranger ? 'QUEUE_ENTRY_NOT_FOUND' : '200')) note(entry, answer.body.status);
  };
  const look = async ({ entry: back }: StepOf<'look'>) => {
    const entry = named(back);
    if (!entry) return;
    const { body } = await salon.status({ entry_id: entry.entryId }, await tokenOf(entry));
    if (body.entry === null) return void wrong.push('its owner does not see an entry');
    note(entry, body.entry.status);
    if (body.entry.quoted_wait_min !== entry.quoted) wrong.push(`${entry.quoted} were quoted, now ${body.entry.quoted_wait_min}`);
  };
  const move = async ({ entry: back, move: how, chair }: StepOf<'move'>) => {
    const entry = named(back);
    if (!entry) return;
    const answer = await salon.move(how, entry.entryId, how === 'assign' ? chairAt(chair) : {});
    const refusals = how === 'assign' ? ['INVALID_TRANSITION', 'NO_CAPACITY_TODAY'] : ['INVALID_TRANSITION'];
    if (!expectOneOf(how, answer, '200', ...refusals)) return;
    if (how === 'no-show') noShowsByStaff += 1;
    note(entry, answer.body.entry.status);
  };
  const book = async ({ chair, from, minutes }: StepOf<'book'>) => {
    const start = running.clock.now().getTime() + from * 60_000;
    await salon.book(new Date(start).toISOString(), new Date(start + minutes * 60_000).toISOString(), {
      unit_id: salon.chairs[chair] as string,
    });
  };
  const deed = (step: Step): Promise<unknown> => {
    if (step.do === 'join') return join(step);
    if (step.do === 'leave') return leave(step);
    if (step.do === 'look') return look(step);
    if (step.do === 'list') return salon.list();
    if (step.do === 'move') return move(step);
    if (step.do === 'book') return book(step);
    return endOverdue(running.service.context);
  };
  return {
    salon,
    known,
    wrong,
    get noShowsByStaff() {
      return noShowsByStaff;
    },
    tokenOf,
    async take({ steps, minutes }) {
      await Promise.all(steps.flatMap((step) => Array.from({ length: 'callers' in step ? step.callers : 1 }, () => deed(step))));
      running.clock.advance({ minutes });
    },
  };
}
