interface Someone {
  readonly type: string;
  readonly id: string;
}

/** A customer's entry is that customer's; a guest's is of whoever names it without being signed in, for its id is a secret. */
export const isOwn = ({ customer_id }: { readonly customer_id: string | null }, caller: Someone): boolean =>
  caller.type === 'customer' ? customer_id === caller.id : customer_id === null;
