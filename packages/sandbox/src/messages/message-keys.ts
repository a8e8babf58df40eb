import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { generate } from 'selfsigned';
import {
  type MessagePlaces,
  messageFilesIn,
  messageIdentity,
  passFilesIn,
  passTypeId,
  renewFiles,
  tokenUriOf,
} from './messages-environment.ts';

export interface MessageKeys {
  readonly account: { readonly privatePem: string; readonly publicKey: KeyObject };
  readonly provider: { readonly file: string; readonly publicKey: KeyObject };
  readonly server: { readonly cert: string; readonly key: string; readonly authority: string; readonly authorityFile: string };
}

export async function openMessageKeys(folder: string, name: string): Promise<MessageKeys> {
  mkdirSync(folder, { recursive: true });
  const files = messageFilesIn(folder);
  const accountPem = kept(`${folder}/service-account-key.pem`, () =>
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  const providerPem = kept(files.provider, () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  );
  return {
    account: { privatePem: accountPem, publicKey: createPublicKey(createPrivateKey(accountPem)) },
    provider: { file: files.provider, publicKey: createPublicKey(createPrivateKey(providerPem)) },
    server: await openCertificate(folder, files.authority, name),
  };
}

async function openCertificate(folder: string, authorityFile: string, name: string): Promise<MessageKeys['server']> {
  const authorityKeyFile = `${folder}/authority-key.pem`;
  if (!existsSync(authorityFile) || !existsSync(authorityKeyFile)) {
    const made = await generate([{ name: 'commonName', value: 'Corner sandbox authority' }], {
      ...certificate,
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      ],
    });
    writeFileSync(authorityKeyFile, made.private, { mode: 0o600 });
    writeFileSync(authorityFile, made.cert);
  }
  const authority = readFileSync(authorityFile, 'utf8');
  await openPassCertificate(folder, { cert: authority, key: readFileSync(authorityKeyFile, 'utf8') });
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    ...certificate,
    ca: { key: readFileSync(authorityKeyFile, 'utf8'), cert: authority },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          ...(/^[\d.]+$/.test(name) ? [] : [{ type: 2 as const, value: name }]),
        ],
      },
    ],
  });
  return { cert, key, authority, authorityFile };
}

// The library signs with the same kind of key that it certifies, and passes must have RSA keys, so all keys are RSA.
const certificate = { keyType: 'rsa', keySize: 2048, algorithm: 'sha256' } as const;

function kept(file: string, make: () => string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const made = make();
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

export function writeServiceAccount(places: MessagePlaces, { account }: MessageKeys): void {
  if (renewFiles(places)) return;
  const { projectId, serviceAccount, serviceAccountKeyId } = messageIdentity;
  const content = {
    type: 'service_account',
    project_id: projectId,
    private_key_id: serviceAccountKeyId,
    private_key: account.privatePem,
    client_email: serviceAccount,
    client_id: '100000000000000000000',
    auth_uri: 'https://accounts.google.com/o/oauth2/auth',
    token_uri: tokenUriOf(places),
    auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
    client_x509_cert_url: `https://www.googleapis.com/robot/v1/metadata/x509/${encodeURIComponent(serviceAccount)}`,
    universe_domain: 'googleapis.com',
  };
  writeFileSync(messageFilesIn(places.folder).serviceAccount, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

async function openPassCertificate(folder: string, authority: { readonly cert: string; readonly key: string }): Promise<void> {
  const files = passFilesIn(folder);
  if (Object.values(files).every((file) => existsSync(file))) return;
  const intermediate = await generate([{ name: 'commonName', value: 'Corner sandbox intermediate of passes' }], {
    ...certificate,
    ca: authority,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const pass = await generate([{ name: 'commonName', value: `Pass Type ID: ${passTypeId}` }], {
    ...certificate,
    ca: { cert: intermediate.cert, key: intermediate.private },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', clientAuth: true, emailProtection: true },
    ],
  });
  writeFileSync(files.key, pass.private, { mode: 0o600 });
  writeFileSync(files.intermediate, intermediate.cert);
  writeFileSync(files.certificate, pass.cert);
}
