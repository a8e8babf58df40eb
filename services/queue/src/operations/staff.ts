import { type Caller, derivedUuid, foundLogPage, type Operation } from '@corner/chassis';
import { type queue as contracts, Problem } from '@corner/contracts';
import type { Context } from '../context.ts';
import { byOf } from '../rules/callers.ts';
import { staffEntryView } from '../rules/entry-view.ts';
import { type LogKind, logTitle } from '../rules/log.ts';
import { reopensUntil } from '../rules/moves.ts';
import { graceMinutes } from '../rules/waits.ts';
import type { WalkIns } from '../rules/walk-ins.ts';
import { readLog } from '../tables/log.ts';
import { readWeeks } from '../tables/waits.ts';
import { clearUnconfirmed } from '../transactions/clear-unconfirmed.ts';
import { joinQueue } from '../transactions/join-queue.ts';
import { readCurrentQueue, readQueue } from '../transactions/lock-queue.ts';
import { moveEntryAsStaff, type StaffMove } from '../transactions/move-entry-as-staff.ts';
import { reopenEntry } from '../transactions/reopen-entry.ts';
import { switchWalkIns as switchWalkInsIn } from '../transactions/switch-walk-ins.ts';

export const listQueueEntries: Operation<typeof contracts.listQueueEntries, Context> = async ({ query }, { database, now }) => {
  const queue = await readCurrentQueue(database, query.store_id, now());
  if (!queue) throw new Problem('STORE_NOT_FOUND');
  return {
    entries: queue.entries.map((entry) => staffEntryView(entry, queue)),
    called_hold_minutes: queue.calledHoldMinutes,
    walk_ins: walkInsView(queue.walkIns),
    chairs: queue.floor.chairs.map(named),
    services: queue.floor.services.map(named),
  };
};

export const readWaits: Operation<typeof contracts.readWaits, Context> = async ({ params, query }, { database, now }) => {
  const found = await readWeeks(database, { storeId: params.store_id, weeks: query.weeks, now: now(), graceMinutes });
  if (!found) throw new Problem('STORE_NOT_FOUND');
  return found;
};

const operationOf =
  (move: StaffMove) =>
  async ({ params, body, caller }: MoveRequest, { database, newCredential }: Context) => {
    const { store_id: storeId, unit_id: unitId = null, appointment_id: appointmentId = null, starts_at: startsAt } = body;
    const booking = startsAt ? { appointmentId: newCredential(), from: Date.parse(startsAt), unitId } : null;
    const request = { storeId, entryId: params.entry_id, move, unitId, appointmentId, booking, by: byOf(caller) };
    const { entry, queue } = await database.transaction((tx) => moveEntryAsStaff(tx, request));
    return { entry: staffEntryView(entry, queue) };
  };

export const staffMoves = {
  confirmQueueEntry: operationOf('confirm'),
  callQueueEntry: operationOf('call'),
  recallQueueEntry: operationOf('recall'),
  assignQueueEntry: operationOf('assign'),
  completeQueueEntry: operationOf('complete'),
  noShowQueueEntry: operationOf('noShow'),
  convertQueueEntry: operationOf('convert'),
};

export const addQueueEntry: Operation<typeof contracts.addQueueEntry, Context> = async (
  { body, caller, idempotencyKey },
  { database, newCredential },
) => {
  const request = {
    id: idempotencyKey === undefined ? null : derivedUuid(`queue.add:${caller.id}:${idempotencyKey}`),
    entry_id: newCredential(),
    store_id: body.store_id,
    customer_id: null,
    service_id: body.service_id ?? null,
    preferred_unit_id: body.chair_id ?? null,
    party_size: body.party_size,
    guest_name: body.guest_name ?? 'Guest',
    guest_phone: body.guest_phone ?? null,
    guestEntryId: null,
    subscriber: null,
    by: byOf(caller),
  };
  return await database.transaction(async (tx) => {
    const { entry } = await joinQueue(tx, request);
    return { entry: staffEntryView(entry, await readQueue(tx, body.store_id, tx.now)) };
  });
};

/** Each entry ended here can be reopened for ten minutes. */
export const clearUnconfirmedEntries: Operation<typeof contracts.clearUnconfirmedEntries, Context> = async (
  { params, caller },
  { database },
) => ({ ended: await database.transaction((tx) => clearUnconfirmed(tx, params.store_id, byOf(caller))) });

export const reopenQueueEntry: Operation<typeof contracts.reopenQueueEntry, Context> = async ({ params, body, caller }, { database }) => {
  const request = { storeId: body.store_id, entryId: params.entry_id, reason: body.reason ?? null, by: byOf(caller) };
  const { entry, queue } = await database.transaction((tx) => reopenEntry(tx, request));
  return { entry: staffEntryView(entry, queue) };
};

export const switchWalkIns: Operation<typeof contracts.switchWalkIns, Context> = async ({ params, body, caller }, { database, now }) => {
  const { open, until: wanted } = body;
  const until = wanted === undefined || wanted === 'closing' ? 'closing' : wanted === null ? null : Date.parse(wanted);
  if (!open && typeof until === 'number' && until <= now().getTime())
    throw new Problem('VALIDATION_FAILED', { message: 'until: must be an instant that is not past' });
  const request = { storeId: params.store_id, open, until, by: byOf(caller) } as const;
  return { walk_ins: walkInsView(await database.transaction((tx) => switchWalkInsIn(tx, request))) };
};

/** The kinds of ends that can be undone. */
const endings: ReadonlySet<LogKind> = new Set(['completed', 'no_show', 'call_lapsed', 'abandoned', 'cleared']);

export const listQueueLog: Operation<typeof contracts.listQueueLog, Context> = async ({ query }, { database }) => {
  const { store_id: storeId, day = null, before = null, limit } = query;
  const page = foundLogPage(await readLog(database, { storeId, day, before, limit }));
  const entries = page.rows.map((row) => ({
    id: String(row.id),
    at: row.at,
    title: logTitle({ ...row, until: row.until === null ? null : Date.parse(row.until) }, page.time_zone),
    detail: row.detail,
    by: row.by_id === null ? null : { id: row.by_id, name: row.by_name },
    entry_id: row.entry_id,
    appointment_id: row.appointment_id,
    reopens_until: endings.has(row.kind) && row.status !== null ? reopensUntil({ ...row, status: row.status }) : null,
  }));
  return { entries };
};

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name });

const walkInsView = ({ open, until, reason, by }: WalkIns) => ({
  open,
  until: until === null ? null : new Date(until).toISOString(),
  reason,
  by,
});

interface MoveRequest {
  readonly caller: Caller;
  readonly params: { readonly entry_id: string };
  readonly body: {
    readonly store_id: string;
    readonly unit_id?: string | null | undefined;
    readonly appointment_id?: string | null | undefined;
    readonly starts_at?: string | null | undefined;
  };
}
