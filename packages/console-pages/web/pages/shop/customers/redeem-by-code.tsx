import { type FormEvent, useState } from 'react';
import { ConfirmWithReason, InputField } from '../../../components/index.ts';
import { useStore } from '../../../shell/context.ts';
import { readAgain } from '../../../shell/queries.ts';
import { CustomerLink } from '../customer-link.tsx';
import { type RedeemedByCode, redeemByCode } from '../loyalty-operations.ts';

/** Redeems a voucher whose code a customer reads out or shows, once confirmed: it cannot be undone. */
export function RedeemByCode() {
  const { id: storeId } = useStore();
  const [code, setCode] = useState('');
  const [asking, ask] = useState(false);
  const [redeemed, setRedeemed] = useState<RedeemedByCode | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setRedeemed(null);
    ask(true);
  };
  const act = async (_: string, key: string) => {
    setRedeemed(await redeemByCode(storeId, code.trim(), key));
    setCode('');
    await readAgain('/api/v1/loyalty/');
  };
  return (
    <>
      <form className="code-form" onSubmit={submit}>
        <InputField label="Code" required maxLength={64} autoCapitalize="characters" spellCheck={false} value={code} onType={setCode} />
        <button type="submit">Redeem</button>
      </form>
      {redeemed && (
        <p className="notice info" role="status">
          {redeemed.reward_title ?? 'The voucher'} is redeemed. The code for the till is {redeemed.redemption_code}.{' '}
          <CustomerLink customerId={redeemed.customer_id} name="Open the customer" />
        </p>
      )}
      {asking && (
        <ConfirmWithReason title={`Redeem ${code.trim()}`} label="Redeem" reason={false} act={act} onClose={() => ask(false)}>
          <p>The voucher is used up. This cannot be undone.</p>
        </ConfirmWithReason>
      )}
    </>
  );
}
