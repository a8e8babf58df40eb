import { Empty, Section } from '../../../../components/index.ts';
import { plural } from '../../../../logic/format.ts';
import type { Bound } from '../bound.ts';
import { DaysField, NumberField, TextField, TimeField } from '../form-fields.tsx';
import { InstantField } from '../instant-field.tsx';
import { ListField } from '../list-field.tsx';
import { type Floor, floorObject, useSavedStore } from '../offer-objects.ts';
import { SettingsForm } from '../settings-form.tsx';
import { SettingsPage } from '../settings-page.tsx';
import { type Edited, useObject } from '../use-object.ts';
import { Rota } from './rota-table.tsx';

type Service = Floor['services'][number];
type Chair = Floor['units'][number];
type Weekly = Chair['weekly_shifts'][number];
type Span = Chair['shifts'][number];

export default function FloorSection() {
  const edited = useObject(floorObject);
  const zone = useSavedStore()?.time_zone;
  return (
    <SettingsPage
      title="Floor and rota"
      about="Services, chairs, and when each chair is staffed. The queue and the diary are made of them."
    >
      <SettingsForm of={[edited]}>{() => zone !== undefined && <Fields edited={edited} zone={zone} />}</SettingsForm>
    </SettingsPage>
  );
}

function Fields({ edited, zone }: { readonly edited: Edited<Floor>; readonly zone: string }) {
  const [services, units] = [edited.bind('services'), edited.bind('units')];
  const setServices = (next: readonly Service[]) =>
    edited.set({
      services: [...next],
      units: units.value.map((unit) => ({ ...unit, service_ids: unit.service_ids.filter((id) => next.some((each) => each.id === id)) })),
    });
  return (
    <>
      <Section title="Services">
        <p className="quiet">The first one is that of a walk-in who names none.</p>
        <ListField<Service>
          of={{ ...services, set: setServices }}
          ordered
          most={100}
          keyOf={({ id }) => id}
          nameOf={({ name }, index) => name || `service ${index + 1}`}
          add={{ label: 'Add a service', make: () => ({ id: crypto.randomUUID(), name: '', minutes: 30, buffer_minutes: 0 }) }}
          empty={<Empty title="No service yet.">Such as a cut, with the minutes that it takes.</Empty>}
        >
          {(service) => (
            <div className="form-row">
              <TextField label="Name" of={service.field('name')} maxLength={120} required autoComplete="off" />
              <NumberField label="Takes" of={service.field('minutes') as Bound<number | null>} unit="minutes" />
              <NumberField label="Then free for" of={service.field('buffer_minutes') as Bound<number | null>} unit="minutes" />
            </div>
          )}
        </ListField>
      </Section>
      <Section title="Chairs">
        <ListField<Chair>
          of={units}
          ordered
          most={100}
          keyOf={({ id }) => id}
          nameOf={({ name }, index) => name || `chair ${index + 1}`}
          add={{ label: 'Add a chair', make: () => newChair(services.value) }}
          empty={<Empty title="No chair yet.">A chair, a table or a person: what takes one guest at a time.</Empty>}
        >
          {(chair) => <ChairFields of={chair} services={services.value} zone={zone} />}
        </ListField>
      </Section>
      <Section title="The week">
        <Rota chairs={units.value} />
      </Section>
    </>
  );
}

const newChair = (services: readonly Service[]): Chair => ({
  id: crypto.randomUUID(),
  name: '',
  service_ids: services.map(({ id }) => id),
  shifts: [],
  breaks: [],
  weekly_shifts: [newWeekly('09:00', '17:00')],
  weekly_breaks: [],
});

const newWeekly = (from: string, to: string): Weekly => ({ days: [1, 2, 3, 4, 5], from, to });

interface ChairProps {
  readonly of: Bound<Chair>;
  readonly services: readonly Service[];
  readonly zone: string;
}

function ChairFields({ of, services, zone }: ChairProps) {
  const { name, service_ids, weekly_shifts, weekly_breaks, shifts, breaks } = of.value;
  const weekly = weekly_shifts.length + weekly_breaks.length;
  const dated = shifts.length + breaks.length;
  return (
    <>
      <TextField label="Name" of={of.field('name')} maxLength={120} required autoComplete="off" />
      <ServicesField of={of.field('service_ids')} services={services} />
      {service_ids.length === 0 && services.length > 0 && <p className="quiet">It offers no service, so no one is sent to it.</p>}
      <details>
        <summary>
          Each week: {plural(weekly, 'row')} of shifts and breaks<span className="unseen"> of {name}</span>
        </summary>
        <WeeklyList
          title="Shifts"
          one="shift"
          of={of.field('weekly_shifts')}
          make={() => weekly_shifts.at(-1) ?? newWeekly('09:00', '17:00')}
        />
        <WeeklyList title="Breaks" one="break" of={of.field('weekly_breaks')} make={() => newWeekly('13:00', '13:30')} />
      </details>
      <details>
        <summary>
          Single days: {plural(dated, 'shift or break', 'shifts and breaks')}
          <span className="unseen"> of {name}</span>
        </summary>
        <p className="quiet">A shift is one more than those of the week. For a day off, add a break over the whole shift.</p>
        <DatedList title="Shifts" one="shift" of={of.field('shifts')} zone={zone} />
        <DatedList title="Breaks" one="break" of={of.field('breaks')} zone={zone} />
      </details>
    </>
  );
}

function ServicesField({ of, services }: { readonly of: Bound<readonly string[]>; readonly services: readonly Service[] }) {
  const { value, locked, set } = of;
  return (
    <fieldset className="field chair-services" disabled={locked}>
      <legend>Services</legend>
      {services.map(({ id, name }) => (
        <label key={id} className="check">
          <input
            type="checkbox"
            checked={value.includes(id)}
            onChange={({ target }) => set(target.checked ? [...value, id] : value.filter((other) => other !== id))}
          />
          {name || 'without a name'}
        </label>
      ))}
    </fieldset>
  );
}

interface ListProps<E> {
  readonly title: string;
  readonly one: string;
  readonly of: Bound<readonly E[]>;
}

const WeeklyList = ({ title, one, of, make }: ListProps<Weekly> & { readonly make: () => Weekly }) => (
  <fieldset className="span-list">
    <legend>{title}</legend>
    <ListField<Weekly> of={of} most={28} nameOf={(_, index) => `${one} ${index + 1}`} add={{ label: `Add a ${one}`, make }}>
      {(span) => (
        <>
          <DaysField label="Days" of={span.field('days')} />
          <div className="form-row slots-row">
            <TimeField label="From" of={span.field('from')} />
            <TimeField label="To" of={span.field('to')} />
          </div>
        </>
      )}
    </ListField>
  </fieldset>
);

const hourMs = 3_600_000;

function newSpan(): Span {
  const from = Math.ceil(Date.now() / hourMs) * hourMs;
  const [starts_at, ends_at] = [from, from + hourMs].map((at) => new Date(at).toISOString()) as [string, string];
  return { starts_at, ends_at };
}

const DatedList = ({ title, one, of, zone }: ListProps<Span> & { readonly zone: string }) => (
  <fieldset className="span-list">
    <legend>{title}</legend>
    <ListField<Span> of={of} nameOf={(_, index) => `${one} ${index + 1}`} add={{ label: `Add a ${one}`, make: newSpan }}>
      {(span) => (
        <div className="form-row">
          <InstantField label="From" of={span.field('starts_at') as Bound<string | null>} zone={zone} required />
          <InstantField label="To" of={span.field('ends_at') as Bound<string | null>} zone={zone} required />
        </div>
      )}
    </ListField>
  </fieldset>
);
