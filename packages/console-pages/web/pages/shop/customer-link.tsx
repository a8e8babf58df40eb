import { Link } from 'wouter';
import { pathOf } from '../../logic/match-route.ts';
import { useStore } from '../../shell/context.ts';

export function CustomerLink({ customerId, name }: { readonly customerId: string | null; readonly name: string }) {
  const { id: storeId } = useStore();
  if (customerId === null) return name;
  return <Link href={pathOf('/shop/:storeId/customers/:customerId', { storeId, customerId })}>{name}</Link>;
}
