import type { operations } from '@corner/client';
import { useState } from 'preact/hooks';
import { useClient } from '../../session/use-session.ts';
import { useTrying } from '../../ui/use-trying.ts';
import { readPhone, useMe } from '../me/index.ts';

type Wanted = Omit<operations['joinQueue']['requestBody']['content']['application/json'], 'store_id'>;

interface Input {
  readonly value: string;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

export function useJoin(storeId: string, joined: () => void) {
  const client = useClient();
  const { profile, change } = useMe();
  const [typedName, setName] = useState<string>();
  const [typedPhone, setPhone] = useState<string>();
  const { busy, failed, trying } = useTrying();
  const [phoneWrong, setPhoneWrong] = useState(false);
  const name = typedName ?? profile?.name ?? '';
  const phone = typedPhone ?? profile?.phone ?? '';

  const join = async (wanted: Wanted) => {
    const number = phone.trim() === '' ? null : readPhone(phone);
    setPhoneWrong(phone.trim() !== '' && number === null);
    if (phone.trim() !== '' && number === null) return;
    await trying(async () => {
      const body = { ...(typedName === undefined ? {} : { name: name.trim() }), ...(typedPhone === undefined ? {} : { phone: number }) };
      if (Object.keys(body).length > 0) await change(body);
      await client.POST('/api/v1/queue/join', { body: { store_id: storeId, ...wanted } });
      joined();
    });
  };
  const inputOf = (value: string, set: (value: string) => void): Input => ({
    value,
    onInput: ({ currentTarget }) => set(currentTarget.value),
  });
  return { fields: { name: inputOf(name, setName), phone: inputOf(phone, setPhone) }, busy, failed, phoneWrong, join };
}
