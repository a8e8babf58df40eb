import { useState } from 'react';
import { Choice, ConfirmWithReason, Field } from '../../../components/index.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { announce } from '../../../shell/announce.tsx';
import type { Floor } from '../settings/index.ts';
import { timesText } from './booking-card.tsx';
import { type BookingForm, formOf, timesOf } from './diary-day.ts';
import { changeBooking, createBooking, type ListedBooking } from './diary-operations.ts';
import { WhenFields } from './when-fields.tsx';

interface Props {
  readonly storeId: string;
  readonly zone: string;
  readonly chairs: Floor['units'];
  readonly services: Floor['services'];
  readonly date: string;
  readonly booking?: ListedBooking;
  onClose(): void;
}

const usualMinutes = 30;

export function BookingDialog({ storeId, zone, chairs, services, date, booking, onClose }: Props) {
  const [form, setForm] = useState<BookingForm>(() =>
    booking ? formOf(booking, zone) : { unit_id: chairs[0]?.id ?? '', date, time: '', minutes: services[0]?.minutes ?? usualMinutes },
  );
  const set = (fields: Partial<BookingForm>) => setForm((before) => ({ ...before, ...fields }));
  const act = async (_: string, key: string) => {
    const times = timesOf(form, zone);
    if (times === null) throw new RequestFailed(400, 'VALIDATION_FAILED', 'Give a day, a time and a length from 1 to 1,440 minutes.');
    const body = { unit_id: form.unit_id, ...times };
    if (booking) await changeBooking(storeId, booking, body, key);
    else await createBooking(storeId, body, key);
    announce(booking ? `Moved to ${timesText(times, zone)}.` : `Blocked: ${timesText(times, zone)}.`);
  };
  return (
    <ConfirmWithReason
      title={booking ? `Move the booking ${timesText(booking, zone)}` : 'Block a time'}
      label={booking ? 'Move' : 'Block'}
      reason={false}
      act={act}
      onClose={onClose}
    >
      <Choice
        label="Chair"
        value={form.unit_id}
        options={chairs.map(({ id, name }) => [id, name])}
        onChoose={(unit_id) => set({ unit_id })}
      />
      {services.length > 0 && (
        <Choice
          label="Service"
          value={services.find(({ minutes }) => minutes === form.minutes)?.id ?? ''}
          options={[['', 'Another length'], ...services.map(({ id, name, minutes }) => [id, `${name}, ${minutes} minutes`] as const)]}
          onChoose={(chosen) => set({ minutes: services.find(({ id }) => id === chosen)?.minutes ?? form.minutes })}
        />
      )}
      <WhenFields {...{ form, set }} />
      <Field label="Minutes">
        {(props) => (
          <input
            {...props}
            {...{ type: 'number', required: true, min: 1, max: 1_440 }}
            value={Number.isNaN(form.minutes) ? '' : form.minutes}
            onChange={({ target }) => set({ minutes: target.valueAsNumber })}
          />
        )}
      </Field>
    </ConfirmWithReason>
  );
}

interface CancelProps extends Pick<Props, 'storeId' | 'zone' | 'onClose'> {
  readonly booking: ListedBooking;
}

export function CancelDialog({ storeId, zone, booking, onClose }: CancelProps) {
  const act = async (_: string, key: string) => {
    await changeBooking(storeId, booking, { state: 'cancelled' }, key);
    announce('The booking is cancelled.');
  };
  return (
    <ConfirmWithReason
      title={`Cancel the booking ${timesText(booking, zone)}`}
      label="Cancel it"
      danger
      reason={false}
      act={act}
      onClose={onClose}
    >
      <p>Its chair is free then. No one is notified: the diary does not know whose booking it is.</p>
    </ConfirmWithReason>
  );
}
