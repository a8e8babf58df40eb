export { nkeyPair, operatorAccount } from './nats-keys.ts';
export { type TestCertificates, testCertificates } from './test-certificates.ts';
