/** A page or a mailbox as people type it: what has a dot between letters or digits and the letters of an ending, or `://`. */
const address = /:\/\/|[\p{L}\p{N}-][.\u3002](\p{L}{2,}|xn--)/u;

/** Returns whether a name holds the address of a page or of mail, in letters of any width. */
export const holdsAddress = (name: string): boolean =>
  address.test(name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''));
