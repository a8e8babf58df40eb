import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import type { OwnCard } from './look.ts';

export function Vouchers({ store, card }: { readonly store: Store; readonly card: OwnCard }) {
  const { card: texts } = useTexts();
  const { day } = useFormat();
  if (card.active_vouchers.length === 0) return null;
  return (
    <section class="part">
      <h2>{texts.vouchers}</h2>
      <ul class="vouchers">
        {card.active_vouchers.map(({ id, code, reward_title, expires_at }) => (
          <li key={id} class="voucher">
            <span class="voucher-reward">{reward_title ?? texts.reward}</span>
            {code === null ? null : <span class="voucher-code">{code}</span>}
            {expires_at === null ? null : <span>{texts.until(day(expires_at, store.time_zone))}</span>}
          </li>
        ))}
      </ul>
      <p class="hint">
        {texts.voucherHint} {card.stores.length > 1 ? texts.validAt(card.stores.map(({ name }) => name).join(', ')) : ''}
      </p>
    </section>
  );
}
