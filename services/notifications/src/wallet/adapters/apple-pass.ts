import { PKPass } from 'passkit-generator';
import { coloursOn, rgbOf } from '../rules/colours.ts';
import { faceOf } from '../rules/pass-face.ts';
import type { PassState } from '../rules/pass-state.ts';

export interface AppleSigning {
  readonly passTypeId: string;
  readonly teamId: string;
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  readonly keyPassphrase: string | null;
  readonly intermediate: string;
  /** Where devices come back to; they add `/v1/…`. */
  readonly webServiceUrl: string;
  readonly images: { readonly icon: Buffer; readonly icon2x: Buffer; readonly icon3x: Buffer };
}

/** Makes the signed bundle of a pass as it stands. */
export function signPass(pass: PassState, signing: AppleSigning): Buffer {
  const { title, standing, reward, ready, scanned } = faceOf(pass);
  const { background, foreground } = coloursOn(pass.background);
  const { icon, icon2x, icon3x } = signing.images;
  const bundle = new PKPass(
    { 'icon.png': icon, 'icon@2x.png': icon2x, 'icon@3x.png': icon3x },
    {
      wwdr: signing.intermediate,
      signerCert: signing.certificate,
      signerKey: signing.key,
      ...(signing.keyPassphrase !== null ? { signerKeyPassphrase: signing.keyPassphrase } : {}),
    },
    {
      formatVersion: 1,
      passTypeIdentifier: signing.passTypeId,
      teamIdentifier: signing.teamId,
      serialNumber: pass.serial,
      authenticationToken: pass.authToken,
      webServiceURL: signing.webServiceUrl,
      organizationName: pass.storeName,
      description: title,
      logoText: pass.storeName,
      backgroundColor: rgbOf(background),
      foregroundColor: rgbOf(foreground),
      labelColor: rgbOf(foreground),
      voided: pass.state !== 'active',
      groupingIdentifier: pass.storeId,
    },
  );
  bundle.type = pass.kind === 'voucher' ? 'coupon' : 'storeCard';
  // `%@` is replaced by the new value in the line a phone shows when the field has changed.
  bundle.primaryFields.push({ key: 'standing', ...standing, changeMessage: `${standing.label}: %@` });
  bundle.secondaryFields.push({ key: 'reward', ...reward });
  if (ready) bundle.auxiliaryFields.push({ key: 'ready', ...ready, changeMessage: `${ready.label}: %@` });
  bundle.setBarcodes({ message: scanned, format: 'PKBarcodeFormatQR', messageEncoding: 'iso-8859-1' });
  return bundle.getAsBuffer();
}
