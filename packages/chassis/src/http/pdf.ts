/** A reply to be printed. `name` is the file's, without its ending. */
export class Pdf {
  readonly name: string;
  readonly bytes: Buffer;

  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.bytes = bytes;
  }
}
