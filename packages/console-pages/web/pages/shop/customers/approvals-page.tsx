import { Link } from 'wouter';
import { Ago, Badge, Empty, Loaded, Page } from '../../../components/index.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { type Stamp, stampsPath } from '../loyalty-operations.ts';
import { StampReview } from './stamp-review.tsx';
import { reasonText, sourceText } from './stamps.ts';

export default function ApprovalsPage() {
  const store = useStore();
  const read = useRead(stampsPath(store.id, 'pending'), { readAgainFor: { types: ['stamp.'], subjects: [store.id] } });
  return (
    <Page title="Approvals" about="Stamps that count when you approve them.">
      <Loaded of={read}>
        {({ stamps }) =>
          stamps.length === 0 ? (
            <Empty title="Nothing waits for approval.">Stamps that a tap proves count by themselves.</Empty>
          ) : (
            <ul className="cards">
              {stamps.map((stamp) => (
                <li key={stamp.id} className="card">
                  <Waiting stamp={stamp} storeId={store.id} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

function Waiting({ stamp, storeId }: { readonly stamp: Stamp; readonly storeId: string }) {
  const name = stamp.customer.name ?? (stamp.customer_id ? 'Customer' : 'Guest');
  return (
    <>
      <div>
        <h2 className="card-title">
          {stamp.customer_id ? (
            <Link href={pathOf('/shop/:storeId/customers/:customerId', { storeId, customerId: stamp.customer_id })}>{name}</Link>
          ) : (
            name
          )}
        </h2>
        <p className="order-marks">
          <Badge tone="warn">{reasonText(stamp.approval_reason)}</Badge>
          <span className="quiet">{sourceText(stamp.source)}</span>
          {stamp.created_at && <Ago at={stamp.created_at} />}
        </p>
      </div>
      <StampReview storeId={storeId} stampId={stamp.id} name={name} />
    </>
  );
}
