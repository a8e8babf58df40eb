import { useState } from 'react';
import { ConfirmWithReason, InputField, Notice } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { OrderLink } from '../order-link.tsx';
import { asksPlace, totalOf } from './basket.ts';
import type { Selling } from './selling.ts';
import { hasTaken, lacksPlace, type Sold, shownPayment, type Till } from './till.ts';

interface Props {
  readonly till: Till;
  readonly selling: Selling;
  readonly currency: string;
  readonly refusal: string | null;
}

export function BasketPane({ till, selling, currency, refusal }: Props) {
  const { lines, eatIn, customer, sold, sent, paying } = till;
  const [isAsked, ask] = useState(false);
  const isBusy = sent !== null;
  const hasSome = lines.length > 0 || hasTaken(till);
  const clear = () => selling.till({ type: 'clear' });
  const total = totalOf(lines);
  const lacks = lacksPlace(till);
  return (
    <section className="sell-basket" id="basket" aria-label="Basket" tabIndex={-1}>
      <div className="sell-result" role="status">
        {sold && <SoldText {...{ sold, currency }} />}
      </div>
      <Notice text={refusal} />
      {hasTaken(till) && shownPayment(till) === null && (
        <Notice
          text={`${money(takenOf(till), currency)} is taken${paying?.open ? ` for sale ${paying.open.number}` : ''}. Press Pay to go on, or to take it back.`}
        />
      )}
      {lines.length === 0 ? (
        <p className="quiet sell-empty">Nothing yet.</p>
      ) : (
        <ul className="sell-lines">
          {lines.map(({ name, quantity, pence }, n) => (
            <li key={name}>
              <span className="sell-line">
                {quantity} × {name}
              </span>
              <span className="sell-sum">{money(pence * quantity, currency)}</span>
              <button
                type="button"
                className="small"
                aria-label={`One ${name} less`}
                disabled={isBusy}
                onClick={() => selling.till({ type: 'count', n, by: -1 })}
              >
                −
              </button>
              <button
                type="button"
                className="small"
                aria-label={`One ${name} more`}
                disabled={isBusy}
                onClick={() => selling.till({ type: 'count', n, by: 1 })}
              >
                +
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="sell-terms">
        {asksPlace(lines) && (
          <fieldset>
            <legend>{lacks ? 'Eaten in or taken away? The VAT depends on it.' : 'Eaten in or taken away'}</legend>
            <div className="sell-options">
              {([true, false] as const).map((each) => (
                <button
                  type="button"
                  key={String(each)}
                  aria-pressed={eatIn === each}
                  disabled={isBusy}
                  onClick={() => selling.till({ type: 'place', eatIn: each })}
                >
                  {each ? 'Eat in' : 'Take away'}
                </button>
              ))}
            </div>
          </fieldset>
        )}
        <InputField
          label="Customer"
          placeholder="Scan a card, or type"
          maxLength={320}
          spellCheck={false}
          value={customer}
          disabled={isBusy}
          onType={(text) => selling.till({ type: 'customer', text })}
        />
        <p className="sell-total">
          Total <strong>{money(total, currency)}</strong>
        </p>
        <div className="sell-foot">
          <button type="button" className="large" disabled={isBusy || !hasSome} onClick={() => (hasTaken(till) ? ask(true) : clear())}>
            Clear
          </button>
          <button
            type="button"
            className="primary large"
            disabled={isBusy || !hasSome || (lacks && !paying?.open) || shownPayment(till) !== null}
            aria-busy={sent !== null}
            onClick={() => selling.till({ type: 'pay', open: null, ...selling.now() })}
          >
            {sent ? 'Selling…' : `Pay ${money(total, currency)}`}
          </button>
        </div>
      </div>
      {isAsked && (
        <ConfirmWithReason
          title="Clear the basket?"
          label="Clear"
          danger
          reason={false}
          act={async () => clear()}
          onClose={() => ask(false)}
        >
          <p>{money(takenOf(till), currency)} was taken and is recorded nowhere. Give it back, or take back the card payment, first.</p>
        </ConfirmWithReason>
      )}
    </section>
  );
}

const takenOf = ({ paying }: Till): number => (paying?.tenders ?? []).reduce((sum, { pence }) => sum + pence, 0);

function SoldText({ sold, currency }: { readonly sold: Sold; readonly currency: string }) {
  const { number, orderId, total, change, isOpen, isPart, isKnown } = sold;
  return (
    <div className="sell-sold">
      {change > 0 && <p className="sell-change">Change {money(change, currency)}</p>}
      <p>
        {money(total, currency)} {isPart ? 'taken, and the rest is open' : isOpen ? 'is open' : 'sold'}
        {orderId ? (
          <>
            {': '}
            <OrderLink orderId={orderId} number={number} />
          </>
        ) : (
          '. It is kept here, and sent when the line is back.'
        )}
      </p>
      {orderId && !isKnown && !isOpen && !isPart && (
        <p className="quiet">A tap on the store’s tag within a minute puts it on the customer’s card.</p>
      )}
    </div>
  );
}
