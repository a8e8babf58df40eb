import type { CustomerOrder } from '@corner/client';
import { useState } from 'preact/hooks';
import { isUnpaid, mayCancel } from '../../order/describe.ts';
import { useClient } from '../../session/use-session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { AskSheet } from '../../ui/ask-sheet.tsx';
import { Button } from '../../ui/button.tsx';
import { useTrying } from '../../ui/use-trying.ts';

export function CancelOrder({ order, again }: { readonly order: CustomerOrder; readonly again: () => void }) {
  const { order: texts } = useTexts();
  const { money } = useFormat();
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const { busy, failed: error, trying } = useTrying();
  if (!mayCancel(order)) return null;
  const cancel = () =>
    trying(async () => {
      const body = { store_id: order.store_id };
      await client.POST('/api/v1/orders/{orderId}/cancel', { params: { path: { orderId: order.id } }, body }).finally(again);
      setOpen(false);
    });
  const back = order.total_pence - order.refunded_pence;
  return (
    <>
      <Button kind="quiet" class="order-cancel" onClick={() => setOpen(true)}>
        {texts.cancel}
      </Button>
      {isOpen ? (
        <AskSheet
          title={texts.cancelTitle}
          hint={isUnpaid(order) || back === 0 ? texts.cancelUnpaid : texts.cancelHint(money(back, order.currency))}
          yes={texts.cancelYes}
          no={texts.cancelNo}
          {...{ busy, failed: error }}
          onYes={cancel}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
