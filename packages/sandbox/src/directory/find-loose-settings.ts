import type { DirectoryFile } from '@corner/contracts';

/** Returns a sentence for each setting that is valid but lets stamps be had without anyone at the store, with its place in the file. */
export const findLooseSettings = ({ programmes }: DirectoryFile): string[] =>
  programmes.flatMap(({ codes_without_proof, multi_stamp }, at) => [
    ...(codes_without_proof === 'count'
      ? [
          `programmes[${at}].codes_without_proof: stamps count at once without the proof of a tap, so customers can give themselves stamps from anywhere; "wait" makes staff approve them`,
        ]
      : []),
    ...(multi_stamp.enabled && multi_stamp.staff_card_without_tap === 'accept'
      ? [
          `programmes[${at}].multi_stamp.staff_card_without_tap: a customer who has seen the token id of an auth card once can confirm their own stamps with it; "refuse" asks for a tap at the store too`,
        ]
      : []),
  ]);
