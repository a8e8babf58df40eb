import { useState } from 'react';
import { ActionButton, ConfirmWithReason } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.tsx';
import { readAgain } from '../../../shell/queries.ts';
import { type CustomerReply, grantStamp, redeemVoucher, type Stamp, undoStamp } from '../loyalty-operations.ts';
import { refusalText } from '../refusal-text.ts';

interface Props {
  readonly storeId: string;
  readonly customerId: string;
  readonly undo: Stamp | null;
}

export function CounterActions({ storeId, customerId, undo }: Props) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
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
    const { current_stamps, goal, voucher_earned } = await grantStamp(storeId, customerId);
    return voucher_earned ? 'The card is full: the customer has a voucher.' : `${current_stamps} of ${goal} stamps.`;
  };
  const takeBack = async (stamp: Stamp) => {
    const { current_stamps } = await undoStamp(storeId, customerId, stamp.id);
    return `The stamp is undone. ${current_stamps} are left.`;
  };
  return (
    <div className="review">
      <ActionButton className="primary" busy={busy} onClick={() => void run(grant)}>
        Grant a stamp
      </ActionButton>
      {undo && (
        <ActionButton busy={busy} onClick={() => void run(() => takeBack(undo))}>
          Undo the last stamp
        </ActionButton>
      )}
      {refused && <p role="alert">{refused}</p>}
    </div>
  );
}

interface RedeemProps {
  readonly storeId: string;
  readonly customerId: string;
  readonly voucher: CustomerReply['active_vouchers'][number];
  onRedeemed(code: string): void;
  onClose(): void;
}

export const voucherTitle = ({ reward_title }: RedeemProps['voucher']): string => reward_title ?? 'Voucher';

/**
 * It cannot be undone. It belongs to the page rather than to the voucher, which leaves the page as soon as it is redeemed, when the request
 * may still have to be repeated.
 */
export function RedeemDialog({ storeId, customerId, voucher, onRedeemed, onClose }: RedeemProps) {
  const act = async (_: string, key: string) => {
    const { redemption_code } = await redeemVoucher(storeId, customerId, voucher.id, key);
    onRedeemed(redemption_code);
    await readAgain('/api/v1/loyalty/');
  };
  return (
    <ConfirmWithReason title={`Redeem ${voucherTitle(voucher)}`} label="Redeem" reason={false} act={act} onClose={onClose}>
      <p>The voucher is used up. This cannot be undone.</p>
    </ConfirmWithReason>
  );
}
