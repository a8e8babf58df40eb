import { Loaded, LogList } from '../../../../components/index.ts';
import { pathTo, type Reply } from '../../../../logic/platform.ts';
import { useRead } from '../../../../shell/queries.ts';
import { CustomerLink } from '../../customer-link.tsx';
import { useZone } from '../../operations.ts';

const path = '/api/v1/directory/stores/{store_id}/data-access';

const titles: Readonly<Record<Reply<`GET ${typeof path}`>['entries'][number]['what'], string>> = {
  look_up: 'Found in a look-up',
  card: 'Opened',
  membership: 'Membership read',
  export: 'Exported',
  directory_export: 'Exported',
  dead_letter: 'Failed event opened',
  payload: 'Failed event read with its data',
  messages: 'Messages listed',
  story: 'Story read',
};

/** Ids that were created one after another begin alike. */
const endOf = (id: string): string => `…${id.slice(-4)}`;

export function DataAccess({ storeId }: { readonly storeId: string }) {
  const read = useRead(pathTo(path, { store_id: storeId, limit: 100 }), { every: 30_000 });
  const zone = useZone();
  return (
    <Loaded of={read} lines={2}>
      {({ entries }) => {
        const rows = entries.map(({ id, at, by, customer_id, what }) => ({
          key: id,
          at,
          title: titles[what],
          by: by.kind === 'operator' ? `Operator ${by.id}` : (by.name ?? endOf(by.id)),
          more: customer_id && <CustomerLink customerId={customer_id} name={`Customer ${endOf(customer_id)}`} />,
        }));
        return <LogList rows={rows} zone={zone} empty="No one has looked at a customer yet." />;
      }}
    </Loaded>
  );
}
