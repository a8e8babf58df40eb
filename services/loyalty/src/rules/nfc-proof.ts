/** The three fields that carry the proof of a tap in a request. */
export interface ProofFields {
  readonly nfc_picc_data?: string | null | undefined;
  readonly nfc_cmac?: string | null | undefined;
  readonly nfc_key_version?: string | null | undefined;
}

/** The proof of a tap as a request carries it: hexadecimal in any case. */
export interface NfcProof {
  readonly piccData: string;
  readonly cmac: string;
  readonly keyVersion: string;
}

/** Reads the proof of a tap. Returns `none` without any of its fields and `incomplete` without all of them; an empty field counts as absent. */
export function readProof({
  nfc_picc_data: piccData,
  nfc_cmac: cmac,
  nfc_key_version: keyVersion,
}: ProofFields): NfcProof | 'incomplete' | 'none' {
  if (piccData && cmac && keyVersion) return { piccData, cmac, keyVersion };
  return piccData || cmac || keyVersion ? 'incomplete' : 'none';
}
