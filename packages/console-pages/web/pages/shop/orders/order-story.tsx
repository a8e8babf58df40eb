import { Failure, Loading, LogList } from '../../../components/index.ts';
import { useRead } from '../../../shell/queries.ts';
import { type Order, storyPath, useZone } from '../operations.ts';

export function OrderStory({ storeId, order }: { readonly storeId: string; readonly order: Order }) {
  const zone = useZone();
  const readAgainFor = { types: ['order.', 'stamp.'], subjects: [order.id, `${storeId}:${order.customer_id}`] };
  const { data, error } = useRead(storyPath(storeId, order.id), { readAgainFor });
  const rows = data?.entries.map(({ at, text, note, by_name }, n) => ({
    key: String(n),
    at,
    title: text,
    detail: note,
    by: by_name !== null && text.includes(by_name) ? null : by_name,
  }));
  return (
    <section>
      <h3>What happened</h3>
      {error && <Failure error={error} />}
      {!rows && !error && <Loading lines={3} />}
      {data && data.missing.length > 0 && (
        <p className="quiet">Not everything is here: {data.missing.join(' and ')} did not reply. Open the order again in a moment.</p>
      )}
      {rows && <LogList rows={rows} zone={zone} empty="Nothing is on record." />}
    </section>
  );
}
