import { PKPass } from 'passkit-generator';
import { type CompletePass, passColours, passContent, toRgb } from '../rules.ts';

export interface AppleSigning {
  readonly passTypeId: string;
  readonly teamId: string;
  readonly certificate: string;
  readonly key: string;
  readonly keyPassphrase: string | null;
  readonly intermediate: string;
  readonly webServiceUrl: string;
  readonly images: { readonly icon: Buffer; readonly icon2x: Buffer; readonly icon3x: Buffer };
}

export function signPass(pass: CompletePass, signing: AppleSigning): Buffer {
  const { title, status, reward, rewardsReady, voucher, barcode } = passContent(pass);
  const { background, foreground } = passColours(pass.background);
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
      backgroundColor: toRgb(background),
      foregroundColor: toRgb(foreground),
      labelColor: toRgb(foreground),
      voided: pass.state !== 'active',
      groupingIdentifier: pass.storeId,
    },
  );
  bundle.type = pass.kind === 'voucher' ? 'coupon' : 'storeCard';
  // When the value changes, the phone shows the change message with the new value in place of `%@`.
  bundle.primaryFields.push({ key: 'standing', ...status, changeMessage: `${status.label}: %@` });
  bundle.secondaryFields.push({ key: 'reward', ...reward });
  if (rewardsReady) bundle.auxiliaryFields.push({ key: 'ready', ...rewardsReady, changeMessage: `${rewardsReady.label}: %@` });
  if (voucher) {
    bundle.auxiliaryFields.push({ key: 'code', ...voucher.code }, { key: 'until', ...voucher.lastDay });
    bundle.setExpirationDate(new Date(voucher.expiresAt));
  }
  const altText = voucher ? { altText: voucher.code.value } : {};
  bundle.setBarcodes({ message: barcode, format: 'PKBarcodeFormatQR', messageEncoding: 'iso-8859-1', ...altText });
  return bundle.getAsBuffer();
}
