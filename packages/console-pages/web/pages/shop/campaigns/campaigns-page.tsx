import { useState } from 'react';
import { Badge, ConfirmWithReason, Empty, Instant, Loaded, Page } from '../../../components/index.ts';
import { useNow } from '../../../components/use-now.ts';
import { count } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { type Campaign, type Counted, campaignsPath, stepCampaign } from './campaign-operations.ts';
import { audienceText, comparisonText, rulesText, shareText, stateOf } from './campaigns.ts';
import { SendCampaign } from './send-campaign.tsx';
import { WriteCampaign } from './write-campaign.tsx';

/** Results are counted once a minute, and no event announces them. */
const readEveryMs = 5_000;

type Doing =
  | { readonly what: 'write'; readonly from: Campaign | null }
  | { readonly what: 'send'; readonly of: Counted }
  | { readonly what: 'stop'; readonly of: Campaign };

export default function CampaignsPage() {
  const { id: storeId } = useStore();
  const read = useRead(campaignsPath(storeId), { every: readEveryMs });
  const [doing, act] = useState<Doing | null>(null);
  const close = () => act(null);
  // The dialog that counted closes itself after it.
  const closeWriting = () => act((now) => (now?.what === 'write' ? null : now));
  const button = (
    <button type="button" className="primary" aria-haspopup="dialog" onClick={() => act({ what: 'write', from: null })}>
      Write a campaign
    </button>
  );
  return (
    <Page title="Campaigns" about={rulesText} controls={button}>
      <Loaded of={read}>
        {({ campaigns }) => {
          const shown = campaigns.filter(({ state, begun_at }) => state !== 'stopped' || begun_at !== null);
          if (shown.length === 0) return <Empty title="No campaign yet.">Nothing is sent before you have seen whom it reaches.</Empty>;
          return (
            <ul className="cards">
              {shown.map((campaign) => (
                <li key={campaign.id} className="card" data-campaign={campaign.id}>
                  <CampaignCard campaign={campaign} act={act} />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
      {doing?.what === 'write' && <WriteCampaign from={doing.from} onCounted={(of) => act({ what: 'send', of })} onClose={closeWriting} />}
      {doing?.what === 'send' && <SendCampaign of={doing.of} onClose={close} />}
      {doing?.what === 'stop' && <StopCampaign campaign={doing.of} onClose={close} />}
    </Page>
  );
}

interface CardProps {
  readonly campaign: Campaign;
  act(doing: Doing): void;
}

function CampaignCard({ campaign, act }: CardProps) {
  const zone = useZone();
  const { title, body, audience, state, begun_at, made_at, by } = campaign;
  const [tone, text] = stateOf(campaign);
  const name = <span className="unseen">: {title}</span>;
  const button = (label: string, doing: Doing) => (
    <button type="button" className="small" aria-haspopup="dialog" onClick={() => act(doing)}>
      {label}
      {name}
    </button>
  );
  return (
    <article>
      <h2 className="card-title">{title}</h2>
      <p className="order-marks">
        <Badge tone={tone}>{text}</Badge>
        <span>{audienceText(audience)}</span>
        <span className="quiet">
          by {by.name ?? 'the store'}, <Instant at={begun_at ?? made_at} zone={zone} />
        </span>
      </p>
      <p className="mail-text">{body}</p>
      {begun_at !== null && <Results campaign={campaign} zone={zone} />}
      <p className="order-marks">
        {button(state === 'draft' ? 'Continue' : 'Write again', { what: 'write', from: campaign })}
        {(state === 'draft' || state === 'sending') && button(state === 'draft' ? 'Discard' : 'Stop', { what: 'stop', of: campaign })}
      </p>
    </article>
  );
}

function Results({ campaign, zone }: { readonly campaign: Campaign; readonly zone: string | undefined }) {
  const { written, sent, muted, failed, stopped, came_back, held_out, held_out_came_back } = campaign.results;
  return (
    <>
      <p className="order-marks">
        <b>{count(sent)} sent</b>
        {muted > 0 && <span>{count(muted)} not sent: muted, or out of reach</span>}
        {failed > 0 && <span>{count(failed)} failed</span>}
        <span>{count(stopped)} stopped the news within 14 days</span>
      </p>
      <p>
        Came back within 14 days: {shareText(came_back, written)}
        {held_out > 0 && `; of those left out by lot ${shareText(held_out_came_back, held_out)}`}.
      </p>
      <p className="quiet">{comparisonText(campaign, useNow(), zone)}</p>
    </>
  );
}

function StopCampaign({ campaign: { id, title, state }, onClose }: { readonly campaign: Campaign; onClose(): void }) {
  const { id: storeId } = useStore();
  const isDraft = state === 'draft';
  const act = async (_: string, key: string) => {
    await stepCampaign(storeId, id, 'stop', key);
    announce(`“${title}” is ${isDraft ? 'discarded' : 'stopped'}.`);
  };
  const label = isDraft ? 'Discard' : 'Stop';
  return (
    <ConfirmWithReason title={`${label} “${title}”`} label={label} danger reason={false} act={act} onClose={onClose}>
      <p>{isDraft ? 'Nothing of it was sent.' : 'No further message of it is written. What was sent stays sent.'}</p>
    </ConfirmWithReason>
  );
}
