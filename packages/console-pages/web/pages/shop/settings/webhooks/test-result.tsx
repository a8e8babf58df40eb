import { useState } from 'react';
import { Ago, Badge, Notice } from '../../../../components/index.ts';
import { useRead } from '../../../../shell/queries.ts';
import { refusalText } from '../../refusal-text.ts';
import { eventsPath } from './webhook-operations.ts';
import { deliveryState, nameOf, responseText, testEventOf, type Webhook } from './webhooks.ts';

const readEveryMs = 1_000;
const limit = 500;

interface Props {
  readonly storeId: string;
  readonly webhook: Webhook;
  readonly eventId: string;
}

export function TestResult({ storeId, webhook, eventId }: Props) {
  const path = eventsPath(storeId, webhook.id, { after: webhook.last_number, limit });
  const [isOver, setOver] = useState(false);
  const { data, error } = useRead(path, isOver ? {} : { every: readEveryMs });
  const event = testEventOf(data?.events ?? [], eventId);
  if (event && event.delivery.state !== 'pending' && !isOver) setOver(true);
  const state = event && deliveryState(event, webhook.url);
  return (
    <>
      <Notice text={error && refusalText(error, nameOf(webhook))} />
      <p className="order-marks" role="status">
        {event && state ? (
          <>
            Test event {event.number} <Badge tone={state[0]}>{state[1]}</Badge> {responseText(event) && <span>{responseText(event)}</span>}
            {event.delivery.attempts > 0 && event.delivery.next_attempt_at && (
              <span>
                next attempt <Ago at={event.delivery.next_attempt_at} />
              </span>
            )}
          </>
        ) : (
          'The test event is on its way.'
        )}
      </p>
    </>
  );
}
