import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Ago, Badge, type Column, Empty, Icon, Loaded, Notice, Table } from '../../../../components/index.ts';
import { count, plural } from '../../../../logic/format.ts';
import { announce } from '../../../../shell/announce.tsx';
import { useStore } from '../../../../shell/context.ts';
import { useFilters } from '../../../../shell/filters.ts';
import { useRead } from '../../../../shell/queries.ts';
import { refusalText } from '../../refusal-text.ts';
import { sectionPath } from '../sections.ts';
import { SettingsPage } from '../settings-page.tsx';
import { eventsPath, repeatEvent, webhooksPath } from './webhook-operations.ts';
import { deliveryState, nameOf, newestAfter, pageSize, responseText, type Webhook, type WebhookEvent } from './webhooks.ts';

const readEveryMs = 3_000;

export function WebhookEvents({ webhookId }: { readonly webhookId: string }) {
  const { id: storeId } = useStore();
  const read = useRead(webhooksPath(storeId), { every: readEveryMs });
  const webhook = read.data?.webhooks.find(({ id }) => id === webhookId);
  const back = (
    <Link className="button" href={sectionPath(storeId, 'webhooks')}>
      <Icon name="back" />
      Webhooks
    </Link>
  );
  return (
    <SettingsPage
      title={webhook ? `Events of ${nameOf(webhook)}` : 'Events of a webhook'}
      about="Each has a number, without gaps. They are kept for thirty days."
      controls={back}
    >
      <Loaded of={read}>{() => (webhook ? <Events webhook={webhook} /> : <Empty title="There is no such webhook." />)}</Loaded>
    </SettingsPage>
  );
}

function Events({ webhook }: { readonly webhook: Webhook }) {
  const { id: storeId } = useStore();
  const [filters, change] = useFilters();
  const isDead = filters.get('state') === 'dead';
  const after = Number(filters.get('after') ?? (isDead ? 0 : newestAfter(webhook.last_number))) || 0;
  const page = { after, limit: pageSize, state: isDead ? ('dead' as const) : undefined };
  const read = useRead(eventsPath(storeId, webhook.id, page), { every: readEveryMs });
  const { columns, refused } = useColumns(storeId, webhook);
  const turn = (label: string, to: string) => (
    <button type="button" onClick={() => change({ after: to })}>
      {label}
    </button>
  );
  return (
    <>
      <div className="section-head">
        <label className="check">
          <input type="checkbox" checked={isDead} onChange={({ target }) => change({ state: target.checked ? 'dead' : '', after: '' })} />
          Only what was given up ({count(webhook.dead)})
        </label>
      </div>
      <Notice text={refused} />
      <Loaded of={read}>
        {({ events, first_number, last_number }) => {
          const last = events.at(-1)?.number ?? after;
          const hasMore = isDead ? events.length === pageSize : last < last_number;
          const hasFewer = isDead ? after > 0 : after >= first_number;
          return (
            <>
              {events.length === 0 ? (
                <Empty title={isDead ? 'Nothing was given up.' : 'No event yet.'} />
              ) : (
                <EventTable rows={events.toReversed()} columns={columns} />
              )}
              <div className="person-buttons">
                {hasFewer && turn(isDead ? 'First' : 'Older', isDead ? '' : String(Math.max(0, after - pageSize)))}
                {hasMore && turn('Newer', String(last))}
              </div>
            </>
          );
        }}
      </Loaded>
    </>
  );
}

const EventTable = (props: { readonly rows: readonly WebhookEvent[]; readonly columns: readonly Column<WebhookEvent>[] }) => (
  <Table
    {...props}
    caption="Events of the webhook, the newest first"
    rowKey={({ number }) => String(number)}
    rowTone={({ delivery }) => (delivery.state === 'dead' ? 'bad' : undefined)}
  />
);

function useColumns(storeId: string, { id, url, state }: Webhook) {
  const [refused, setRefused] = useState<string | null>(null);
  const columns = useMemo(() => {
    const repeat = async (number: number) => {
      setRefused(null);
      try {
        await repeatEvent(storeId, id, number);
        announce(`Event ${number} is sent again.`);
      } catch (error) {
        setRefused(refusalText(error, `Event ${number}`));
      }
    };
    return columnsOf(url, url !== null && state !== 'ended' ? repeat : null);
  }, [storeId, id, url, state]);
  return { columns, refused };
}

const columnsOf = (url: string | null, repeat: ((number: number) => Promise<void>) | null): readonly Column<WebhookEvent>[] => [
  { key: 'number', header: 'Number', numeric: true, width: '5.25rem', value: ({ number }) => number, cell: ({ number }) => number },
  { key: 'type', header: 'Type', value: ({ type }) => type, cell: ({ type }) => type },
  {
    key: 'state',
    header: 'State',
    width: '8.5rem',
    value: (event: WebhookEvent) => deliveryState(event, url)[1],
    cell: (event) => {
      const [tone, text] = deliveryState(event, url);
      const { attempts } = event.delivery;
      return (
        <>
          <Badge tone={tone}>{text}</Badge> {attempts > 0 && <span className="quiet">{plural(attempts, 'attempt')}</span>}
        </>
      );
    },
  },
  { key: 'response', header: 'Response', cell: (event) => responseText(event) || '–' },
  {
    key: 'next',
    header: 'Next attempt',
    width: '7.25rem',
    cell: ({ delivery: { next_attempt_at } }) => (next_attempt_at ? <Ago at={next_attempt_at} /> : '–'),
  },
  ...(repeat
    ? [
        {
          key: 'repeat',
          header: 'Repeat',
          width: '7rem',
          cell: ({ number }: WebhookEvent) => (
            <button type="button" className="small" onClick={() => void repeat(number)}>
              Repeat<span className="unseen"> event {number}</span>
            </button>
          ),
        },
      ]
    : []),
];
