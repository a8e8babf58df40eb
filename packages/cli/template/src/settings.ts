/** Where Corner runs, and the store that sells. `corner new app` writes this file; write it again when an address has changed. */
export const settings = {
  gateway: 'http://localhost:4000',
  /** The payment simulator, and the key that it accepts. */
  payments: 'http://localhost:4242',
  paymentsKey: 'sk_test',
  storeId: '0190a000-0000-7000-8000-000000000001',
  storeCode: 'S1',
};
