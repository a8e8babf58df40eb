import { execFileSync } from 'node:child_process';
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type Files = Readonly<Record<string, Buffer>>;

/** Reads uncompressed zip entries by the archive's directory. Also tests the archive by `unzip` if it is installed. */
export function openPass(bundle: Buffer, folder: string): Files {
  const archive = `${folder}/${createHash('sha1').update(bundle).digest('hex')}.pkpass`;
  writeFileSync(archive, bundle);
  if (isInstalled('unzip')) execFileSync('unzip', ['-tqq', archive]);
  const end = bundle.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const files: Record<string, Buffer> = {};
  let at = bundle.readUInt32LE(end + 16);
  for (let left = bundle.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, extraLength, commentLength, local] = [
      bundle.readUInt32LE(at + 20),
      bundle.readUInt16LE(at + 28),
      bundle.readUInt16LE(at + 30),
      bundle.readUInt16LE(at + 32),
      bundle.readUInt32LE(at + 42),
    ];
    if (bundle.readUInt16LE(at + 10) !== 0) throw new Error('an entry is compressed');
    const name = bundle.toString('utf8', at + 46, at + 46 + nameLength);
    const data = local + 30 + bundle.readUInt16LE(local + 26) + bundle.readUInt16LE(local + 28);
    files[name] = bundle.subarray(data, data + size);
    at += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read it as a phone would
export const parsePass = (files: Files): any => JSON.parse(String(files['pass.json']));

/** Verifies the signature of the manifest, up to the authority's certificate: by openssl, or by node-forge where it is not installed. */
export function isSigned(files: Files, authorityFile: string, folder: string): boolean {
  const { signature, 'manifest.json': manifest } = files;
  if (!signature || !manifest) return false;
  if (!isInstalled('openssl')) return isSignedByForge(signature, manifest, readFileSync(authorityFile, 'utf8'));
  writeFileSync(`${folder}/signature`, signature);
  writeFileSync(`${folder}/manifest.json`, manifest);
  const named = ['-in', `${folder}/signature`, '-content', `${folder}/manifest.json`, '-CAfile', authorityFile, '-out', '/dev/null'];
  try {
    execFileSync('openssl', ['smime', '-verify', '-binary', '-inform', 'DER', '-purpose', 'any', ...named], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

export function isSignedByForge(signature: Buffer, manifest: Buffer, authority: string): boolean {
  const forge = createRequire(createRequire(import.meta.url).resolve('passkit-generator'))('node-forge');
  const message = forge.pkcs7.messageFromAsn1(forge.asn1.fromDer(signature.toString('binary')));
  const { authenticatedAttributes, signature: signed } = message.rawCapture;
  const set = forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.SET, true, authenticatedAttributes);
  const chain = message.certificates.map((certificate: unknown) => new X509Certificate(forge.pki.certificateToPem(certificate)));
  const leaf = chain.find(({ ca }: X509Certificate) => !ca) as X509Certificate;
  const intermediate = chain.find(({ ca }: X509Certificate) => ca) as X509Certificate;
  const digest = createHash('sha1').update(manifest).digest('hex');
  return (
    forge.asn1.toDer(set).toHex().includes(digest) &&
    verify('sha1', Buffer.from(forge.asn1.toDer(set).getBytes(), 'binary'), leaf.publicKey, Buffer.from(signed, 'binary')) &&
    leaf.verify(intermediate.publicKey) &&
    intermediate.verify(createPublicKey(authority))
  );
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
