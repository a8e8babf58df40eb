export interface Random {
  next(): number;
  below(end: number): number;
  pick<T>(list: readonly T[]): T;
  bytes(size: number): Buffer;
  uuid(at?: Date): string;
}

export function randomOf(seed: number, name = ''): Random {
  let state = [...name].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, seed | 0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  const bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => below(256)));
  return {
    next,
    below,
    bytes,
    pick<T>(list: readonly T[]): T {
      const one = list[below(list.length)];
      if (one === undefined) throw new RangeError('nothing to pick from');
      return one;
    },
    uuid(at) {
      const hex = bytes(16);
      if (at) hex.writeUIntBE(at.getTime(), 0, 6);
      hex[6] = ((hex[6] ?? 0) & 0x0f) | (at ? 0x70 : 0x40);
      hex[8] = ((hex[8] ?? 0) & 0x3f) | 0x80;
      return hex.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
  };
}
