import type { Transaction } from '@corner/chassis';
import { Problem } from '@corner/contracts';
import { checkStep, holdsOut } from './rules.ts';
import { countAudience, lockCampaign, updateState } from './tables/campaigns.ts';

/** A repeat changes nothing. Throws CAMPAIGN_NOT_FOUND and INVALID_TRANSITION. */
export async function stepCampaign(tx: Transaction, { storeId, id, step }: StepRequest): Promise<void> {
  const campaign = await lockCampaign(tx, storeId, id);
  if (!campaign) throw new Problem('CAMPAIGN_NOT_FOUND');
  const verdict = checkStep(campaign.state, step);
  if (verdict === 'already-made') return;
  if (verdict === 'refused') throw new Problem('INVALID_TRANSITION', { message: `The campaign is ${campaign.state}.` });
  if (step === 'stop') return await updateState(tx, id, { state: 'stopped', holdsOut: false });
  const audience = await countAudience(tx, storeId, campaign.audience, tx.now);
  await updateState(tx, id, { state: 'sending', holdsOut: holdsOut(audience) });
}

interface StepRequest {
  readonly storeId: string;
  readonly id: string;
  readonly step: 'send' | 'stop';
}
