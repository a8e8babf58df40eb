import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import { Badge, Empty, Loaded, Page, SearchField, Section } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { useStore } from '../../../shell/context.ts';
import { useFilters } from '../../../shell/filters.ts';
import { useRead } from '../../../shell/queries.ts';
import { type FoundCustomer, findCustomersPath } from '../loyalty-operations.ts';
import { RedeemByCode } from './redeem-by-code.tsx';
import { canScan, ScanDialog } from './scan-dialog.tsx';

const customerPage = (storeId: string, customerId: string): string =>
  pathOf('/shop/:storeId/customers/:customerId', { storeId, customerId });

export default function CustomersPage() {
  const { id: storeId } = useStore();
  const [filters, change] = useFilters();
  const [scanning, scan] = useState(false);
  const [scanned, setScanned] = useState<string | null>(null);
  const q = filters.get('q') ?? '';
  const read = useRead(q ? findCustomersPath(storeId, q) : null);
  useOpening(storeId, scanned === q ? read.data?.customers : undefined);
  const found = (text: string) => {
    scan(false);
    setScanned(text);
    change({ q: text });
  };
  return (
    <Page title="Customers" about="People who have been at this store. Each search is on record with your name.">
      <div className="order-search">
        <SearchField
          label="Name, last digits of the phone, e-mail or card"
          value={q}
          button="Find"
          onSearch={(text) => change({ q: text })}
        />
        {canScan() && (
          <button type="button" aria-haspopup="dialog" onClick={() => scan(true)}>
            Scan a card
          </button>
        )}
      </div>
      {q && <Loaded of={read}>{({ customers }) => <FoundCustomers customers={customers} />}</Loaded>}
      <Section title="Redeem a voucher by its code">
        <RedeemByCode />
      </Section>
      {scanning && <ScanDialog onFound={found} onClose={() => scan(false)} />}
    </Page>
  );
}

function FoundCustomers({ customers }: { readonly customers: readonly FoundCustomer[] }) {
  const { id: storeId } = useStore();
  if (customers.length === 0)
    return (
      <Empty title="No one was found.">Someone without an account has no card: look for their order or their place in the queue.</Empty>
    );
  return (
    <ul className="cards">
      {customers.map((each) => (
        <Found key={each.customer.id} found={each} href={customerPage(storeId, each.customer.id)} />
      ))}
    </ul>
  );
}

function useOpening(storeId: string, customers: readonly FoundCustomer[] | undefined): void {
  const [only, ...more] = customers ?? [];
  useEffect(() => {
    if (only && more.length === 0) navigate(customerPage(storeId, only.customer.id));
  }, [only, more.length, storeId]);
}

function Found({ found, href }: { readonly found: FoundCustomer; readonly href: string }) {
  const { customer, stamp_count, goal, active_vouchers, order_count, membership } = found;
  return (
    <li className="card" data-customer={customer.id}>
      <h2 className="card-title">
        <Link href={href}>{customer.name ?? 'Customer'}</Link>
      </h2>
      <p className="order-marks">
        {goal > 0 && (
          <Badge>
            {stamp_count} of {goal} stamps
          </Badge>
        )}
        {active_vouchers.length > 0 && <Badge tone="good">{plural(active_vouchers.length, 'voucher')}</Badge>}
        {membership && <Badge tone="info">{membership.plan_name ?? 'member'}</Badge>}
        <span className="quiet">{plural(order_count, 'order')}</span>
        {customer.phone && <span className="quiet">{customer.phone}</span>}
        {customer.email && <span className="quiet">{customer.email}</span>}
      </p>
    </li>
  );
}
