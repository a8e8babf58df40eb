import type { components } from '@corner/client';
import { useRead } from '../../session/use-read.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Place } from '../basket/index.ts';

interface DepositProps {
  readonly store: Store;
  readonly deposit: NonNullable<components['schemas']['SessionBooking']['deposit']>;
}

/** Shows the state of a booking's deposit; one that is due has the button that places the order. */
export function Deposit({ store, deposit: { state, item_id, pay_before, booking_ref } }: DepositProps) {
  const { queue: texts } = useTexts();
  const { money, time } = useFormat();
  const isDue = state === 'due' && Date.parse(pay_before) > Date.now();
  const options = isDue ? { params: { path: { store_id: store.id } } } : null;
  const { data } = useRead('/api/v1/orders/stores/{store_id}/menu', options);
  const item = data?.items.find(({ id }) => id === item_id);
  if (!isDue) return <Notice>{texts.deposit[state]}</Notice>;
  return (
    <>
      <Notice kind="warning">{texts.depositDue(time(pay_before, store.time_zone))}</Notice>
      {item ? (
        <Place
          code={store.code}
          store={store}
          shown={item.price_pence}
          text={texts.payDeposit(money(item.price_pence, store.currency))}
          bodyOf={() => ({
            store_code: store.code,
            store_id: store.id,
            items: [{ menu_item_id: item_id, quantity: 1 }],
            order_type: 'buy_now',
            booking_ref,
            expected_total_pence: item.price_pence,
          })}
        />
      ) : null}
    </>
  );
}
