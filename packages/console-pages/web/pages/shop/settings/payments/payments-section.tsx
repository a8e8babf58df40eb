import { type FormEvent, useState } from 'react';
import { Link as Anchor } from 'wouter';
import { ActionButton, Badge, InputField, Instant, Loaded, Notice, Section } from '../../../../components/index.ts';
import { useStore } from '../../../../shell/context.ts';
import { useFilters } from '../../../../shell/filters.ts';
import { useRead } from '../../../../shell/queries.ts';
import { useZone } from '../../operations.ts';
import { refusalText } from '../../refusal-text.ts';
import { sectionPath } from '../sections.ts';
import { SettingsPage } from '../settings-page.tsx';
import { type AccountReply, accountPath, linkAccount } from './account-operations.ts';
import { accountState, requirementTexts } from './payment-texts.ts';
import { PayoutList } from './payout-list.tsx';

/** An event announces a change of an account only when it can be used. */
const readAgainMs = 10_000;

export default function PaymentsSection() {
  const { id: storeId } = useStore();
  const read = useRead(accountPath(storeId), {
    readAgainFor: { types: ['store'], subjects: [storeId] },
    every: readAgainMs,
  });
  const [filters] = useFilters();
  return (
    <SettingsPage title="Payment account" about="Where the money of your orders goes. The payment provider keeps these data, not Corner.">
      <Notice text={filters.get('back') === 'ended' ? 'That page had been used, or was open for too long. Open it again.' : null} />
      <Loaded of={read}>{({ account }) => <Account account={account} />}</Loaded>
      <p>
        Customers order at <Anchor href={sectionPath(storeId, 'address')}>your shop’s address</Anchor>, which has a code to print.
      </p>
    </SettingsPage>
  );
}

function Account({ account }: AccountReply) {
  const { role } = useStore();
  const { tone, title, text, action } = accountState(account);
  return (
    <>
      <div className="card form-card account">
        <p>
          <Badge tone={tone}>{title}</Badge>
          {account?.mode === 'test' && <Badge tone="info">Test mode: no money moves</Badge>}
          {account && <span className="quiet">Account ending in {account.last4}</span>}
        </p>
        <p>{text}</p>
        {account && <Requirements of={account.requirements} />}
        {role === 'owner' ? <Link label={action} isNew={account === null} /> : <p className="quiet">An owner of the store sets this up.</p>}
      </div>
      {account && (
        <Section title="What works">
          <ul className="account-facts">
            <Fact isSo={account.details_submitted} yes="The business is described" no="The business is not described yet" />
            <Fact isSo={account.accepts_orders} yes="Customers can pay" no="Customers cannot pay" />
            <Fact isSo={account.payouts_enabled} yes="Money is paid out to your bank" no="No money is paid out yet" />
          </ul>
          {account.reasons.length > 0 && <p className="quiet">The provider says: {requirementTexts(account.reasons).join('; ')}.</p>}
        </Section>
      )}
      {account && <PayoutList />}
    </>
  );
}

const Fact = ({ isSo, yes, no }: { readonly isSo: boolean; readonly yes: string; readonly no: string }) => (
  <li>
    <Badge tone={isSo ? 'good' : 'warn'}>{isSo ? 'yes' : 'no'}</Badge> {isSo ? yes : no}
  </li>
);

function Requirements({
  of: { currently_due, past_due, deadline },
}: {
  readonly of: NonNullable<AccountReply['account']>['requirements'];
}) {
  const zone = useZone();
  const texts = requirementTexts([...past_due, ...currently_due]);
  if (texts.length === 0) return null;
  return (
    <div>
      <p>
        <b>{past_due.length > 0 ? 'Missing, and overdue:' : 'Missing:'}</b>
      </p>
      <ul className="bullets">
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {deadline && (
        <p>
          By <Instant at={deadline} style="day" zone={zone} />.
        </p>
      )}
    </div>
  );
}

function Link({ label, isNew }: { readonly label: string; readonly isNew: boolean }) {
  const { id: storeId } = useStore();
  const [email, setEmail] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const leave = async () => {
    setBusy(true);
    setRefused(null);
    try {
      const { url } = await linkAccount(storeId, location.origin + location.pathname, email.trim());
      location.assign(url);
    } catch (error) {
      setRefused(refusalText(error, 'Payment account'));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void leave();
  };
  return (
    <form onSubmit={submit}>
      {isNew && (
        <InputField
          label="E-mail"
          hint="Where the payment provider writes to you."
          type="email"
          required
          autoComplete="email"
          value={email}
          onType={setEmail}
        />
      )}
      <Notice text={refused} />
      <ActionButton type="submit" className="primary" busy={isBusy} aria-busy={isBusy}>
        {label}
      </ActionButton>
    </form>
  );
}
