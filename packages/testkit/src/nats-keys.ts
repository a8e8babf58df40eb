import { randomUUID } from 'node:crypto';
import { createAccount, createOperator, createUser, type KeyPair } from '@nats-io/nkeys';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

export function nkeyPair(): { readonly publicKey: string; readonly seed: string } {
  const pair = createUser();
  return { publicKey: pair.getPublicKey(), seed: text(pair.getSeed()) };
}

export function operatorAccount(): { readonly configuration: string; readonly credentials: string } {
  const [operator, system, account, user] = [createOperator(), createAccount(), createAccount(), createUser()];
  const unlimited = { subs: -1, data: -1, payload: -1, conn: -1, leaf: -1, imports: -1, exports: -1, wildcards: true };
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
  const jwt = (subject: KeyPair, issuer: KeyPair, nats: object) => signed(subject, issuer, nats);
  const operatorJwt = jwt(operator, operator, { type: 'operator', system_account: system.getPublicKey() });
  const systemJwt = jwt(system, operator, { type: 'account', limits: unlimited });
  const accountJwt = jwt(account, operator, { type: 'account', limits: { ...unlimited, ...storage } });
  const userJwt = jwt(user, account, { type: 'user', pub: {}, sub: {}, subs: -1, data: -1, payload: -1 });
  return {
    configuration: [
      `operator: ${operatorJwt}`,
      `system_account: ${system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${system.getPublicKey()}: ${systemJwt}, ${account.getPublicKey()}: ${accountJwt} }`,
    ].join('\n'),
    credentials: [
      `-----BEGIN NATS USER JWT-----\n${userJwt}\n------END NATS USER JWT------`,
      `-----BEGIN USER NKEY SEED-----\n${text(user.getSeed())}\n------END USER NKEY SEED------`,
      '',
    ].join('\n\n'),
  };
}

function signed(subject: KeyPair, issuer: KeyPair, nats: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = {
    jti: randomUUID(),
    iat: Math.floor(Date.now() / 1000),
    iss: issuer.getPublicKey(),
    name: 'test',
    sub: subject.getPublicKey(),
    nats: { ...nats, version: 2 },
  };
  const content = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${content}.${Buffer.from(issuer.sign(new TextEncoder().encode(content))).toString('base64url')}`;
}
