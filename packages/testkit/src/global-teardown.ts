/** Stops what the global set-up started, and removes its data. */
export default async function tearDown(): Promise<void> {
  await globalThis.cornerTestTeardown?.();
}
