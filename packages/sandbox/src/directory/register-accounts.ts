/** Registers connected accounts at the payment simulator at `paymentsUrl`, as a merchant's onboarding does at Stripe. */
export async function registerAccounts(paymentsUrl: string, accounts: readonly string[]): Promise<void> {
  for (const account of accounts) {
    const response = await fetch(`${paymentsUrl}/_sim/register-account`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`the payment simulator did not accept the account ${account}: ${await response.text()}`);
  }
}
