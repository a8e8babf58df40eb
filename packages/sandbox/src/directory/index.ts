export { type Applied, type ApplyOptions, applyDirectory, registerAccounts } from './apply-directory.ts';
export { callService, Refused } from './call-service.ts';
export { findLooseSettings } from './find-loose-settings.ts';
export { findWrongAccounts } from './find-wrong-accounts.ts';
export { accountsIn, DirectoryFaults, parseDirectory } from './parse-directory.ts';
