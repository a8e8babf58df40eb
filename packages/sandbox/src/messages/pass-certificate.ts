import { existsSync, writeFileSync } from 'node:fs';
import { generate } from 'selfsigned';
import { passFilesIn, passTypeId } from './messages-environment.ts';

// RSA, as Apple's: passes cannot be signed with other keys.
const certificate = { keyType: 'rsa', keySize: 2048, algorithm: 'sha256' } as const;

/**
 * Makes the certificates that passes are signed with, once for a folder: one of the pass type, and the intermediate that issued it,
 * under the folder's authority. APNs accepts the certificate for pushes of passes.
 */
export async function openPassCertificate(folder: string, authority: { readonly cert: string; readonly key: string }): Promise<void> {
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
