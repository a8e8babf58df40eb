/** A refusal of the console itself, in the envelope of the platform's problems. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly code: 'FOREIGN_ORIGIN' | 'NOT_FOUND' | 'OPERATOR_ONLY';

  constructor(status: number, code: Refused['code'], message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}
