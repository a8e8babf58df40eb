import type { Inbox } from '@corner/console-api';
import { useState } from 'react';
import { Ago, Badge, Empty, Loaded, Page } from '../../components/index.ts';
import { plural } from '../../logic/format.ts';
import { useRead } from '../../shell/queries.ts';

/** Development only. No event announces messages sent to the simulated providers. */
const readEveryMs = 2_000;

type Message = import('zod').output<typeof Inbox>['messages'][number];

export default function InboxPage() {
  const read = useRead<{ readonly messages: readonly Message[] }>('/api/inbox', { every: readEveryMs });
  const [filter, setFilter] = useState('');
  const matches = ({ to, subject, text, channel }: Message) =>
    [to, subject, text, channel].some((field) => field?.toLowerCase().includes(filter.toLowerCase()));
  const controls = (
    <input type="search" aria-label="Filter" placeholder="Filter" value={filter} onChange={({ target }) => setFilter(target.value)} />
  );
  return (
    <Page title="Inbox" about="What the simulated providers were sent, newest first. Development only." controls={controls}>
      <Loaded of={read}>
        {({ messages }) => {
          const shown = messages.filter(matches);
          return (
            <>
              <p className="quiet">{plural(shown.length, 'message')}</p>
              {shown.length === 0 && <Empty title="No message.">Place an order, and its messages appear here.</Empty>}
              <ul className="cards">
                {shown.slice(0, 200).map((message) => (
                  <li key={message.id} className="card mail">
                    <p className="order-marks">
                      <Badge tone="info">{message.channel}</Badge>
                      <span>{message.to}</span>
                      <Ago at={message.at} />
                    </p>
                    {message.subject && <h2 className="card-title">{message.subject}</h2>}
                    <p className="mail-text">{message.text}</p>
                  </li>
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
