declare const process: { readonly env: Readonly<Record<string, string | undefined>> };

/** Returns what the start script has looked up in the running Corner. A real app has settings of its own instead. */
export function lookedUp(name: 'CORNER' | 'PAYMENTS' | 'ANA' | 'CY'): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this program by npm start, beside a Corner whose payments are simulated.`);
  return value;
}

/** Where Corner runs, and the store that sells. */
export const settings = {
  gateway: lookedUp('CORNER'),
  /** The payment simulator, and the key that it accepts. */
  payments: lookedUp('PAYMENTS'),
  paymentsKey: 'sk_test_corner',
  storeId: '0190a000-0000-7000-8000-000000000001',
  storeCode: 'S1',
};
