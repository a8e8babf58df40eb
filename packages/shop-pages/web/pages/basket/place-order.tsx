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
}

export function PlaceOrder({ code, store, basket, lines }: PlaceOrderProps) {
  const { basket: texts } = useTexts();
  const { money } = useFormat();
  const shown = totalOf(lines, basket);
  const needsTime = store.takes_orders === 'scheduled' && basket.slot_id === null;
  const blocked = store.takes_orders === 'none' || needsTime || lines.some(({ problem }) => problem !== null);
  return (
    <Place
      {...{ code, shown, blocked }}
      currency={store.currency}
      bodyOf={(shownPence) => orderBody(basket, { store, shownPence, now: Date.now() })}
      text={needsTime ? texts.chooseTime : texts.order(money(shown, store.currency))}
      hasDiscount={basket.promo_code.trim() !== '' || basket.voucher_id !== null}
    />
  );
}

interface PlaceProps {
  readonly code: string;
  readonly currency: string;
  /** The total that the customer sees, in minor units. */
  readonly shown: number;
  readonly bodyOf: (shownPence: number) => OrderBody;
  readonly text: string;
  readonly blocked?: boolean;
  readonly hasDiscount?: boolean;
}

/** The button that places an order and leads to its payment. */
export function Place({ code, currency, shown, bodyOf, text, blocked = false, hasDiscount = false }: PlaceProps) {
  const { basket: texts } = useTexts();
  const { money } = useFormat();
  const { placing, place, goOn, replace, stop } = usePlacing(code);
  const amount = (pence: number): string => money(pence, currency);
  const order = (shownPence: number) => void place(bodyOf(shownPence));
  return (
    <>
      {placing.at === 'failed' ? (
        <ErrorNotice error={placing.error}>{placing.maybePlaced ? <p>{texts.mayBePlaced}</p> : null}</ErrorNotice>
      ) : null}
      <Button kind="main" busy={placing.at === 'work'} disabled={blocked} onClick={() => order(shown)}>
        {text}
      </Button>
      {placing.at === 'other total' ? (
        <Sheet
          title={hasDiscount ? texts.withDiscount : texts.newTotal}
          onClose={stop}
          foot={
            <>
              <Button kind="main" onClick={() => order(placing.totalPence)}>
                {texts.order(amount(placing.totalPence))}
              </Button>
              <Button kind="quiet" onClick={stop}>
                {texts.cancel}
              </Button>
            </>
          }
        >
          <p>{(hasDiscount ? texts.withDiscountBody : texts.newTotalBody)(amount(shown), amount(placing.totalPence))}</p>
        </Sheet>
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
