import { useEffect, useState } from 'preact/hooks';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Choice } from '../../ui/field.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import { linkPush, type PushState, readPush, unlinkPush } from './push.ts';

export function Notifications() {
  const { me: texts } = useTexts();
  const client = useClient();
  const { data } = useRead('/api/v1/notifications/web-push-key', {});
  const [state, setState] = useState<PushState>();
  const { failed, trying } = useTrying();
  const key = data?.public_key ?? null;
  const run = (change: () => Promise<PushState>) => trying(async () => setState(await change()));
  useEffect(() => {
    if (key === null) return;
    // The browser may replace a subscription without notice: an active one is linked again.
    void run(async () => ((await readPush()) === 'on' ? await linkPush(client, key) : await readPush()));
  }, [key]);
  if (key === null || state === undefined) return null;
  return (
    <section class="part">
      <h2>{texts.device}</h2>
      <p class="hint">{{ on: texts.deviceHint, off: texts.deviceHint, denied: texts.deviceDenied, none: texts.deviceNone }[state]}</p>
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      {state === 'on' || state === 'off' ? (
        <Choice
          type="checkbox"
          label={texts.deviceOn}
          checked={state === 'on'}
          onChange={({ currentTarget: { checked } }) => void run(() => (checked ? linkPush(client, key) : unlinkPush(client)))}
        />
      ) : null}
    </section>
  );
}
