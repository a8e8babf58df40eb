import type { Operation } from '@corner/chassis';
import type { directory as contracts } from '@corner/contracts';
import { type Context, issuerOf } from '../../context.ts';
import { madeBy } from '../../object/transactions/object-requests.ts';
import { staffSessionSeconds } from '../rules/staff.ts';
import { startStaffSession as startSession } from '../transactions/staff-sessions.ts';

export const startStaffSession: Operation<typeof contracts.startStaffSession, Context> = async (request, context) => {
  const { signToken } = issuerOf(context);
  const { requestId } = madeBy('startStaffSession', request);
  const storeId = request.params.store_id;
  const { session, name, role } = await context.database.transaction((tx) =>
    startSession(tx, { storeId, staffId: request.caller.id, requestId }),
  );
  const claims = { sub: request.caller.id, typ: 'staff', name, stores: [{ id: storeId, role }], jti: session.id } as const;
  const startedAt = new Date(session.started_at);
  const token = await signToken(claims, 'staff-session', startedAt, staffSessionSeconds);
  return { token, session_id: session.id, expires_at: session.expires_at };
};
