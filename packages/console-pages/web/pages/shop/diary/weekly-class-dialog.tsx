import { useState } from 'react';
import { Choice, ConfirmWithReason, InputField } from '../../../components/index.ts';
import { RequestFailed } from '../../../logic/refusal.ts';
import { announce } from '../../../shell/announce.tsx';
import { DaysField, type Floor } from '../settings/index.ts';
import { changeWeeklyClass, keptText, makeWeeklyClass, type WeeklyClass } from './appointment-operations.ts';

interface Props {
  readonly storeId: string;
  readonly chairs: Floor['units'];
  readonly services: Floor['services'];
  readonly weekly: WeeklyClass | undefined;
  onClose(): void;
}

const formOf = ({ weekly, services, chairs }: Props) => ({
  service_id: weekly?.service_id ?? services[0]?.id ?? '',
  unit_id: (weekly ? weekly.unit_id : chairs[0]?.id) ?? '',
  days: (weekly?.days ?? []) as readonly number[],
  from: weekly?.from ?? '',
  minutes: String(weekly?.minutes ?? services[0]?.minutes ?? 60),
  places: String(weekly?.places ?? 8),
  from_date: weekly?.from_date ?? '',
  until_date: weekly?.until_date ?? '',
});

/** Adds a weekly class, or changes `weekly`, whose service and first day stay. */
export function WeeklyClassDialog(props: Props) {
  const { storeId, chairs, services, weekly, onClose } = props;
  const [form, setForm] = useState(() => formOf(props));
  const set = (fields: Partial<typeof form>) => setForm((before) => ({ ...before, ...fields }));
  const act = async (_: string, key: string) => {
    if (form.days.length === 0) throw new RequestFailed(400, 'VALIDATION_FAILED', 'Choose a day at least.');
    const { service_id, from, from_date } = form;
    const common = { store_id: storeId, unit_id: form.unit_id || null, days: [...form.days], from, until_date: form.until_date || null };
    const size = { minutes: Number(form.minutes), places: Number(form.places) };
    if (weekly) announce(`Changed. ${keptText(await changeWeeklyClass(weekly, { ...common, ...size }, key))}`);
    else {
      await makeWeeklyClass({ ...common, ...size, service_id, from_date: from_date || null }, key);
      announce('The weekly class is in the diary.');
    }
  };
  const any = weekly && weekly.unit_id !== null ? [] : [['', 'Any that is free'] as const];
  return (
    <ConfirmWithReason
      title={weekly ? 'Change the weekly class' : 'Add a weekly class'}
      label={weekly ? 'Change' : 'Add'}
      reason={false}
      act={act}
      onClose={onClose}
    >
      {!weekly && (
        <Choice
          label="Service"
          value={form.service_id}
          options={services.map(({ id, name }) => [id, name] as const)}
          onChoose={(service_id) => set({ service_id })}
        />
      )}
      <Choice
        label="Chair or room"
        value={form.unit_id}
        options={[...any, ...chairs.map(({ id, name }) => [id, name] as const)]}
        onChoose={(unit_id) => set({ unit_id })}
      />
      <DaysField label="Days" of={{ value: form.days, locked: false, error: null, set: (days) => set({ days }) }} />
      <InputField
        label="Time"
        hint="As the clock of the store shows it, in summer and winter."
        {...{ type: 'time', required: true, value: form.from }}
        onType={(from) => set({ from })}
      />
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
      {!weekly && (
        <InputField
          label="First day"
          hint="Empty: today."
          {...{ type: 'date', value: form.from_date }}
          onType={(from_date) => set({ from_date })}
        />
      )}
      <InputField
        label="Last day"
        hint="Empty: without an end."
        {...{ type: 'date', value: form.until_date }}
        onType={(until_date) => set({ until_date })}
      />
    </ConfirmWithReason>
  );
}
