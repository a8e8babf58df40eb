import { type FormEvent, useState } from 'react';
import { ActionButton, ConfirmWithReason, InputField, Notice } from '../../../components/index.ts';
import { useStore } from '../../../shell/context.ts';
import { readAgain } from '../../../shell/queries.ts';
import { CustomerLink } from '../customer-link.tsx';
import { type LookedUpVoucher, lookUpVoucher, type RedeemedByCode, redeemByCode } from '../loyalty-operations.ts';
import { useZone } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';

const Redeemed = ({ of: { reward_title, redemption_code, customer_id } }: { readonly of: RedeemedByCode }) => (
  <p className="notice info" role="status">
    {reward_title ?? 'The voucher'} is redeemed. The code for the till is {redemption_code}.{' '}
    <CustomerLink customerId={customer_id} name="Open the customer" />
  </p>
);

export function RedeemByCode() {
  const { id: storeId } = useStore();
  const zone = useZone();
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [found, setFound] = useState<LookedUpVoucher | null>(null);
  const [redeemed, setRedeemed] = useState<RedeemedByCode | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setRedeemed(null);
    setRefused(null);
    setBusy(true);
    try {
      setFound(await lookUpVoucher(storeId, code.trim()));
    } catch (error) {
      setRefused(refusalText(error, code.trim()));
    } finally {
      setBusy(false);
    }
  };
  const act = async (_: string, key: string) => {
    setRedeemed(await redeemByCode(storeId, code.trim(), key));
    setCode('');
    await readAgain('/api/v1/loyalty/');
  };
  return (
    <>
      <form className="code-form" onSubmit={(event) => void submit(event)}>
        <InputField label="Code" required maxLength={64} autoCapitalize="characters" spellCheck={false} value={code} onType={setCode} />
        <ActionButton type="submit" busy={busy} aria-busy={busy}>
          Redeem
        </ActionButton>
      </form>
      <Notice text={refused} />
      {redeemed && <Redeemed of={redeemed} />}
      {found && (
        <ConfirmWithReason title={`Redeem ${code.trim()}`} label="Redeem" reason={false} act={act} onClose={() => setFound(null)}>
          <p>
            <b>{found.reward_title ?? 'Voucher'}</b>, valid until {dayText(found.expires_at, zone)}.
          </p>
          <p>The voucher is used up. This cannot be undone.</p>
        </ConfirmWithReason>
      )}
    </>
  );
}

const dayText = (instant: string, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric', ...(timeZone ? { timeZone } : {}) }).format(
    new Date(instant),
  );
