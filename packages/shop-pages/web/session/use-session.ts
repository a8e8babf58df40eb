import { kept } from '@corner/page-kit/browser/storage';
import { useEffect, useState } from 'preact/hooks';
import { corner, session, whenSessionChanges } from './corner.ts';
import { forgetReadsOf } from './kept-reads.ts';

export const useClient = () => corner;

/**
 * Returns null until something needed a customer; the account is null for a guest. `end` signs out: a guest's orders and stamps cannot be
 * reached after it.
 */
export function useSession() {
  const [, changed] = useState({});
  useEffect(() => whenSessionChanges(() => changed({})), []);
  return { customerId: session.customerId(), account: session.account(), end };
}

async function end(): Promise<void> {
  const customerId = session.customerId();
  await session.end();
  if (customerId !== null) forgetReadsOf(kept, customerId);
}
