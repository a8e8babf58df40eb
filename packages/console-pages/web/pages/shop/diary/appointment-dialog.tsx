import { useState } from 'react';
import { Choice, ConfirmWithReason, Field } from '../../../components/index.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { announce } from '../../../shell/announce.tsx';
import type { Floor } from '../settings/index.ts';
import { bookFor } from './appointment-operations.ts';
import { timesOf } from './diary-day.ts';
import { WhenFields } from './when-fields.tsx';

interface Props {
  readonly storeId: string;
  readonly zone: string;
  readonly chairs: Floor['units'];
  readonly services: Floor['services'];
  readonly date: string;
  onClose(): void;
}

export function AppointmentDialog({ storeId, zone, chairs, services, date, onClose }: Props) {
  const [form, setForm] = useState({ service_id: services[0]?.id ?? '', unit_id: '', date, time: '', name: '', phone: '' });
  const set = (fields: Partial<typeof form>) => setForm((before) => ({ ...before, ...fields }));
  const act = async (_: string, key: string) => {
    const times = timesOf({ unit_id: form.unit_id, date: form.date, time: form.time, minutes: 1 }, zone);
    if (times === null) throw new RequestFailed(400, 'VALIDATION_FAILED', 'Give a day and a time.');
    await bookFor(
      {
        store_id: storeId,
        service_id: form.service_id,
        unit_id: form.unit_id || null,
        starts_at: times.starts_at,
        party_size: 1,
        guest_name: form.name.trim() || null,
        guest_phone: form.phone.trim() || null,
      },
      key,
    );
    announce(`Booked for ${form.time}.`);
  };
  return (
    <ConfirmWithReason title="Book for a customer" label="Book" reason={false} act={act} onClose={onClose}>
      <Choice
        label="Service"
        value={form.service_id}
        options={services.map(({ id, name, minutes }) => [id, `${name}, ${minutes} minutes`] as const)}
        onChoose={(service_id) => set({ service_id })}
      />
      <Choice
        label="Chair"
        value={form.unit_id}
        options={[['', 'Any that is free'], ...chairs.map(({ id, name }) => [id, name] as const)]}
        onChoose={(unit_id) => set({ unit_id })}
      />
      <WhenFields {...{ form, set }} />
      <Field label="Name">
        {(props) => <input {...props} maxLength={80} value={form.name} onChange={({ target }) => set({ name: target.value })} />}
      </Field>
      <Field label="Mobile number" hint="For reminders. Empty: none.">
        {(props) => (
          <input {...props} type="tel" maxLength={24} value={form.phone} onChange={({ target }) => set({ phone: target.value })} />
        )}
      </Field>
    </ConfirmWithReason>
  );
}
