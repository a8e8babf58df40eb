/** Path of the development issuer's key in a data folder. */
export const keyFileIn = (dataDir: string): string => `${dataDir}/issuer-key.json`;
