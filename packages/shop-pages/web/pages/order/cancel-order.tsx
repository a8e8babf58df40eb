import type { CustomerOrder } from '@corner/client';
import { useState } from 'preact/hooks';
import { isUnpaid, mayCancel } from '../../order/describe.ts';
import { useClient } from '../../session/use-session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Sheet } from '../../ui/sheet.tsx';

/** Cancels an order that the shop has not begun, after saying what happens to the money. */
export function CancelOrder({ order, again }: { readonly order: CustomerOrder; readonly again: () => void }) {
  const { order: texts } = useTexts();
  const { money } = useFormat();
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  if (!mayCancel(order)) return null;
  const cancel = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const body = { store_id: order.store_id };
      await client.POST('/api/v1/orders/{orderId}/cancel', { params: { path: { orderId: order.id } }, body });
      setOpen(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
      again();
    }
  };
  const back = order.total_pence - order.refunded_pence;
  return (
    <>
      <Button kind="quiet" class="order-cancel" onClick={() => setOpen(true)}>
        {texts.cancel}
      </Button>
      {isOpen ? (
        <Sheet
          title={texts.cancelTitle}
          onClose={() => setOpen(false)}
          foot={
            <>
              <Button kind="danger" busy={busy} onClick={cancel}>
                {texts.cancelYes}
              </Button>
              <Button onClick={() => setOpen(false)}>{texts.cancelNo}</Button>
            </>
          }
        >
          <p>{isUnpaid(order) || back === 0 ? texts.cancelUnpaid : texts.cancelHint(money(back, order.currency))}</p>
          {error === undefined ? null : <ErrorNotice error={error} />}
        </Sheet>
      ) : null}
    </>
  );
}
