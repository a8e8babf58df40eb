import { useState } from 'react';
import { ActionButton, ConfirmWithReason, Dialog, Linked } from '../../../components/index.ts';
import { useNow } from '../../../components/use-now.ts';
import { count, plural } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { useZone } from '../operations.ts';
import { refusalText } from '../refusal-text.ts';
import { type Counted, stepCampaign, testCampaign } from './campaign-operations.ts';
import { audienceText, beginText, holdOutText, rulesText } from './campaigns.ts';
import { Preview } from './write-campaign.tsx';

interface Props {
  readonly of: Counted;
  onClose(): void;
}

export function SendCampaign({ of: { campaign, audience_count }, onClose }: Props) {
  const { id: storeId } = useStore();
  const zone = useZone();
  const now = useNow();
  if (audience_count === 0)
    return (
      <Dialog title="No one would get it now" onClose={onClose}>
        <p>
          No customer is in “{audienceText(campaign.audience)}”. It stays as a draft. {rulesText}
        </p>
        <div className="dialog-buttons">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    );
  const to = plural(audience_count, 'customer');
  const act = async (_: string, key: string) => {
    await stepCampaign(storeId, campaign.id, 'send', key);
    announce(`“${campaign.title}” is being sent to up to ${to}.`);
  };
  return (
    <ConfirmWithReason title={`Send it to ${to}?`} label={`Send to ${count(audience_count)}`} reason={false} act={act} onClose={onClose}>
      <Preview {...campaign} />
      <div className="field">
        <p>
          <b>{audienceText(campaign.audience)}.</b> {holdOutText(audience_count)} {zone && beginText(now, zone)}
        </p>
        <p className="quiet">{rulesText}</p>
      </div>
      <Test storeId={storeId} campaignId={campaign.id} />
    </ConfirmWithReason>
  );
}

function Test({ storeId, campaignId }: { readonly storeId: string; readonly campaignId: string }) {
  const [busy, setBusy] = useState(false);
  const [said, say] = useState('');
  const test = async () => {
    setBusy(true);
    try {
      const messages = await testCampaign(storeId, campaignId);
      say(
        messages === 0
          ? 'The store has no contact: add one in Settings, Contacts.'
          : `Sent to ${plural(messages, 'contact')} of the store.`,
      );
    } catch (error) {
      say(refusalText(error, 'The test'));
    }
    setBusy(false);
  };
  return (
    <p className="order-marks">
      <ActionButton className="small" busy={busy} onClick={() => void test()}>
        Send a test to the store’s contacts
      </ActionButton>
      <span role="status">
        <Linked text={said} />
      </span>
    </p>
  );
}
