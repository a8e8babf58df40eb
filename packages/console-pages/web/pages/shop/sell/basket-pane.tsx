import { InputField, Notice } from '../../../components/index.ts';
import { money } from '../../../logic/format.ts';
import { OrderLink } from '../order-link.tsx';
import { asksPlace, totalOf } from './basket.ts';
import type { Selling } from './selling.ts';
import { lacksPlace, type Sold, type Till } from './till.ts';

interface Props {
  readonly till: Till;
  readonly selling: Selling;
  readonly currency: string;
  /** Why the last sale was refused. */
  readonly refusal: string | null;
}

/** What is sold, to whom, eaten where, and what it costs. */
export function BasketPane({ till, selling, currency, refusal }: Props) {
  const { lines, eatIn, customer, sold, sent, unsure, paying } = till;
  const isBusy = sent !== null || unsure !== null;
  const total = totalOf(lines);
  const lacks = lacksPlace(till);
  return (
    <section className="sell-basket" id="basket" aria-label="Basket" tabIndex={-1}>
      <div className="sell-result" role="status">
        {sold && <SoldText {...{ sold, currency }} />}
      </div>
      <Notice text={refusal} />
      {unsure && (
        <Notice text="No response came, and it is not known whether the sale was made. Send it again: it is made once.">
          <button type="button" onClick={() => selling.till({ type: 'again' })}>
            Send again
          </button>
        </Notice>
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
          <button type="button" className="large" disabled={isBusy || lines.length === 0} onClick={() => selling.till({ type: 'clear' })}>
            Clear
          </button>
          <button
            type="button"
            className="primary large"
            disabled={isBusy || lines.length === 0 || lacks || paying !== null}
            aria-busy={sent !== null}
            onClick={() => selling.till({ type: 'pay', open: null, ...selling.now() })}
          >
            {sent ? 'Selling…' : `Pay ${money(total, currency)}`}
          </button>
        </div>
      </div>
    </section>
  );
}

function SoldText({ sold, currency }: { readonly sold: Sold; readonly currency: string }) {
  const { number, orderId, total, change, isOpen, isKnown } = sold;
  return (
    <div className="sell-sold">
      {change > 0 && <p className="sell-change">Change {money(change, currency)}</p>}
      <p>
        {money(total, currency)} {isOpen ? 'is open' : 'sold'}
        {orderId ? (
          <>
            {': '}
            <OrderLink orderId={orderId} number={number} />
          </>
        ) : (
          '. It is sent when the line is back.'
        )}
      </p>
      {orderId && !isKnown && !isOpen && <p className="quiet">A tap on the store’s tag within a minute puts it on the customer’s card.</p>}
    </div>
  );
}
