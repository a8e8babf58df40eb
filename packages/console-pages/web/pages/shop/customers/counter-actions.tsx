import { useState } from 'react';
import { ConfirmWithReason } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.ts';
import { readAgain } from '../../../shell/queries.ts';
import { newKey } from '../../../shell/request.ts';
import { grantStamp, redeemVoucher, undoStamp } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import type { Stamp } from '../shapes.ts';

interface Props {
  readonly storeId: string;
  readonly customerId: string;
  /** The stamp that can be undone, if there is one. */
  readonly undo: Stamp | null;
}

/** Grants a stamp at the counter, and takes the last one back. */
export function CounterActions({ storeId, customerId, undo }: Props) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  // The same key until a stamp was granted, so that a press whose response was lost grants none a second time.
  const [key, setKey] = useState(newKey);
  const run = async (act: () => Promise<string>) => {
    setBusy(true);
    setRefused(null);
    try {
      announce(await act());
    } catch (error) {
      setRefused(refusalText(error, 'The stamp'));
    } finally {
      await readAgain('/api/v1/loyalty/');
      setBusy(false);
    }
  };
  const grant = async () => {
    const { current_stamps, goal, voucher_earned } = await grantStamp(storeId, customerId, key);
    setKey(newKey());
    return voucher_earned ? 'The card is full: the customer has a voucher.' : `${current_stamps} of ${goal} stamps.`;
  };
  const takeBack = async (stamp: Stamp) => {
    const { current_stamps } = await undoStamp(storeId, customerId, stamp.id);
    return `The stamp is undone. ${current_stamps} are left.`;
  };
  return (
    <div className="review">
      <button type="button" className="primary" disabled={busy} onClick={() => void run(grant)}>
        Grant a stamp
      </button>
      {undo && (
        <button type="button" disabled={busy} onClick={() => void run(() => takeBack(undo))}>
          Undo the last stamp
        </button>
      )}
      {refused && <p role="alert">{refused}</p>}
    </div>
  );
}

interface RedeemProps {
  readonly storeId: string;
  readonly customerId: string;
  readonly voucherId: string;
  readonly title: string;
  onRedeemed(code: string): void;
}

/** Redeems a voucher, once confirmed: it cannot be undone. */
export function RedeemButton({ storeId, customerId, voucherId, title, onRedeemed }: RedeemProps) {
  const [asking, ask] = useState(false);
  const act = async () => {
    const { redemption_code } = await redeemVoucher(storeId, customerId, voucherId);
    onRedeemed(redemption_code);
    await readAgain('/api/v1/loyalty/');
  };
  return (
    <>
      <button type="button" className="primary" onClick={() => ask(true)}>
        Redeem<span className="unseen"> {title}</span>
      </button>
      {asking && (
        <ConfirmWithReason title={`Redeem ${title}`} label="Redeem" reason={false} act={act} onClose={() => ask(false)}>
          <p>The voucher is used up. This cannot be undone.</p>
        </ConfirmWithReason>
      )}
    </>
  );
}
