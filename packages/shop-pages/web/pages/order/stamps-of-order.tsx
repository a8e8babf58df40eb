import { useState } from 'preact/hooks';
import { useRead } from '../../session/use-read.ts';
import { useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

export function StampsOfOrder({ orderId }: { readonly orderId: string }) {
  const { order: texts } = useTexts();
  const { language } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const { data, error, again } = useRead(
    '/api/v1/orders/{orderId}/mine/story',
    isOpen ? { params: { path: { orderId }, query: { language } } } : null,
  );
  return (
    <details class="row" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="row-title">{texts.stampsOfOrder}</summary>
      {data ? (
        <p>{data.stamps?.text ?? texts.stampsUnknown}</p>
      ) : error === undefined ? (
        <Skeleton lines={1} />
      ) : (
        <ErrorNotice error={error} again={again} />
      )}
    </details>
  );
}
