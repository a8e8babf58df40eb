import { useState } from 'react';
import { ActionButton } from '../../../components/index.ts';
import { announce } from '../../../shell/announce.tsx';
import { readAgain } from '../../../shell/queries.ts';
import { resolveStamp } from '../loyalty-operations.ts';
import { refusalText } from '../refusal-text.ts';

interface Props {
  readonly storeId: string;
  readonly stampId: string;
  readonly name: string;
}

export function StampReview({ storeId, stampId, name }: Props) {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const decide = async (action: 'approve' | 'reject') => {
    setBusy(true);
    setRefused(null);
    try {
      const { result } = await resolveStamp(storeId, stampId, action);
      if (result?.success === false) setRefused(result.message ?? result.error ?? 'The stamp could not be approved.');
      else announce(action === 'reject' ? 'The stamp is rejected.' : approvedText(result?.voucher_created));
    } catch (error) {
      setRefused(refusalText(error, 'The stamp'));
    } finally {
      await readAgain('/api/v1/loyalty/');
      setBusy(false);
    }
  };
  return (
    <div className="review">
      <ActionButton className="primary" busy={busy} onClick={() => void decide('approve')}>
        Approve<span className="unseen"> the stamp of {name}</span>
      </ActionButton>
      <ActionButton busy={busy} onClick={() => void decide('reject')}>
        Reject<span className="unseen"> the stamp of {name}</span>
      </ActionButton>
      {refused && <p role="alert">{refused}</p>}
    </div>
  );
}

const approvedText = (voucher: boolean | undefined): string =>
  voucher ? 'The stamp is approved, and it completes a card: the customer has a voucher.' : 'The stamp is approved.';
