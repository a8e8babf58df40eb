import { useState } from 'react';
import { Link } from 'wouter';
import { Badge, Empty, Instant, Loaded, Notice, Section } from '../../../../components/index.ts';
import { count } from '../../../../logic/format.ts';
import { announce } from '../../../../shell/announce.tsx';
import { useStore } from '../../../../shell/context.ts';
import { useFilters } from '../../../../shell/filters.ts';
import { useRead } from '../../../../shell/queries.ts';
import { useZone } from '../../operations.ts';
import { refusalText } from '../../refusal-text.ts';
import { sectionPath } from '../sections.ts';
import { SettingsPage } from '../settings-page.tsx';
import { TestResult } from './test-result.tsx';
import { EndDialog, RotateDialog, WebhookSecret } from './webhook-dialogs.tsx';
import { WebhookEvents } from './webhook-events.tsx';
import { WebhookForm } from './webhook-form.tsx';
import { challengeWebhook, type SecretReply, testWebhook, webhooksPath } from './webhook-operations.ts';
import { nameOf, stateOf, typesText, type Webhook } from './webhooks.ts';

const readEveryMs = 5_000;

type Doing = { readonly what: 'create' } | { readonly what: 'change' | 'rotate' | 'end'; readonly id: string };

interface Tested {
  readonly webhook: Webhook;
  readonly eventId: string;
}

export default function WebhooksSection() {
  const webhookId = useFilters()[0].get('of');
  return webhookId ? <WebhookEvents webhookId={webhookId} /> : <Webhooks />;
}

function Webhooks() {
  const store = useStore();
  const isOwner = store.role === 'owner';
  const read = useRead(webhooksPath(store.id), { every: readEveryMs });
  const [doing, act] = useState<Doing | null>(null);
  const [secret, show] = useState<SecretReply | null>(null);
  const { tested, refused, test, challenge } = useTrials(store.id);
  const subject = read.data?.webhooks.find(({ id }) => doing && 'id' in doing && id === doing.id);
  const props = { storeId: store.id, onClose: () => act(null) };
  const ofOne = subject && { ...props, webhook: subject };
  const button = isOwner && (
    <button type="button" className="primary" aria-haspopup="dialog" onClick={() => act({ what: 'create' })}>
      Create a webhook
    </button>
  );
  return (
    <SettingsPage title="Webhooks" about="Your own systems, such as bookkeeping, are sent what happens at the store." controls={button}>
      <Notice text={refused} />
      <Loaded of={read}>
        {({ webhooks }) =>
          webhooks.length === 0 ? (
            <Empty title="No webhook yet.">
              {isOwner ? 'The person who runs your other system knows its address.' : 'An owner of the store creates one.'}
            </Empty>
          ) : (
            <ul className="people">
              {webhooks.map((webhook) => (
                <li key={webhook.id} className="card person-card" data-webhook={webhook.id}>
                  <State webhook={webhook} tested={tested?.webhook.id === webhook.id ? tested : null} />
                  <Buttons {...{ webhook, isOwner, act }} onTest={() => test(webhook)} onChallenge={() => challenge(webhook)} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Verifying />
      {doing?.what === 'create' && <WebhookForm {...props} onSecret={show} />}
      {ofOne && doing?.what === 'change' && <WebhookForm {...ofOne} />}
      {ofOne && doing?.what === 'rotate' && <RotateDialog {...ofOne} onSecret={show} />}
      {ofOne && doing?.what === 'end' && <EndDialog {...ofOne} />}
      {secret && <WebhookSecret of={secret} onClose={() => show(null)} />}
    </SettingsPage>
  );
}

function useTrials(storeId: string) {
  const [tested, setTested] = useState<Tested | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const trying = async (webhook: Webhook, send: () => Promise<void>) => {
    setRefused(null);
    try {
      await send();
    } catch (error) {
      setRefused(refusalText(error, nameOf(webhook)));
    }
  };
  const test = (webhook: Webhook) => {
    setTested(null);
    return trying(webhook, async () => setTested({ webhook, eventId: (await testWebhook(storeId, webhook.id)).event_id }));
  };
  const challenge = (webhook: Webhook) =>
    trying(webhook, async () => {
      const { webhook: now, response } = await challengeWebhook(storeId, webhook.id);
      const said = [response?.status, response?.detail].filter(Boolean).join(': ');
      if (now.state !== 'unconfirmed') announce(`${nameOf(webhook)} is confirmed.`);
      else setRefused(`The receiver did not send the challenge back. It responded: ${said}`);
    });
  return { tested, refused, test, challenge };
}

function State({ webhook, tested }: { readonly webhook: Webhook; readonly tested: Tested | null }) {
  const { id: storeId } = useStore();
  const zone = useZone();
  const { id, url, types, last_number, waiting, dead, old_secret_until, ended_at } = webhook;
  const [tone, text] = stateOf(webhook);
  const events = `${sectionPath(storeId, 'webhooks')}?of=${encodeURIComponent(id)}`;
  return (
    <div>
      <h2 className="card-title">
        <Link href={events}>{nameOf(webhook)}</Link>
      </h2>
      {url && (
        <p>
          <code>{url}</code>
        </p>
      )}
      <p className="order-marks">
        <Badge tone={tone}>{text}</Badge>
        {ended_at && <Instant at={ended_at} zone={zone} />}
        <span>{typesText(types)}</span>
        <span className="quiet">{last_number === 0 ? 'no event yet' : `last number ${count(last_number)}`}</span>
        {waiting > 0 && <span>{count(waiting)} to deliver</span>}
        {dead > 0 && <Link href={`${events}&state=dead`}>{count(dead)} given up</Link>}
        {old_secret_until && !ended_at && (
          <span>
            the old secret is valid until <Instant at={old_secret_until} zone={zone} />
          </span>
        )}
      </p>
      {tested && <TestResult key={tested.eventId} storeId={storeId} {...tested} />}
    </div>
  );
}

interface ButtonsProps {
  readonly webhook: Webhook;
  readonly isOwner: boolean;
  readonly act: (doing: Doing) => void;
  readonly onTest: () => Promise<void>;
  readonly onChallenge: () => Promise<void>;
}

function Buttons({ webhook, isOwner, act, onTest, onChallenge }: ButtonsProps) {
  const { id } = webhook;
  const name = <span className="unseen">: {nameOf(webhook)}</span>;
  const button = (label: string, what: 'change' | 'rotate' | 'end') => (
    <button type="button" className="small" aria-haspopup="dialog" onClick={() => act({ what, id })}>
      {label}
      {name}
    </button>
  );
  const isActive = webhook.state !== 'ended';
  return (
    <div className="person-buttons">
      {webhook.state === 'unconfirmed' && (
        <button type="button" className="small" onClick={() => void onChallenge()}>
          Send the challenge again{name}
        </button>
      )}
      {isActive && webhook.state !== 'unconfirmed' && (
        <button type="button" className="small" onClick={() => void onTest()}>
          Test{name}
        </button>
      )}
      {isOwner && button('Change', 'change')}
      {isOwner && isActive && button('Rotate the secret', 'rotate')}
      {isOwner && isActive && button('End', 'end')}
    </div>
  );
}

const Verifying = () => (
  <Section title="For the engineer of the receiver">
    <ul className="bullets">
      <li>
        Each request is signed as{' '}
        <a href="https://www.standardwebhooks.com/" rel="noreferrer">
          Standard Webhooks
        </a>{' '}
        says. Give a library of it the body as it came, the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and{' '}
        <code>webhook-signature</code>, and the secret.
      </li>
      <li>
        First comes a <code>webhook.challenge</code>. Send the text of its <code>data.challenge</code> back with a status of 200, and events
        follow. It comes before you can know the secret: agree to it without, or store the secret and send the challenge again.
      </li>
      <li>
        Respond with a status of 2xx within seconds. Anything else is tried again for three days; 410 ends the webhook. A request may come
        twice: its <code>webhook-id</code> is the same.
      </li>
      <li>
        The reference has the rest, under Webhooks and events: it is at <code>/docs/operations/createWebhook</code> of the address at which
        your apps reach Corner.
      </li>
    </ul>
  </Section>
);
