import { createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { ServiceAccount } from '../../config.ts';

/** Characters of an address that every browser and mail program accepts, by Google's documentation of these links. */
const safeLength = 1_800;
/** Characters of a store's name in a short class: Google shows no more of it in a list. */
const nameLength = 20;

interface SavedClass {
  readonly id: string;
  readonly issuerName: string;
  readonly programName: string;
  readonly programLogo: object;
  readonly reviewStatus: string;
}

interface SavedObject {
  readonly id: string;
  readonly classId: string;
  readonly state: string;
  readonly barcode: object;
}

interface Saved {
  readonly storeClass: SavedClass | null;
  readonly object: SavedObject;
  readonly logo: object;
}

/**
 * Returns the address at Google that adds a pass, signed by the service account. Beyond 1,800 characters, texts are left out and then all
 * but the ids: the pass is written over REST as well, which adds them within seconds. `storeClass` is null when Google has it.
 */
export async function signSaveLink(account: ServiceAccount, now: Date, origin: string, saved: Saved): Promise<string> {
  const key = createPrivateKey(account.private_key);
  const longest = safeLength - signatureLength(key.asymmetricKeyDetails?.modulusLength ?? 2048);
  const all = payloadsOf(saved);
  const chosen = all.find((payload) => partsOf(account, now, origin, payload).length <= longest) ?? all.at(-1);
  const claims = claimsOf(account, now, origin, chosen ?? {});
  return `${place}${await new SignJWT(claims).setProtectedHeader(header).sign(key)}`;
}

const place = 'https://pay.google.com/gp/v/save/';
const header = { alg: 'RS256', typ: 'JWT' };

function payloadsOf({ storeClass, object, logo }: Saved): readonly object[] {
  const { id, classId, state, barcode } = object;
  const [scanned, bare] = [
    { id, classId, state, barcode },
    { id, classId, state },
  ];
  const short = storeClass && shortClass(storeClass, logo);
  const payload = (one: object | null, loyaltyObject: object) => ({
    ...(one ? { loyaltyClasses: [one] } : {}),
    loyaltyObjects: [loyaltyObject],
  });
  return [payload(storeClass, object), payload(short, object), payload(short, scanned), payload(short, bare)];
}

function shortClass({ id, issuerName, reviewStatus }: SavedClass, programLogo: object): SavedClass {
  const name = [...issuerName].slice(0, nameLength).join('');
  return { id, issuerName: name, programName: name, programLogo, reviewStatus };
}

const claimsOf = (account: ServiceAccount, now: Date, origin: string, payload: object) => ({
  typ: 'savetowallet',
  origins: [origin],
  payload,
  iss: account.client_email,
  aud: 'google',
  iat: Math.floor(now.getTime() / 1000),
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const partsOf = (...claims: Parameters<typeof claimsOf>): string => `${place}${encoded(header)}.${encoded(claimsOf(...claims))}.`;

const signatureLength = (modulusBits: number): number => Math.ceil((modulusBits / 8 / 3) * 4);
