import { useState } from 'react';
import { Badge, ConfirmWithReason, InputField, Loaded, Section } from '../../../../components/index.ts';
import { announce } from '../../../../shell/announce.tsx';
import { usePage, useStore } from '../../../../shell/context.ts';
import { useRead } from '../../../../shell/queries.ts';
import { SettingsPage } from '../settings-page.tsx';
import { DataAccess } from './data-access.tsx';
import { InviteDialog, OpenInvitations } from './invitations.tsx';
import { PartnerList } from './partners.tsx';
import {
  changeOf,
  changeStaff,
  mayChange,
  type Role,
  roleNames,
  rolesGivenBy,
  type StaffMember,
  sortedStaff,
  staffPath,
} from './people.ts';
import { RoleChoice } from './role-choice.tsx';

/** A change of a person is not a change of the store, so no event announces it. */
const readEveryMs = 30_000;

type Doing =
  | { readonly what: 'change' | 'dismiss' | 'add-card'; readonly id: string }
  | { readonly what: 'revoke'; readonly id: string; readonly card: string };

export default function PeopleSection() {
  const store = useStore();
  const read = useRead(staffPath(store.id), { every: readEveryMs });
  const [inviting, invite] = useState(false);
  const [doing, act] = useState<Doing | null>(null);
  const close = () => act(null);
  const subject = read.data?.staff.find(({ id }) => id === doing?.id);
  const props = subject && { storeId: store.id, person: subject, onClose: close };
  const button = (
    <button type="button" className="primary" aria-haspopup="dialog" onClick={() => invite(true)}>
      Invite a person
    </button>
  );
  return (
    <SettingsPage title="People" about="Who works here, and what each may do." controls={button}>
      <Loaded of={read}>
        {({ staff }) => (
          <ul className="people">
            {sortedStaff(staff).map((person) => (
              <Person key={person.id} person={person} act={act} />
            ))}
          </ul>
        )}
      </Loaded>
      <Section title="Open invitations">
        <OpenInvitations storeId={store.id} />
      </Section>
      {store.role === 'owner' && (
        <>
          <Section title="Partners">
            <PartnerList storeId={store.id} />
          </Section>
          <Section title="Who looked at customers">
            <DataAccess storeId={store.id} />
          </Section>
        </>
      )}
      {inviting && <InviteDialog storeId={store.id} onClose={() => invite(false)} />}
      {props && doing?.what === 'change' && <ChangeDialog {...props} />}
      {props && doing?.what === 'dismiss' && <DismissDialog {...props} />}
      {props && doing?.what === 'add-card' && <AddCardDialog {...props} />}
      {props && doing?.what === 'revoke' && <RevokeDialog {...props} card={doing.card} />}
    </SettingsPage>
  );
}

function Person({ person, act }: { readonly person: StaffMember; readonly act: (doing: Doing) => void }) {
  const { role: mine } = useStore();
  const { subject } = usePage().me;
  const { id, name, role, cards } = person;
  const button = (label: string, doing: Doing) => (
    <button type="button" className="small" aria-haspopup="dialog" onClick={() => act(doing)}>
      {label}
      <span className="unseen">: {name}</span>
    </button>
  );
  return (
    <li className="card person-card" data-person={id}>
      <div>
        <h2 className="card-title">
          {name} {id === subject && <span className="quiet">you</span>}
        </h2>
        <p className="order-marks">
          <Badge tone={role === 'owner' ? 'info' : 'quiet'}>{roleNames[role]}</Badge>
          {cards.map(({ ends_with, revoked }) => (
            <span key={ends_with} className="person-token">
              card …{ends_with} {revoked ? <Badge tone="bad">refused</Badge> : null}
              {!revoked && mayChange(mine, person) && button(`Refuse card …${ends_with}`, { what: 'revoke', id, card: ends_with })}
            </span>
          ))}
        </p>
      </div>
      {mayChange(mine, person) && (
        <div className="person-buttons">
          {button('Change', { what: 'change', id })}
          {button('Add a card', { what: 'add-card', id })}
          {button('Dismiss', { what: 'dismiss', id })}
        </div>
      )}
    </li>
  );
}

interface DialogProps {
  readonly storeId: string;
  readonly person: StaffMember;
  onClose(): void;
}

function ChangeDialog({ storeId, person, onClose }: DialogProps) {
  const { role: mine } = useStore();
  const [name, setName] = useState(person.name);
  const [role, setRole] = useState<Role>(person.role);
  const act = async (_: string, key: string) => {
    const change = changeOf(person, name, role);
    if (change === null) return;
    await changeStaff(storeId, person, change, key);
    announce(`${name.trim()} is changed. A new role counts within 15 minutes.`);
  };
  return (
    <ConfirmWithReason title={`Change ${person.name}`} label="Save" reason={false} act={act} onClose={onClose}>
      <InputField label="Name" hint="As the log shows it." required maxLength={120} value={name} onType={setName} />
      <RoleChoice role={role} roles={rolesGivenBy(mine)} onChoose={setRole} />
    </ConfirmWithReason>
  );
}

function DismissDialog({ storeId, person, onClose }: DialogProps) {
  const act = async (_: string, key: string) => {
    await changeStaff(storeId, person, { role: null }, key);
    announce(`${person.name} is dismissed.`);
  };
  return (
    <ConfirmWithReason title={`Dismiss ${person.name}`} label="Dismiss" danger reason={false} act={act} onClose={onClose}>
      <p>
        Cards and staff sessions of this store are refused at once, and the person is signed out of the store within 15 minutes. What they
        did stays in the log.
      </p>
    </ConfirmWithReason>
  );
}

function RevokeDialog({ storeId, person, card, onClose }: DialogProps & { readonly card: string }) {
  const act = async (_: string, key: string) => {
    await changeStaff(storeId, person, { revoke_cards: [card] }, key);
    announce(`The card …${card} is refused.`);
  };
  return (
    <ConfirmWithReason title={`Refuse the card …${card}`} label="Refuse it" danger reason={false} act={act} onClose={onClose}>
      <p>A lost card of {person.name}. It is refused at this store from now on.</p>
    </ConfirmWithReason>
  );
}

function AddCardDialog({ storeId, person, onClose }: DialogProps) {
  const [token, setToken] = useState('');
  const act = async (_: string, key: string) => {
    await changeStaff(storeId, person, { cards: [{ token_id: token.trim() }] }, key);
    announce(`${person.name} has another card.`);
  };
  return (
    <ConfirmWithReason title={`Add a card of ${person.name}`} label="Add" reason={false} act={act} onClose={onClose}>
      <InputField
        label="What the card’s chip says"
        hint="16 characters or more. An app that reads NFC shows it."
        required
        minLength={16}
        maxLength={128}
        spellCheck={false}
        value={token}
        onType={setToken}
      />
    </ConfirmWithReason>
  );
}
