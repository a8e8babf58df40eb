import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { generate } from 'selfsigned';
import { openPassCertificate } from './pass-certificate.ts';

/** What the far sides and their client are keyed by. Made once for a folder, so that a restart leaves the client's keys good. */
export interface MessageKeys {
  /** Of the Google service account. */
  readonly account: { readonly privatePem: string; readonly publicKey: KeyObject };
  /** Of the APNs provider: the file an account at Apple hands out as `.p8`. */
  readonly provider: { readonly file: string; readonly publicKey: KeyObject };
  /** Certificate and key of the APNs server, and the file of the authority that signed it. */
  readonly server: { readonly cert: string; readonly key: string; readonly authority: string; readonly authorityFile: string };
}

/** Files in the folder of a run. */
export const messageFilesIn = (folder: string) => ({
  serviceAccount: `${folder}/fcm-service-account.json`,
  provider: `${folder}/apns-provider.p8`,
  authority: `${folder}/authority.pem`,
});

/** Reads the keys of the folder, and makes what is not there yet. `name` is the host the certificate stands for, beside this machine. */
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

/** A server certificate, signed by an authority of the folder's own. Made anew at each start: it costs nothing, and clients trust the authority. */
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

// One kind of key for all: whoever makes certificates here signs by the kind that it certifies, and those of passes must be RSA.
const certificate = { keyType: 'rsa', keySize: 2048, algorithm: 'sha256' } as const;

function kept(file: string, make: () => string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const made = make();
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}
