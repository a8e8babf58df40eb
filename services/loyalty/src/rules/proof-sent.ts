/** The three fields of a proof as requests carry them. */
export interface ProofFields {
  readonly nfc_picc_data?: string | null | undefined;
  readonly nfc_cmac?: string | null | undefined;
  readonly nfc_key_version?: string | null | undefined;
}

/** A proof, or what there is in its place. An empty field is an absent one. */
export function proofSent({ nfc_picc_data: piccData, nfc_cmac: cmac, nfc_key_version: keyVersion }: ProofFields) {
  if (piccData && cmac && keyVersion) return { piccData, cmac, keyVersion };
  return piccData || cmac || keyVersion ? ('incomplete' as const) : ('none' as const);
}
