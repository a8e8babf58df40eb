/** Stops what the global setup started, and removes its data. */
export default async function tearDown(): Promise<void> {
  await globalThis.cornerTestTeardown?.();
}
