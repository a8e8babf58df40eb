import { writeFileSync } from 'node:fs';
import { generate } from 'selfsigned';

export interface TestCertificates {
  readonly authority: string;
  readonly server: { readonly certificate: string; readonly key: string };
  readonly client: { readonly certificate: string; readonly key: string };
}

const kind = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;

export async function testCertificates(folder: string, { addresses = ['127.0.0.1'] } = {}): Promise<TestCertificates> {
  const authority = await generate([{ name: 'commonName', value: 'authority of a test' }], {
    ...kind,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const ca = { cert: authority.cert, key: authority.private };
  const write = async (name: string) => {
    const made = await generate([{ name: 'commonName', value: name }], {
      ...kind,
      ca,
      extensions: [
        { name: 'basicConstraints', cA: false },
        { name: 'keyUsage', digitalSignature: true },
        { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
        {
          name: 'subjectAltName',
          altNames: [{ type: 2, value: 'localhost' }, ...addresses.map((ip) => ({ type: 7 as const, ip }))],
        },
      ],
    });
    const files = { certificate: `${folder}/${name}.pem`, key: `${folder}/${name}-key.pem` };
    writeFileSync(files.certificate, made.cert);
    writeFileSync(files.key, made.private, { mode: 0o600 });
    return files;
  };
  const file = `${folder}/authority.pem`;
  writeFileSync(file, authority.cert);
  return { authority: file, server: await write('server'), client: await write('client') };
}
