import { type components, createClient } from '@corner/client';

interface Guest {
  readonly access_token: string;
  readonly refresh_token: string;
  /** Epoch milliseconds. */
  readonly expires_at: number;
}

/** Returns a function that gives the token of this browser's customer: a guest, who is made when a token is first needed. */
export function guestToken(baseUrl: string): () => Promise<string> {
  const client = createClient({ baseUrl });
  const keep = ({ access_token, refresh_token, expires_in }: components['schemas']['Tokens']): Guest => {
    const guest = { access_token, refresh_token, expires_at: Date.now() + (expires_in - 30) * 1000 };
    localStorage.setItem('guest', JSON.stringify(guest));
    return guest;
  };
  const renew = async (): Promise<Guest> => {
    const guest = JSON.parse(localStorage.getItem('guest') ?? 'null') as Guest | null;
    if (guest === null) return keep((await client.POST('/api/v1/directory/guests', { body: {} })).data);
    if (guest.expires_at > Date.now()) return guest;
    const { refresh_token } = guest;
    return keep((await client.POST('/api/v1/directory/token/refresh', { body: { refresh_token } })).data);
  };
  // A refresh token is for once: calls that need one at the same time wait for the same, in all tabs.
  return async () => await navigator.locks.request('guest', async () => (await renew()).access_token);
}
