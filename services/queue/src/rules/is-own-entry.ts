/**
 * Returns whether the caller owns the entry. A customer's entry belongs to that customer. A guest's entry belongs to any caller who names
 * its id without being signed in as a customer, because the id is a secret.
 */
export const isOwnEntry = (
  { customer_id }: { readonly customer_id: string | null },
  caller: { readonly type: string; readonly id: string },
): boolean => (caller.type === 'customer' ? customer_id === caller.id : customer_id === null);
