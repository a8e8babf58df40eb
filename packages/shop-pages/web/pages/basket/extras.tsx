import { useId, useState } from 'preact/hooks';
import type { Basket } from '../../order/basket.ts';
import { percentOf, readAmount } from '../../order/total.ts';
import { useRead } from '../../session/use-read.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Choice, Field } from '../../ui/field.tsx';
import type { ChangeBasket } from './lines.tsx';

interface ExtrasProps {
  readonly store: Store;
  readonly basket: Basket;
  readonly subtotalPence: number;
  readonly change: ChangeBasket;
}

export function Extras({ store, basket, subtotalPence, change }: ExtrasProps) {
  const { basket: texts } = useTexts();
  const [isOpen] = useState(() => basket.tip_pence > 0 || basket.promo_code !== '' || basket.voucher_id !== null);
  return (
    <details class="basket-part" open={isOpen}>
      <summary>{texts.extras}</summary>
      <div class="extras">
        <Vouchers store={store} basket={basket} change={change} />
        <Field
          label={texts.promo}
          hint={texts.promoHint}
          value={basket.promo_code}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          spellcheck={false}
          // At each key: the typed code would be lost when the menu changes meanwhile.
          onInput={({ currentTarget }) => {
            const promo_code = currentTarget.value;
            change((before) => ({ ...before, promo_code }));
          }}
        />
        <Tip store={store} basket={basket} subtotalPence={subtotalPence} change={change} />
      </div>
    </details>
  );
}

function Tip({ store, basket, subtotalPence, change }: ExtrasProps) {
  const { basket: texts } = useTexts();
  const { money } = useFormat();
  const name = useId();
  const { currency } = store;
  const offers = [5, 10, 15]
    .map((percent) => ({ percent, pence: percentOf(subtotalPence, percent, currency) }))
    .filter(({ pence }) => pence > 0);
  const [other, setOther] = useState(() => basket.tip_pence > 0 && basket.tip_percent === null);
  const [typed, setTyped] = useState('');
  const set = (tip_pence: number, tip_percent: number | null = null) => change((before) => ({ ...before, tip_pence, tip_percent }));
  const choose = ({ pence, percent }: { readonly pence: number; readonly percent: number }) => {
    setOther(false);
    set(pence, percent === 0 ? null : percent);
  };
  const wrong = other && typed !== '' && readAmount(typed, currency, subtotalPence) === null;
  return (
    <fieldset>
      <legend>{texts.tip}</legend>
      <div class="choices">
        {[{ percent: 0, pence: 0 }, ...offers].map(({ percent, pence }) => (
          <Choice
            key={percent}
            type="radio"
            name={name}
            label={pence === 0 ? texts.noTip : money(pence, currency)}
            after={pence === 0 ? undefined : `${percent} %`}
            checked={!other && (basket.tip_percent ?? 0) === percent}
            onChange={() => choose({ pence, percent })}
          />
        ))}
        <Choice type="radio" name={name} label={texts.otherTip} checked={other} onChange={() => setOther(true)} />
      </div>
      {other ? (
        <Field
          label={texts.tipAmount}
          inputMode="decimal"
          value={typed}
          placeholder={basket.tip_pence > 0 ? money(basket.tip_pence, currency) : undefined}
          error={wrong ? texts.tipWrong : undefined}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            set(readAmount(currentTarget.value, currency, subtotalPence) ?? 0);
          }}
        />
      ) : null}
    </fieldset>
  );
}

function Vouchers({ store, basket, change }: Omit<ExtrasProps, 'subtotalPence'>) {
  const { basket: texts } = useTexts();
  const format = useFormat();
  const name = useId();
  const { data } = useRead('/api/v1/loyalty/mine', {}, { keep: true });
  const vouchers = (data?.cards ?? [])
    .filter(({ stores }) => stores.some(({ id }) => id === store.id))
    .flatMap((card) => card.active_vouchers);
  if (vouchers.length === 0) return null;
  const choose = (voucher_id: string | null) => change((before) => ({ ...before, voucher_id }));
  return (
    <fieldset>
      <legend>{texts.voucher}</legend>
      <div class="choices">
        <Choice type="radio" name={name} label={texts.noVoucher} checked={basket.voucher_id === null} onChange={() => choose(null)} />
        {vouchers.map(({ id, reward_title, expires_at }) => (
          <Choice
            key={id}
            type="radio"
            name={name}
            label={reward_title ?? texts.unnamedVoucher}
            after={expires_at === null ? undefined : texts.voucherUntil(format.day(expires_at, store.time_zone))}
            checked={basket.voucher_id === id}
            onChange={() => choose(id)}
          />
        ))}
      </div>
    </fieldset>
  );
}
