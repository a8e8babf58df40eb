/** Where a system keeps the key of its development issuer. */
export const keyFileIn = (dataDir: string): string => `${dataDir}/issuer-key.json`;
