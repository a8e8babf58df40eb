import { useState } from 'preact/hooks';
import { deviceId } from '../../session/device-id.ts';
import { useClient } from '../../session/use-session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';

/** The code is used once, so a repeat after a lost reply gets the same stamp. */
export function StampCode({ storeId }: { readonly storeId: string }) {
  const { card: texts } = useTexts();
  const client = useClient();
  const [code, setCode] = useState('');
  const [said, setSaid] = useState<string>();
  const { busy, failed, trying } = useTrying();
  const redeem = () =>
    trying(async () => {
      setSaid(undefined);
      const body = { code, expected_store_id: storeId, device_info: deviceId() };
      const { data } = await client.POST('/api/v1/loyalty/stamp-codes/redeem', { body });
      const became = data.already_redeemed ? texts.codeBefore : data.counts_now ? texts.codeCounts : texts.codeWaits;
      setSaid(data.voucher_earned ? `${became} ${texts.codeReward}` : became);
      setCode('');
    });
  return (
    <form
      class="part"
      onSubmit={(event) => {
        event.preventDefault();
        if (code.trim() && !busy) void redeem();
      }}
    >
      <Field
        label={texts.code}
        hint={texts.codeHint}
        value={code}
        onInput={({ currentTarget }) => setCode(currentTarget.value)}
        maxLength={32}
        autocomplete="off"
        autocapitalize="characters"
        spellcheck={false}
        enterkeyhint="done"
        after={
          <Button type="submit" busy={busy} disabled={!code.trim()}>
            {texts.useCode}
          </Button>
        }
      />
      {said === undefined ? null : <Notice kind="good">{said}</Notice>}
      {failed === undefined ? null : <ErrorNotice error={failed} />}
    </form>
  );
}
