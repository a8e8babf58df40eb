import { type FormEvent, useState } from 'react';
import { Icon, InputField } from '../../../components/index.ts';
import { parseAmount, typedAmount } from '../../../logic/amounts.ts';
import { money } from '../../../logic/format.ts';
import { cashFor } from './basket.ts';
import type { Selling } from './selling.ts';
import { leftOf, type Till, type TillTender } from './till.ts';

interface Props {
  readonly till: Till;
  readonly selling: Selling;
  readonly currency: string;
}

export function PayPane({ till, selling, currency }: Props) {
  const { paying, sent } = till;
  const left = leftOf(till);
  const isBusy = sent !== null;
  const take = (tender: TillTender) => selling.till({ type: 'tender', tender, ...selling.now() });
  const takeCash = (given: number) => take({ kind: 'cash', pence: Math.min(given, left), given });
  return (
    <>
      <div className="sell-pay">
        <h2>
          {paying?.open ? `Sale ${paying.open.number}: ` : ''}
          {left < 0 ? `${money(-left, currency)} more is taken than it costs by now` : `${money(left, currency)} to pay`}
        </h2>
        {left < 0 && <p>Take back a tender, and take what it costs.</p>}
        {(paying?.tenders.length ?? 0) > 0 && (
          <ul className="sell-tenders">
            {paying?.tenders.map((tender, n) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: tenders are in the order in which they were taken
              <li key={n}>
                {money(tender.pence, currency)} {tender.kind === 'cash' ? 'in cash' : `by card (${tender.reference})`}
                <button
                  type="button"
                  className="plain"
                  aria-label={`Take back ${money(tender.pence, currency)}`}
                  disabled={isBusy}
                  data-first={left < 0 && n === 0 ? '' : undefined}
                  onClick={() => selling.till({ type: 'untender', n })}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        {left > 0 && (
          <>
            <Cash key={`cash ${left}`} {...{ left, currency, isBusy, takeCash }} />
            <Card key={`card ${left}`} {...{ left, currency, isBusy, take }} />
          </>
        )}
        {paying?.open && paying.tenders.length > 0 && left > 0 && (
          <button type="button" className="large" disabled={isBusy} onClick={() => selling.till({ type: 'take part', ...selling.now() })}>
            Leave {money(left, currency)} open
          </button>
        )}
        {paying?.open === null && paying.tenders.length === 0 && <LeaveOpen {...{ selling, isBusy }} />}
      </div>
      <div className="sell-foot">
        <button type="button" className="large" disabled={isBusy} onClick={() => selling.till({ type: 'back' })}>
          Back
        </button>
        {left === 0 && paying && (
          <button
            type="button"
            className="primary large"
            disabled={isBusy}
            data-first=""
            onClick={() => selling.till({ type: 'pay', open: paying.open, ...selling.now() })}
          >
            Sell
          </button>
        )}
      </div>
    </>
  );
}

interface Part {
  readonly left: number;
  readonly currency: string;
  readonly isBusy: boolean;
}

function Cash({ left, currency, isBusy, takeCash }: Part & { takeCash(given: number): void }) {
  const [typed, setTyped] = useState('');
  const given = parseAmount(typed, currency);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (given !== null && !isBusy) takeCash(given);
  };
  return (
    <fieldset>
      <legend>Cash</legend>
      <div className="sell-options">
        {cashFor(left, currency).map((sum, n) => (
          <button
            type="button"
            key={sum}
            className="large"
            data-first={n === 0 ? '' : undefined}
            disabled={isBusy}
            onClick={() => takeCash(sum)}
          >
            {n === 0 ? `Exactly ${money(sum, currency)}` : money(sum, currency)}
          </button>
        ))}
      </div>
      <form className="sell-form" onSubmit={submit}>
        <InputField label="Given" inputMode="decimal" value={typed} onType={setTyped} hint="Less than the sum pays a part of it." />
        <button type="submit" disabled={isBusy || given === null}>
          Take cash
        </button>
      </form>
    </fieldset>
  );
}

function Card({ left, currency, isBusy, take }: Part & { take(tender: TillTender): void }) {
  const [amount, setAmount] = useState(typedAmount(left, currency));
  const [reference, setReference] = useState('');
  const pence = parseAmount(amount, currency);
  const canTake = pence !== null && pence <= left && reference.trim() !== '' && !isBusy;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canTake) take({ kind: 'external_card', pence, reference: reference.trim() });
  };
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>Card, charged by the store’s own reader</legend>
        <div className="sell-form">
          <InputField label="Charged" inputMode="decimal" value={amount} onType={setAmount} />
          <InputField label="Number of the slip" maxLength={64} value={reference} onType={setReference} />
          <button type="submit" disabled={!canTake}>
            Take card
          </button>
        </div>
      </fieldset>
    </form>
  );
}

function LeaveOpen({ selling, isBusy }: { readonly selling: Selling; readonly isBusy: boolean }) {
  const [table, setTable] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) selling.till({ type: 'leave open', table: table.trim(), ...selling.now() });
  };
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>Pay later</legend>
        <div className="sell-form">
          <InputField label="Table" maxLength={16} value={table} onType={setTable} hint="Eaten in there. Empty: no table." />
          <button type="submit" disabled={isBusy}>
            Leave open
          </button>
        </div>
      </fieldset>
    </form>
  );
}
