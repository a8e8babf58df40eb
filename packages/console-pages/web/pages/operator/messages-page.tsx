import type { Messages } from '@corner/console-api';
import { type FormEvent, useState } from 'react';
import { Badge, Empty, Loaded, Page, Section } from '../../components/index.ts';
import { channelsOf } from '../../logic/figures.ts';
import { count } from '../../logic/format.ts';
import { useFilters } from '../../shell/filters.ts';
import { useRead } from '../../shell/queries.ts';
import { MessageTable, toneOfMessage } from './parts/message-table.tsx';

const filters = ['state', 'channel', 'order_id', 'customer_id', 'store_id', 'after'] as const;
const states = ['failed', 'pending', 'sent', 'muted', 'superseded'];

export default function MessagesPage() {
  const [search, change] = useFilters();
  const query = new URLSearchParams(filters.flatMap((name) => (search.get(name) ? [[name, search.get(name) ?? '']] : [])));
  const read = useRead<Messages>(`/api/operator/messages${query.size > 0 ? `?${query}` : ''}`, { every: 5_000 });
  const filter = (fields: Readonly<Record<string, string>>) => change({ after: '', ...fields });
  return (
    <Page
      title="Messages"
      about="What customers were sent, without address and text."
      controls={
        <>
          <select aria-label="State" value={search.get('state') ?? ''} onChange={(event) => filter({ state: event.target.value })}>
            <option value="">Every state</option>
            {states.map((state) => (
              <option key={state}>{state}</option>
            ))}
          </select>
          <ById filter={filter} given={search} />
        </>
      }
    >
      <Loaded of={read}>
        {({ messages, next, counts }) => (
          <>
            <Channels counts={counts} filter={filter} />
            <Section title="Newest first">
              {messages.length === 0 ? <Empty title="No such message." /> : <MessageTable messages={messages} />}
              <div className="controls paging">
                {search.get('after') ? (
                  <button type="button" onClick={() => change({ after: '' })}>
                    Newest
                  </button>
                ) : null}
                {next ? (
                  <button type="button" onClick={() => change({ after: next })}>
                    Older
                  </button>
                ) : null}
              </div>
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}

const Channels = ({
  counts,
  filter,
}: {
  readonly counts: Messages['counts'];
  readonly filter: (fields: Readonly<Record<string, string>>) => void;
}) => (
  <Section title="The last 24 hours">
    {counts.length === 0 ? <p className="quiet">No message was created.</p> : null}
    <ul className="cards channels">
      {channelsOf(counts).map(({ channel, total, states: of }) => (
        <li key={channel} className="card">
          <h3>
            {channel} <span className="quiet">{count(total)}</span>
          </h3>
          <div className="controls">
            {of.map(({ state, count: number }) => (
              <button type="button" key={state} className="small" onClick={() => filter({ channel, state })}>
                <Badge tone={toneOfMessage(state)}>{state}</Badge> {count(number)}
              </button>
            ))}
          </div>
        </li>
      ))}
    </ul>
  </Section>
);

function ById({ filter, given }: { readonly filter: (fields: Readonly<Record<string, string>>) => void; readonly given: URLSearchParams }) {
  const [kind, setKind] = useState(() => ['customer_id', 'store_id'].find((name) => given.get(name)) ?? 'order_id');
  const [id, setId] = useState(given.get(kind) ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    filter({ order_id: '', customer_id: '', store_id: '', [kind]: id.trim() });
  };
  return (
    <form className="controls" onSubmit={submit}>
      <select aria-label="Of" value={kind} onChange={(event) => setKind(event.target.value)}>
        <option value="order_id">Order</option>
        <option value="customer_id">Customer</option>
        <option value="store_id">Store</option>
      </select>
      <input type="search" aria-label="Id" placeholder="Id" value={id} onChange={(event) => setId(event.target.value)} />
      <button type="submit">Filter</button>
    </form>
  );
}
