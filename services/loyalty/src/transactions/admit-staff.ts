import type { Queries } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { staffCardHash } from '../crypto/hashes.ts';
import type { StaffCredential } from '../crypto/read-staff-credential.ts';
import { sessionIsValid } from '../rules/staff.ts';
import { findSessionOwner, findStaffByCard } from '../tables/staff.ts';

/**
 * Returns the id of the member of staff whose credential is valid at a store. Throws STAFF_CREDENTIAL_INVALID for a credential that is
 * unknown, revoked or of another store, without saying which.
 */
export async function admitStaff(queries: Queries, storeId: string, credential: StaffCredential): Promise<string> {
  const staffId =
    credential.kind === 'card' ? await admitCard(queries, storeId, credential) : await admitSession(queries, storeId, credential);
  if (staffId === null) throw new Problem('STAFF_CREDENTIAL_INVALID');
  return staffId;
}

const admitCard = async (queries: Queries, storeId: string, { tokenId }: Of<'card'>): Promise<string | null> =>
  await findStaffByCard(queries, staffCardHash(storeId, tokenId));

async function admitSession(queries: Queries, storeId: string, session: Of<'session'>): Promise<string | null> {
  const member = await findSessionOwner(queries, { ...session, storeId });
  return sessionIsValid(session, storeId, member) ? session.staffId : null;
}

type Of<Kind> = Extract<StaffCredential, { kind: Kind }>;
