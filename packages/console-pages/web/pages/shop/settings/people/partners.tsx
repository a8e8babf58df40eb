import type { components } from '@corner/client';
import { useState } from 'react';
import { Badge, ConfirmWithReason, Empty, InputField, Loaded } from '../../../../components/index.ts';
import { pathTo, type Reply } from '../../../../logic/platform.ts';
import { announce } from '../../../../shell/announce.tsx';
import { readAgain, useRead } from '../../../../shell/queries.ts';
import { send } from '../../send.ts';
import { SecretDialog } from '../secret-dialog.tsx';

const all = '/api/v1/directory/stores/{store_id}/partners';
const one = `${all}/{partner_id}` as const;
type Partner = components['schemas']['Partner'];
type Scope = Partner['scopes'][number];
type WithSecret = Reply<`POST ${typeof all}`>;

const scopeNames: Readonly<Record<Scope, string>> = {
  'orders:read': 'Read orders',
  'orders:write': 'Move orders on, and announce delays',
  'orders:refund': 'Refund orders',
  'orders:create': 'Place orders, and say how they were paid',
  'orders:status': 'Finish and cancel orders',
  'reports:read': 'Read takings, tips and payouts',
  'queue:read': 'Read the queue and its waits',
  'queue:act': 'Call, seat and end those who wait, and switch walk-ins',
  'loyalty:read': 'Read the loyalty card and stamps',
  'loyalty:grant': 'Grant stamps, and redeem vouchers',
  'menu:read': 'Read the menu and slots',
  'menu:switch': 'Mark items as sold out, and pause orders',
  'events:read': 'Receive events',
};
const scopes = Object.keys(scopeNames) as Scope[];

const partnersPath = (store_id: string) => pathTo(all, { store_id });

type Doing = { readonly what: 'create' } | { readonly what: 'rotate' | 'withdraw'; readonly partner: Partner };

export function PartnerList({ storeId }: { readonly storeId: string }) {
  const read = useRead(partnersPath(storeId), { every: 30_000 });
  const [doing, act] = useState<Doing | null>(null);
  const [made, show] = useState<WithSecret | null>(null);
  const props = { storeId, onClose: () => act(null), onSecret: show };
  return (
    <>
      <p className="quiet">Bookkeeping, delivery or a dashboard: a system of another company that works for the store by itself.</p>
      <Loaded of={read} lines={2}>
        {({ partners }) =>
          partners.length === 0 ? (
            <Empty title="No partner is let in." />
          ) : (
            <ul className="people">
              {partners.map((partner) => (
                <PartnerCard key={partner.id} partner={partner} act={act} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <p>
        <button type="button" aria-haspopup="dialog" onClick={() => act({ what: 'create' })}>
          Let a partner in
        </button>
      </p>
      {doing?.what === 'create' && <CreateDialog {...props} />}
      {doing?.what === 'rotate' && <RotateDialog {...props} partner={doing.partner} />}
      {doing?.what === 'withdraw' && <WithdrawDialog {...props} partner={doing.partner} />}
      {made && (
        <SecretDialog
          title={`The secret of ${made.partner.name}`}
          values={{ 'Client id': made.partner.id, Secret: made.client_secret }}
          done="I have both"
          onClose={() => show(null)}
        >
          <p>Give both to the partner now. The secret is not shown again.</p>
        </SecretDialog>
      )}
    </>
  );
}

function PartnerCard({ partner, act }: { readonly partner: Partner; readonly act: (doing: Doing) => void }) {
  const button = (label: string, what: 'rotate' | 'withdraw') => (
    <button type="button" className="small" aria-haspopup="dialog" onClick={() => act({ what, partner })}>
      {label}
      <span className="unseen"> of {partner.name}</span>
    </button>
  );
  return (
    <li className="card person-card" data-partner={partner.id}>
      <div>
        <h3 className="card-title">{partner.name}</h3>
        <p className="order-marks">
          {partner.scopes.map((scope) => (
            <Badge key={scope}>{scopeNames[scope]}</Badge>
          ))}
          {partner.store_ids.length > 1 && <span className="quiet">at {partner.store_ids.length} stores</span>}
          {partner.secrets.length > 1 && <Badge tone="warn">two secrets are valid</Badge>}
        </p>
      </div>
      <div className="person-buttons">
        {button('New secret', 'rotate')}
        {button('Withdraw', 'withdraw')}
      </div>
    </li>
  );
}

interface DialogProps {
  readonly storeId: string;
  onClose(): void;
  onSecret(made: WithSecret): void;
}

function CreateDialog({ storeId, onClose, onSecret }: DialogProps) {
  const [name, setName] = useState('');
  const [chosen, choose] = useState<readonly Scope[]>(['orders:read']);
  const act = async (_: string, key: string) => {
    const body = { name: name.trim(), scopes: chosen };
    onSecret(await send(`POST ${all}`, { of: storeId, at: { store_id: storeId }, body, key }));
    await readAgain(partnersPath(storeId));
  };
  return (
    <ConfirmWithReason title="Let a partner in" label="Create" reason={false} act={act} onClose={onClose}>
      <InputField label="Name of the partner" hint="As the log shows it." required maxLength={80} value={name} onType={setName} />
      <fieldset>
        <legend>What it may do</legend>
        {scopes.map((scope) => (
          <label key={scope} className="check">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={({ target }) => choose(scopes.filter((other) => (other === scope ? target.checked : chosen.includes(other))))}
            />
            {scopeNames[scope]}
          </label>
        ))}
      </fieldset>
    </ConfirmWithReason>
  );
}

function RotateDialog({ storeId, partner: { id, name }, onClose, onSecret }: DialogProps & { readonly partner: Partner }) {
  const [leaked, setLeaked] = useState(false);
  const act = async (_: string, key: string) => {
    const body = { old_valid_hours: leaked ? 0 : 24 };
    onSecret(await send(`POST ${one}/secret`, { of: id, at: { store_id: storeId, partner_id: id }, body, key }));
    await readAgain(partnersPath(storeId));
  };
  return (
    <ConfirmWithReason title={`A new secret of ${name}`} label="Make it" reason={false} act={act} onClose={onClose}>
      <p>The one of now stays valid for a day, so that the partner can change over.</p>
      <label className="check">
        <input type="checkbox" checked={leaked} onChange={({ target }) => setLeaked(target.checked)} />
        It leaked: refuse it at once
      </label>
    </ConfirmWithReason>
  );
}

function WithdrawDialog({ storeId, partner: { id, name }, onClose }: DialogProps & { readonly partner: Partner }) {
  const act = async (_: string, key: string) => {
    await send(`POST ${one}/withdraw`, { of: id, at: { store_id: storeId, partner_id: id }, body: {}, key });
    announce(`${name} is withdrawn.`);
    await readAgain(partnersPath(storeId));
  };
  return (
    <ConfirmWithReason title={`Withdraw ${name}`} label="Withdraw" danger reason={false} act={act} onClose={onClose}>
      <p>It can do nothing more for this store within 15 minutes. What it did stays in the log.</p>
    </ConfirmWithReason>
  );
}
