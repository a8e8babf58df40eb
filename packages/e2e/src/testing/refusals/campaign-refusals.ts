import type { RefusalRun } from './refusal-run.ts';

export async function refuseCampaigns({ refused, done, changeRow }: RefusalRun): Promise<void> {
  const draft = async () => ((await done('makeCampaign')).campaign as unknown as { id: string }).id;
  const [stopped, sent] = [await draft(), await draft()];
  await done('stopCampaign', { with: { campaign_id: stopped } });
  await refused('sendCampaign', 'INVALID_TRANSITION', { with: { campaign_id: stopped } });
  await changeRow(`update notifications.campaign set state = 'sent', ended_at = now() where id = $1`, sent);
  await refused('stopCampaign', 'INVALID_TRANSITION', { with: { campaign_id: sent } });
}
