export function readPhone(typed: string): string | null {
  const digits = typed
    .normalize('NFKC')
    .replace(/[\s.-]|\(0\)|[()]/g, '')
    .replace(/^00/, '+');
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : null;
}
