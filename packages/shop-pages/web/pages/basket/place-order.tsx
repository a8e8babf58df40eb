import type { OrderBody } from '../../order/attempts.ts';
import type { Basket, CheckedLine } from '../../order/basket.ts';
import { orderBody, totalOf } from '../../order/total.ts';
import type { Store } from '../../shell/use-store.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { usePlacing } from './use-placing.ts';

interface PlaceOrderProps {
  readonly code: string;
  readonly store: Store;
  readonly basket: Basket;
  readonly lines: readonly CheckedLine[];
  /** The quarter of an hour that is shown for an order for now; null at a store without a pace. */
  readonly readyFrom: string | null;
}

export function PlaceOrder({ code, store, basket, lines, readyFrom }: PlaceOrderProps) {
  const { basket: texts } = useTexts();
  const { money } = useFormat();
  const shown = totalOf(lines, basket);
  const needsTime = store.takes_orders === 'scheduled' && basket.slot_id === null;
  const blocked = store.takes_orders === 'none' || needsTime || lines.some(({ problem }) => problem !== null);
  return (
    <Place
      {...{ code, shown, blocked }}
      store={store}
      bodyOf={() => orderBody(basket, { store, shownPence: shown, readyFrom, now: Date.now() })}
      text={needsTime ? texts.chooseTime : texts.order(money(shown, store.currency))}
      hasDiscount={basket.promo_code.trim() !== '' || basket.voucher_id !== null}
    />
  );
}

interface PlaceProps {
  readonly code: string;
  readonly store: Pick<Store, 'currency' | 'time_zone'>;
  /** The total that the customer sees, in minor units. */
  readonly shown: number;
  readonly bodyOf: () => OrderBody;
  readonly text: string;
  readonly blocked?: boolean;
  readonly hasDiscount?: boolean;
}

/** The button that places an order and leads to its payment. */
export function Place({ code, store, shown, bodyOf, text, blocked = false, hasDiscount = false }: PlaceProps) {
  const { basket: texts } = useTexts();
  const { money, time } = useFormat();
  const { placing, place, goOn, replace, stop } = usePlacing(code);
  const amount = (pence: number): string => money(pence, store.currency);
  return (
    <>
      {placing.at === 'failed' ? (
        <ErrorNotice error={placing.error}>{placing.maybePlaced ? <p>{texts.mayBePlaced}</p> : null}</ErrorNotice>
      ) : null}
      <Button kind="main" busy={placing.at === 'work'} disabled={blocked} onClick={() => void place(bodyOf())}>
        {text}
      </Button>
      {placing.at === 'other total' ? (
        <Changed
          title={hasDiscount ? texts.withDiscount : texts.newTotal}
          body={(hasDiscount ? texts.withDiscountBody : texts.newTotalBody)(amount(shown), amount(placing.totalPence))}
          label={texts.order(amount(placing.totalPence))}
          onOrder={() => void place({ ...placing.body, expected_total_pence: placing.totalPence })}
          onClose={stop}
        />
      ) : null}
      {placing.at === 'other time' ? (
        <Changed
          title={texts.newTime}
          body={texts.newTimeBody(time(placing.readyFrom, store.time_zone))}
          label={texts.orderFor(time(placing.readyFrom, store.time_zone))}
          onOrder={() => void place({ ...placing.body, expected_ready_from: placing.readyFrom })}
          onClose={stop}
        />
      ) : null}
      {placing.at === 'open order' ? (
        <OpenOrder
          onGoOn={() => goOn(placing.attempt.attempt_id)}
          onReplace={() => void replace(placing.attempt, placing.body)}
          onClose={stop}
        />
      ) : null}
    </>
  );
}

interface ChangedProps {
  readonly title: string;
  readonly body: string;
  readonly label: string;
  readonly onOrder: () => void;
  readonly onClose: () => void;
}

function Changed({ title, body, label, onOrder, onClose }: ChangedProps) {
  const { basket: texts } = useTexts();
  return (
    <Sheet
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button kind="main" onClick={onOrder}>
            {label}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            {texts.cancel}
          </Button>
        </>
      }
    >
      <p>{body}</p>
    </Sheet>
  );
}

interface OpenOrderProps {
  readonly onGoOn: () => void;
  readonly onReplace: () => void;
  readonly onClose: () => void;
}

function OpenOrder({ onGoOn, onReplace, onClose }: OpenOrderProps) {
  const { basket: texts } = useTexts();
  return (
    <Sheet
      title={texts.openOrder}
      onClose={onClose}
      foot={
        <>
          <Button kind="main" onClick={onGoOn}>
            {texts.goOn}
          </Button>
          <Button kind="danger" onClick={onReplace}>
            {texts.cancelThat}
          </Button>
        </>
      }
    >
      <p>{texts.openOrderBody}</p>
    </Sheet>
  );
}
