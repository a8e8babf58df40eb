import type { CustomerOrder } from '@corner/client';
import { useState } from 'preact/hooks';
import { stepOf } from '../../order/describe.ts';
import { useRead } from '../../session/use-read.ts';
import { useClient } from '../../session/use-session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Row } from '../../ui/row.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useTrying } from '../../ui/use-trying.ts';

interface CollectEarlierProps {
  readonly order: CustomerOrder;
  readonly zone: string;
  readonly again: () => void;
}

export function CollectEarlier(props: CollectEarlierProps) {
  const { order: texts } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { order } = props;
  const booked = order.collection_mode === 'scheduled' && stepOf(order) === 'ready' ? order.requested_collection_at : null;
  if (booked === null || Date.parse(booked) < Date.now()) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{texts.earlier}</Button>
      {isOpen ? <EarlierTimes {...props} booked={booked} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function EarlierTimes({
  order,
  zone,
  again,
  booked,
  onClose,
}: CollectEarlierProps & { readonly booked: string; readonly onClose: () => void }) {
  const { order: texts } = useTexts();
  const { day, time } = useFormat();
  const client = useClient();
  const { failed: error, trying } = useTrying();
  const { store_id, id } = order;
  const read = useRead('/api/v1/orders/stores/{store_id}/slots', { params: { path: { store_id }, query: { limit: 50 } } });
  const earlier = read.data?.slots.filter(({ starts_at }) => Date.parse(starts_at) < Date.parse(booked));
  const move = (slot_id: string) =>
    trying(async () => {
      await client.POST('/api/v1/orders/collect-earlier', { body: { store_id, order_id: id, slot_id } }).catch((error: unknown) => {
        read.again();
        throw error;
      });
      again();
      onClose();
    });
  return (
    <Sheet title={texts.earlier} onClose={onClose}>
      {error === undefined ? null : <ErrorNotice error={error} />}
      {read.error !== undefined && !earlier ? <ErrorNotice error={read.error} again={read.again} /> : null}
      {earlier ? <p>{earlier.length === 0 ? texts.noEarlier : texts.earlierHint}</p> : <Skeleton lines={2} />}
      <ul class="rows">
        {earlier?.map((slot) => (
          <Row
            key={slot.id}
            title={`${time(slot.starts_at, zone)}–${time(slot.ends_at, zone)}`}
            detail={day(slot.starts_at, zone)}
            onPress={() => void move(slot.id)}
          />
        ))}
      </ul>
    </Sheet>
  );
}
