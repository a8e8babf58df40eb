import { useState } from 'react';
import { Choice, ConfirmWithReason, InputField } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { announce } from '../../../shell/announce.tsx';
import type { Floor } from '../settings/index.ts';
import { cancelClass, makeClass, type Session } from './appointment-operations.ts';
import { timesText } from './booking-card.tsx';
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

export function ClassDialog({ storeId, zone, chairs, services, date, onClose }: Props) {
  const [form, setForm] = useState({
    service_id: services[0]?.id ?? '',
    unit_id: chairs[0]?.id ?? '',
    date,
    time: '',
    minutes: String(services[0]?.minutes ?? 60),
    places: '8',
  });
  const set = (fields: Partial<typeof form>) => setForm((before) => ({ ...before, ...fields }));
  const act = async (_: string, key: string) => {
    const { service_id, unit_id } = form;
    const minutes = Number(form.minutes);
    const times = timesOf({ ...form, minutes }, zone);
    if (times === null) throw new RequestFailed(400, 'VALIDATION_FAILED', 'Give a day and a time.');
    await makeClass({ store_id: storeId, service_id, unit_id, starts_at: times.starts_at, minutes, places: Number(form.places) }, key);
    announce(`The class is at ${timesText(times, zone)}.`);
  };
  return (
    <ConfirmWithReason title="Add a class" label="Add" reason={false} act={act} onClose={onClose}>
      <Choice
        label="Service"
        value={form.service_id}
        options={services.map(({ id, name }) => [id, name] as const)}
        onChoose={(service_id) =>
          set({ service_id, minutes: String(services.find(({ id }) => id === service_id)?.minutes ?? form.minutes) })
        }
      />
      <Choice
        label="Chair or room"
        value={form.unit_id}
        options={chairs.map(({ id, name }) => [id, name] as const)}
        onChoose={(unit_id) => set({ unit_id })}
      />
      <WhenFields {...{ form, set }} />
      <InputField
        label="Minutes"
        {...{ type: 'number', required: true, min: 5, max: 720, value: form.minutes }}
        onType={(minutes) => set({ minutes })}
      />
      <InputField
        label="Places"
        {...{ type: 'number', required: true, min: 2, max: 200, value: form.places }}
        onType={(places) => set({ places })}
      />
    </ConfirmWithReason>
  );
}

const longestReason = 280;

export function CancelClass({ session, zone, onClose }: { readonly session: Session } & Pick<Props, 'zone' | 'onClose'>) {
  const act = async (reason: string, key: string) => {
    await cancelClass(session, reason, key);
    announce(`The class of ${timesText(session, zone)} is cancelled.`);
  };
  return (
    <ConfirmWithReason
      title={`Cancel the class of ${timesText(session, zone)}`}
      label="Cancel the class"
      danger
      longestReason={longestReason}
      act={act}
      onClose={onClose}
    >
      <p>
        {plural(session.taken, 'place is', 'places are')} booked, or kept for someone who waits. All of them, and those who wait, get a
        message; they do not see the reason. This cannot be undone.
      </p>
    </ConfirmWithReason>
  );
}
