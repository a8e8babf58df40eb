import { Link } from 'wouter';
import { pathOf } from '../../logic/match-route.ts';
import { useStore } from '../../shell/context.ts';

/** The name of a person, as a link to their page at this store. A guest has no page. */
export function CustomerLink({ customerId, name }: { readonly customerId: string | null; readonly name: string }) {
  const { id: storeId } = useStore();
  if (customerId === null) return name;
  return <Link href={pathOf('/shop/:storeId/customers/:customerId', { storeId, customerId })}>{name}</Link>;
}
