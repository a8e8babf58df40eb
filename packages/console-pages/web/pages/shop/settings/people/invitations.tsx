import type { components } from '@corner/client';
import { useState } from 'react';
import { Badge, Choice, ConfirmWithReason, Empty, InputField, Loaded } from '../../../../components/index.ts';
import { instant } from '../../../../logic/format.ts';
import { pathTo } from '../../../../logic/platform.ts';
import { announce } from '../../../../shell/announce.tsx';
import { useStore } from '../../../../shell/context.ts';
import { readAgain, useRead } from '../../../../shell/queries.ts';
import { useZone } from '../../operations.ts';
import { send } from '../../send.ts';
import { type Role, roleNames, rolesGivenBy } from './people.ts';
import { RoleChoice } from './role-choice.tsx';

type Invitation = components['schemas']['Invitation'];

const all = '/api/v1/directory/stores/{store_id}/invitations';
const invitationsPath = (store_id: string) => pathTo(all, { store_id });

interface DialogProps {
  readonly storeId: string;
  onClose(): void;
}

const languages = [
  ['', 'That of the store'],
  ['en', 'English'],
  ['fr', 'French'],
] as const;

export function InviteDialog({ storeId, onClose }: DialogProps) {
  const { role: mine } = useStore();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('staff');
  const [language, setLanguage] = useState<(typeof languages)[number][0]>('');
  const act = async (_: string, key: string) => {
    const body = { email: email.trim(), name: name.trim(), role, language: language || undefined };
    await send(`POST ${all}`, { of: storeId, at: { store_id: storeId }, body, key });
    announce(`${name.trim()} is invited. The link in the mail is good for seven days.`);
    await readAgain(invitationsPath(storeId));
  };
  return (
    <ConfirmWithReason title="Invite a person" label="Send the invitation" reason={false} act={act} onClose={onClose}>
      <InputField label="E-mail" type="email" required maxLength={254} value={email} onType={setEmail} />
      <InputField label="Name" hint="As the log shows it." required maxLength={120} value={name} onType={setName} />
      <RoleChoice role={role} roles={rolesGivenBy(mine)} onChoose={setRole} />
      <Choice label="Language of the mail" value={language} options={languages} onChoose={setLanguage} />
    </ConfirmWithReason>
  );
}

export function OpenInvitations({ storeId }: { readonly storeId: string }) {
  const read = useRead(invitationsPath(storeId), { every: 30_000 });
  const [withdrawing, withdraw] = useState<Invitation | null>(null);
  const zone = useZone();
  return (
    <>
      <Loaded of={read} lines={2}>
        {({ invitations }) =>
          invitations.length === 0 ? (
            <Empty title="No one is invited." />
          ) : (
            <ul className="people">
              {invitations.map((invitation) => (
                <li key={invitation.id} className="card person-card" data-invitation={invitation.id}>
                  <div>
                    <h3 className="card-title">{invitation.name}</h3>
                    <p className="order-marks">
                      <Badge>{roleNames[invitation.role]}</Badge>
                      <span>{invitation.email}</span>
                      <span className="quiet">
                        by {invitation.invited_by.name ?? 'an owner'}, good until{' '}
                        {instant(invitation.expires_at, 'day and time', undefined, zone)}
                      </span>
                    </p>
                  </div>
                  <button type="button" className="small" aria-haspopup="dialog" onClick={() => withdraw(invitation)}>
                    Withdraw<span className="unseen"> the invitation of {invitation.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {withdrawing && <WithdrawDialog storeId={storeId} invitation={withdrawing} onClose={() => withdraw(null)} />}
    </>
  );
}

function WithdrawDialog({ storeId, invitation: { id, name }, onClose }: DialogProps & { readonly invitation: Invitation }) {
  const act = async (_: string, key: string) => {
    try {
      await send(`POST ${all}/{invitation_id}/withdraw`, { of: id, at: { store_id: storeId, invitation_id: id }, body: {}, key });
      announce(`The invitation of ${name} is withdrawn.`);
    } finally {
      await readAgain(invitationsPath(storeId));
    }
  };
  return (
    <ConfirmWithReason title={`Withdraw the invitation of ${name}`} label="Withdraw" danger reason={false} act={act} onClose={onClose}>
      <p>The link in the mail stops working at once.</p>
    </ConfirmWithReason>
  );
}
