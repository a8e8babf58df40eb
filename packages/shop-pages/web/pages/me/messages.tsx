import type { WorkingToggle } from '@corner/contracts';
import { useState } from 'preact/hooks';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { Choice } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

type Switch = WorkingToggle;

const switches = {
  stampEventsEnabled: { text: 'stamps', on: true },
  voucherEventsEnabled: { text: 'vouchers', on: true },
  classReminders: { text: 'reminders', on: true },
  classEventsEnabled: { text: 'classes', on: true },
  membershipEventsEnabled: { text: 'memberships', on: true },
  penaltyEventsEnabled: { text: 'penalties', on: true },
  messagesMuted: { text: 'muted', on: false },
  marketingEnabled: { text: 'marketing', on: false },
} as const satisfies Readonly<Record<Switch, unknown>>;

export function Messages({ store }: { readonly store: Store }) {
  const { me: texts } = useTexts();
  const { language: locale } = useLanguage();
  const format = useFormat();
  const client = useClient();
  const { data, error, again } = useRead('/api/v1/notifications/preferences', {});
  const [changed, setChanged] = useState<Partial<Record<Switch, boolean>>>({});
  const [failed, setFailed] = useState<unknown>();
  const row = data?.preferences.find(({ storeId }) => storeId === store.id);
  const answer = row?.marketingAnswer;
  const set = async (name: Switch, value: boolean) => {
    setFailed(undefined);
    setChanged((before) => ({ ...before, [name]: value }));
    try {
      const { text } = switches[name];
      // The text that is recorded with an answer about news is the one beside the switch.
      const shown = { text: `${texts[text]}. ${texts[`${text}Hint`]}`, locale };
      await client.POST('/api/v1/notifications/preferences', { body: { storeId: store.id, [name]: value, shown } });
    } catch (thrown) {
      setChanged(({ [name]: _refused, ...others }) => others);
      setFailed(thrown);
    }
    again();
  };
  const isOn = (name: Switch): boolean => changed[name] ?? row?.[name] ?? switches[name].on;
  return (
    <section class="part">
      <h2>{texts.messages(store.name)}</h2>
      <p class="hint">{texts.messagesHint}</p>
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      {error === undefined || data ? null : <ErrorNotice error={error} again={again} />}
      <div class="choices">
        {(Object.keys(switches) as Switch[]).map((name) => {
          const { text } = switches[name];
          return (
            <Choice
              key={name}
              type="checkbox"
              checked={isOn(name)}
              onChange={({ currentTarget: { checked } }) => void set(name, checked)}
              label={
                <>
                  {texts[text]}
                  <span class="hint in-choice">{texts[`${text}Hint`]}</span>
                </>
              }
            />
          );
        })}
      </div>
      {answer ? (
        <p class="hint">{texts.answered(answer.accepted, format.date(answer.at, store.time_zone), answer.shown?.text ?? null)}</p>
      ) : null}
    </section>
  );
}
