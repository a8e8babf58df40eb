import { wallTimeAt } from '@corner/page-kit/logic/zones';
import { useState } from 'react';
import { Empty, Section, Switch } from '../../../../components/index.ts';
import { plural } from '../../../../logic/format.ts';
import type { Bound } from '../bound.ts';
import type { DirectoryStore } from '../directory-objects.ts';
import { DaysField, NumberField, SwitchField, TimeField } from '../form-fields.tsx';
import { InstantField } from '../instant-field.tsx';
import { ListField } from '../list-field.tsx';
import { type Slots, slotsObject, useSavedStore } from '../offer-objects.ts';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type Edited, useObject } from '../use-object.ts';
import { WeekPreview } from './week-preview.tsx';
import { previewSlots, weekOf } from './week-slots.ts';

type Row = Slots['template'][number];
type Dated = Slots['slots'][number];

export default function SlotsSection() {
  const edited = useObject(slotsObject);
  const store = useSavedStore();
  return (
    <SettingsPage title="Slots" about="The times that customers choose from when they order ahead.">
      <SettingsForm of={[edited]}>{() => store && <Fields edited={edited} store={store} />}</SettingsForm>
    </SettingsPage>
  );
}

const newRow = (rows: readonly Row[]): Row =>
  rows.at(-1) ?? { days: [1, 2, 3, 4, 5], from: '08:00', to: '16:00', every_minutes: 30, capacity: 6 };

const daysShown = 7;

function Fields({ edited, store }: { readonly edited: Edited<Slots>; readonly store: DirectoryStore }) {
  const template = edited.bind('template');
  const dated = edited.bind('slots');
  const { time_zone: zone, closures } = store;
  const [now] = useState(Date.now);
  const first = wallTimeAt(now, zone).date;
  const { slots, orders } = weekOf(template.value);
  const days = previewSlots({ slots: dated.value, template: template.value, closures, zone, first, days: daysShown });
  return (
    <>
      <Section title="Every week">
        <ListField<Row>
          of={template}
          most={100}
          nameOf={(_, index) => `row ${index + 1}`}
          add={{ label: 'Add times', make: () => newRow(template.value) }}
          empty={<Empty title="No slot.">Customers then order for at once only.</Empty>}
        >
          {(row) => <RowFields of={row} />}
        </ListField>
      </Section>
      <Section title="The next seven days">
        <p className="quiet">
          {plural(slots, 'slot')} a week, which hold {orders === null ? 'any number of orders' : plural(orders, 'order')}. Orders that are
          booked stay booked.
        </p>
        <WeekPreview days={days} zone={zone} />
      </Section>
      <Section title="Single days">
        <DatedSlots of={dated} zone={zone} />
      </Section>
    </>
  );
}

const RowFields = ({ of }: { readonly of: Bound<Row> }) => (
  <>
    <DaysField label="Days" of={of.field('days')} />
    <div className="form-row slots-row">
      <TimeField label="From" of={of.field('from')} />
      <TimeField label="To" of={of.field('to')} />
      <NumberField label="Each lasts" of={of.field('every_minutes') as Bound<number | null>} unit="minutes" />
      <NumberField label="Orders in each" of={of.field('capacity')} optional />
    </div>
  </>
);

const hourMs = 3_600_000;

function newDated(now: number): Dated {
  const from = Math.ceil(now / hourMs) * hourMs;
  const [starts_at, ends_at] = [from, from + hourMs / 2].map((at) => new Date(at).toISOString()) as [string, string];
  return { id: crypto.randomUUID(), starts_at, ends_at, capacity: null, open: true };
}

function DatedSlots({ of, zone }: { readonly of: Bound<readonly Dated[]>; readonly zone: string }) {
  const [now] = useState(Date.now);
  const [showsPast, showPast] = useState(false);
  const isPast = ({ ends_at }: Dated) => Date.parse(ends_at) <= now;
  const past = of.value.filter(isPast).length;
  return (
    <>
      <p className="quiet">
        For a day that is unlike the others. A slot here takes the place of those above that it overlaps; one that is not open closes them.
      </p>
      {past > 0 && <Switch label={`Show ${plural(past, 'slot')} of the past`} isOn={showsPast} onTurn={showPast} />}
      <ListField<Dated>
        {...{ of }}
        most={1_000}
        keyOf={({ id }) => id}
        shows={showsPast ? undefined : (slot) => !isPast(slot)}
        nameOf={(_, index) => `slot ${index + 1}`}
        add={{ label: 'Add a slot', make: () => newDated(now) }}
      >
        {(slot) => (
          <>
            <div className="form-row">
              <InstantField label="From" of={slot.field('starts_at') as Bound<string | null>} zone={zone} required />
              <InstantField label="To" of={slot.field('ends_at') as Bound<string | null>} zone={zone} required />
              <NumberField label="Orders in it" of={slot.field('capacity')} optional />
            </div>
            <SwitchField label="Customers can choose it" of={slot.field('open')} />
          </>
        )}
      </ListField>
    </>
  );
}
