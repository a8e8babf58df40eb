import type { operations } from '@corner/client';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';

type Change = operations['changeMe']['requestBody']['content']['application/json'];

/**
 * Returns undefined until the profile is read, and for a browser that has no customer yet. `change` sets the given fields whatever their
 * version: the customer's own input is current.
 */
export function useMe() {
  const { data, noCustomer, again } = useRead('/api/v1/directory/me', {});
  const client = useClient();
  const change = async (body: Change): Promise<void> => {
    await client.PATCH('/api/v1/directory/me', { params: { header: { 'If-Match': '*' } }, body });
    again();
  };
  return { profile: data?.profile, noCustomer, change };
}
