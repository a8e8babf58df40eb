import { useState } from 'preact/hooks';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { chairsFor, type StoreQueue, waitFor } from './choices.ts';
import { useJoin } from './use-join.ts';

const mostPeople = 8;

interface JoinFormProps {
  readonly store: Store;
  readonly queue: StoreQueue;
  readonly joined: () => void;
}

export function JoinForm({ store, queue, joined }: JoinFormProps) {
  const { queue: texts } = useTexts();
  const { walk_ins: walkIns, services, waiting, kept_percent: kept, late_by_min: late } = queue;
  const { time } = useFormat();
  const [serviceId, setServiceId] = useState<string>();
  const [chairId, setChairId] = useState<string | null>(null);
  const [people, setPeople] = useState(1);
  const service = services.find(({ id }) => id === serviceId) ?? services[0];
  const chairs = chairsFor(queue, service);
  const chair = chairs.find(({ id }) => id === chairId) ?? null;
  const { fields, busy, failed, phoneWrong, join } = useJoin(store.id, joined);
  if (!walkIns.open)
    return (
      <Notice kind="warning" title={texts.closed[walkIns.reason ?? 'store']}>
        {walkIns.until === null ? null : <p>{texts.until(time(walkIns.until, store.time_zone))}</p>}
      </Notice>
    );
  return (
    <form
      class="join"
      onSubmit={(event) => {
        event.preventDefault();
        void join({ service_id: service?.id ?? null, preferred_unit_id: chair?.id ?? null, party_size: people });
      }}
    >
      <div>
        <p class="join-waiting">{texts.waiting(waiting)}</p>
        {kept === null ? null : <p class="hint">{texts.kept(kept, late ?? 0)}</p>}
      </div>
      <fieldset class="choices">
        <legend>{texts.service}</legend>
        {services.map((one) => (
          <Choice
            key={one.id}
            type="radio"
            name="service"
            checked={one === service}
            disabled={one.wait_min === null}
            onChange={() => setServiceId(one.id)}
            label={
              <>
                {one.name} <span class="hint">{texts.minutes(one.minutes)}</span>
              </>
            }
            after={waitFor(one, texts)}
          />
        ))}
      </fieldset>
      {chairs.length > 1 ? (
        <fieldset class="choices">
          <legend>{texts.chair}</legend>
          <Choice type="radio" name="chair" checked={chair === null} onChange={() => setChairId(null)} label={texts.anyChair} />
          {chairs.map((one) => (
            <Choice key={one.id} type="radio" name="chair" checked={one === chair} onChange={() => setChairId(one.id)} label={one.name} />
          ))}
        </fieldset>
      ) : null}
      <div class="join-people">
        <span aria-hidden="true">{texts.people}</span>
        <Stepper name={texts.people} value={people} min={1} max={mostPeople} onChange={setPeople} />
      </div>
      <Field label={texts.name} hint={texts.nameHint} autocomplete="given-name" maxLength={120} required {...fields.name} />
      <Field
        type="tel"
        label={texts.phone}
        hint={texts.phoneHint}
        autocomplete="tel"
        maxLength={24}
        error={phoneWrong ? texts.phoneWrong : undefined}
        {...fields.phone}
      />
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      <Button type="submit" kind="main" busy={busy} disabled={service?.wait_min === null}>
        {texts.join}
      </Button>
    </form>
  );
}
