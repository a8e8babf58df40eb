import { money } from '../../../logic/format.ts';
import { lineOf, type MenuItem, missing } from './basket.ts';
import type { Selling } from './selling.ts';

interface Props {
  readonly item: MenuItem;
  readonly chosen: readonly string[];
  readonly currency: string;
  readonly selling: Selling;
}

export function ChoicesPane({ item, chosen, currency, selling }: Props) {
  const lacks = missing(item, chosen);
  return (
    <>
      <div className="sell-choices">
        <h2>{item.name}</h2>
        {item.options.map((option, index) => (
          <fieldset key={option.id}>
            <legend>
              {option.name}{' '}
              <span className="quiet">
                {option.min > 0 ? `choose ${option.min}` : option.max === 1 ? 'if wanted' : `up to ${option.max}`}
              </span>
            </legend>
            <div className="sell-options">
              {option.choices.map((choice, n) => (
                <button
                  type="button"
                  key={choice.id}
                  aria-pressed={chosen.includes(choice.id)}
                  data-first={index === 0 && n === 0 ? '' : undefined}
                  onClick={() => selling.till({ type: 'choice', id: choice.id })}
                >
                  {choice.name}
                  {choice.price_pence > 0 && <span> +{money(choice.price_pence, currency)}</span>}
                  {choice.sold_out && <span> sold out</span>}
                </button>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
      <div className="sell-foot">
        <button type="button" className="large" onClick={() => selling.till({ type: 'back' })}>
          Back
        </button>
        <button type="button" className="primary large" disabled={lacks !== null} onClick={() => selling.till({ type: 'put' })}>
          {lacks === null ? `Add ${money(lineOf(item, chosen).pence, currency)}` : `Choose ${lacks}`}
        </button>
      </div>
    </>
  );
}
