import type { Messages } from '@corner/console-api';
import { Badge, type Column, Id, Instant, Table, type Tone } from '../../../components/index.ts';
import { messageText } from '../../../logic/message-texts.ts';

type Message = Messages['messages'][number];

const tones: Readonly<Record<string, Tone>> = { sent: 'good', failed: 'bad', pending: 'info' };
export const toneOfMessage = (state: string): Tone => tones[state] ?? 'quiet';

const columns: readonly Column<Message>[] = [
  {
    key: 'at',
    header: 'Created',
    width: '9rem',
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Instant at={created_at} />,
  },
  {
    key: 'state',
    header: 'State',
    width: '7rem',
    value: ({ state }) => state,
    cell: ({ state }) => <Badge tone={toneOfMessage(state)}>{state}</Badge>,
  },
  { key: 'channel', header: 'Channel', width: '7rem', value: ({ channel }) => channel, cell: ({ channel }) => channel },
  {
    key: 'what',
    header: 'What',
    cell: ({ type, error }) => (
      <>
        <span title={type}>{messageText(type)}</span>
        {error ? <span className="cell-error"> {error}</span> : null}
      </>
    ),
  },
  {
    key: 'to',
    header: 'To',
    width: '12rem',
    cell: ({ masked_address }) => masked_address ?? <span className="quiet">no address any more</span>,
  },
  {
    key: 'attempts',
    header: 'Attempts',
    width: '7rem',
    numeric: true,
    value: ({ attempts }) => attempts,
    cell: ({ attempts }) => attempts,
  },
  {
    key: 'ids',
    header: 'Ids',
    width: '11rem',
    cell: ({ message_id, order_id }) => (
      <span className="ids">
        <Id value={message_id} what="message" />
        {order_id ? (
          <span>
            <span className="quiet">order</span> <Id value={order_id} what="order" />
          </span>
        ) : null}
      </span>
    ),
  },
];

export const MessageTable = ({ messages }: { readonly messages: readonly Message[] }) => (
  <Table
    caption="Messages"
    rows={messages}
    columns={columns}
    rowKey={({ message_id }) => message_id}
    rowTone={({ state }) => (state === 'failed' ? 'bad' : undefined)}
  />
);
